#pragma once

// Finds types with the same name: two of them in one namespace violate the one-definition rule, which a linker does not
// detect, or will clash as soon as a file includes both.

#include <string>
#include <vector>

#include "structure/source_tree.h"

namespace whorl::structure {

struct TypeDefinition {
    std::string name;  // with all scopes: "whorl::sim::Cache::Line"; unnamed namespaces count as the one around them
    std::size_t offset = 0;
};

// The classes, structs, unions and enums that a text defines outside of functions. Specializations of templates are
// left out.
std::vector<TypeDefinition> typesIn(const std::string& text);

// A sentence for each type of the program that is defined more than once.
std::vector<std::string> typesDefinedTwice(const std::vector<File>& files);

}  // namespace whorl::structure
