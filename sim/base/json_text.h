// Syntax checks for JSON files written by users, before their content is interpreted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

/// The syntax error of a JSON text, located as file:line:column; or, if it parses, one error for each duplicate key of
/// an object, located by its path. Empty if there are none.
std::vector<Error> jsonErrors(std::string_view text, const std::string& file);

/// "levels[1].ways": the path of a member `key` of the object at `path`.
std::string jsonPath(const std::string& path, const std::string& key);

}  // namespace whorl::sim
