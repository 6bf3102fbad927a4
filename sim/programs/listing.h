// The part of a kernel's file that is shown to people: the very lines that were compiled and run.
#pragma once

#include <cstdint>
#include <string_view>

namespace whorl::sim {

struct Listing {
    std::string_view file;    ///< "bubblesort.h"
    std::string_view text;    ///< the lines between the marks "// listing" and "// end"
    std::uint32_t firstLine;  ///< the line of the file that is shown as line 1
    std::uint32_t lines;      ///< how many are shown

    /// The shown number of a line of the file; 0 when it is not shown.
    std::uint32_t shown(std::uint32_t fileLine) const {
        return fileLine < firstLine || fileLine - firstLine >= lines ? 0 : fileLine - firstLine + 1;
    }
};

/// The listing of a kernel; without a line when the file is not there or not marked, which would be a fault of Whorl.
Listing listingOf(std::string_view file);

}  // namespace whorl::sim
