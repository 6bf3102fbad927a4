// The calls that led to the accesses of a trace: a calling context tree, after Ammons, Ball and Larus, "Exploiting
// Hardware Performance Counters with Flow and Context Sensitive Profiling" (1997).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/trace/access.h"

namespace whorl::sim {

/// A call that was running when accesses were made, and those in which it was made. A call made by a function that is
/// already running takes the place of what that function called before, so that recursion makes no endless chain.
struct Call {
    std::uint32_t parent = 0;  ///< the call in which it was made, an index into Trace::calls(), smaller than its own
    SiteId site;               ///< where it was made: a site without calls
    std::uint64_t count = 0;   ///< how often it was made in the whole recording
    /// Sites of calls by functions that are running, too, but whose place it took.
    std::vector<SiteId> around;
    bool operator==(const Call&) const = default;
};

/// The largest number of calls within each other.
inline constexpr std::uint32_t kMaxCallDepth = 1024;
/// Call 0 stands for no known call.
inline constexpr std::uint32_t kNoCall = 0;

}  // namespace whorl::sim
