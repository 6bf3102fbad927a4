// A place of a trace that the user has marked. Plain data.
#pragma once

#include <string>

namespace whorl::app {

struct Bookmark {
    double at = 0;     ///< the number of accesses that have happened
    std::string note;  ///< may be empty
    bool operator==(const Bookmark&) const = default;
};

}  // namespace whorl::app
