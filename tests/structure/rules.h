#pragma once

// The rules of the tree that a compiler does not check: who may include what, what a type may be called, and what every
// file has to keep to. rooms.cpp and rules.cpp hold the tables; structure_test.cpp holds the tree, and the rules
// themselves, to them.

#include <filesystem>
#include <string>
#include <vector>

namespace whorl::structure {

// Every breach in the tree at `root`, one sentence each, beginning with "file:line: " (or "file: "); empty if all is
// well.
std::vector<std::string> breaches(const std::filesystem::path& root);

}  // namespace whorl::structure
