// The JSON library, for tests of what is written. Test files do not include it by its own name, as those that do are
// not compiled with others.
#pragma once

#include <nlohmann/json.hpp>
