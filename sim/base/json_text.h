// What is wrong with a text as JSON, before anyone looks at what it says. For those who read a person's files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

/// The one place, as file:line:column, at which a text stops being JSON, or else all keys that stand twice in one
/// object, by their paths. Empty when it can be parsed and says all only once.
std::vector<Error> jsonErrors(std::string_view text, const std::string& file);

/// "levels[1].ways": where a value lies, from where its object lies.
std::string jsonPath(const std::string& path, const std::string& key);

}  // namespace whorl::sim
