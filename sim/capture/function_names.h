// Names of functions as a person writes them.
#pragma once

#include <string>
#include <string_view>

namespace whorl::sim {

/// A symbol's name, demangled (C++, and Rust's older form), without parameters, return type and hash:
/// "std::vector<int>::push_back". As it is if it is not mangled.
std::string readableFunction(std::string_view symbol);

}  // namespace whorl::sim
