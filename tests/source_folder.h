#pragma once

// Where the tree lies, for tests that read files of it. Told to one source file alone, so that all others compile to
// the same wherever the tree lies.

#include <string>

namespace whorl {

// The root of the tree, without a slash at its end.
const std::string& sourceFolder();

}  // namespace whorl
