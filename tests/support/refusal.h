// What errors say, in one line of a test.
#pragma once

#include <string>

#include "sim/base/error.h"

namespace whorl::sim::test {

/// The sentence of the error, or a word for that there is none.
template <class T>
std::string refusalOf(const Expected<T>& result, std::string otherwise = "accepted") {
    return result ? otherwise : result.error().sentence();
}

}  // namespace whorl::sim::test
