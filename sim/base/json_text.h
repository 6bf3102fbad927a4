// Checks of JSON files written by users, before their content is interpreted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::sim {

/// The maximum depth to which objects and lists may be nested: what interprets them may recurse.
inline constexpr std::size_t kMaxNested = 200;
/// The maximum number of keys of an object.
inline constexpr std::size_t kMaxKeys = 1000;

/// The first syntax error of a JSON text, located as file:line:column (in characters, from 1), which includes nesting
/// and objects beyond the limits above; or, if there is none, an error for each key that an object has more than once,
/// located by its path. Empty if there are none: then the text can be parsed. Takes time in proportion to the text.
std::vector<Error> jsonErrors(std::string_view text, const std::string& file);

/// "levels[1].ways": the path of a member `key` of the object at `path`.
std::string jsonPath(const std::string& path, const std::string& key);

}  // namespace whorl::sim
