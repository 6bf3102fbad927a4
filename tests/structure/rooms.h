#pragma once

// The rooms of the program (folders of sim/, render/ and app/) and which of them may include which: one way only.

#include <string>
#include <string_view>
#include <vector>

#include "structure/source_tree.h"

namespace whorl::structure {

// The room of a file of the program, "sim/trace/" for sim/trace/formats/reader.h; empty if it is in none.
std::string_view roomOf(std::string_view file);

// Whether a file in the one room may include a header in the other.
bool mayKnow(std::string_view room, std::string_view other);

}  // namespace whorl::structure
