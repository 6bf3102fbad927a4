// Names of functions as they appear in source code.
#pragma once

#include <string>
#include <string_view>

namespace whorl::sim {

/// A symbol's name, demangled (C++, and Rust's older form), without parameters, return type and hash:
/// "std::vector<int>::push_back". A name that is not mangled is returned unchanged.
std::string readableFunction(std::string_view symbol);

}  // namespace whorl::sim
