// The scale that pictures of several runs have in common, so that equal numbers look the same in all of them.
#pragma once

#include <cstddef>
#include <string>

namespace whorl::scene {

struct CommonScale {
    double most = 0;       ///< the largest number in all of them
    std::size_t runs = 2;  ///< beside each other
    bool operator==(const CommonScale&) const = default;
};

/// "one scale for both runs": for a key.
inline std::string commonScaleInWords(std::size_t runs) {
    return runs == 2 ? "one scale for both runs" : "one scale for all " + std::to_string(runs) + " runs";
}

}  // namespace whorl::scene
