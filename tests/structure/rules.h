#pragma once

// The rules of the tree that a compiler does not check: who may include what, how types may be named, and the form of
// every file. rooms.cpp and rules.cpp contain the tables; structure_test.cpp checks the tree, and the rules themselves,
// against them.

#include <filesystem>
#include <string>
#include <vector>

namespace whorl::structure {

// Every violation in the tree at `root`, one sentence each, beginning with "file:line: " (or "file: "); empty if there
// is none.
std::vector<std::string> breaches(const std::filesystem::path& root);

}  // namespace whorl::structure
