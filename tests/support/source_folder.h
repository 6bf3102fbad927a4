#pragma once

// The location of the tree, for tests that read its files. Defined in one source file only, so that all others compile
// identically wherever the tree is.

#include <string>

namespace whorl {

// The root of the tree, without a slash at its end.
const std::string& sourceFolder();

}  // namespace whorl
