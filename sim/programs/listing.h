// The part of a kernel's source file that is displayed: exactly the lines that were compiled and run.
#pragma once

#include <cstdint>
#include <string_view>

namespace whorl::sim {

/// The texts must outlive the listing; those of kernels have static lifetime.
struct Listing {
    std::string_view file;    ///< "bubblesort.h"
    std::string_view text;    ///< the lines between the comments "// listing" and "// end"
    std::uint32_t firstLine;  ///< the line of the file that is displayed as line 1
    std::uint32_t lines;      ///< the number of lines displayed

    /// The displayed number of a line of the file; 0 if it is not displayed.
    std::uint32_t shown(std::uint32_t fileLine) const {
        return fileLine < firstLine || fileLine - firstLine >= lines ? 0 : fileLine - firstLine + 1;
    }
};

/// The listing of the kernel in the file of that name; empty if the file or its markers are missing, which would be a
/// bug in Whorl.
Listing listingOf(std::string_view name);

}  // namespace whorl::sim
