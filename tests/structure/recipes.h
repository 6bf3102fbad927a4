#pragma once

// The recipes of docs/architecture.md, "To add …", checked against the files that they name.

#include <string>
#include <vector>

#include "structure/source_tree.h"

namespace whorl::structure {

// What is untrue of the recipes, one sentence each: a name of a row's example that stands in a file of the program that
// the row does not name, a file named before "also" that has none of the names, a file or folder that does not exist.
std::vector<std::string> untrueRecipes(const std::vector<File>& files);

}  // namespace whorl::structure
