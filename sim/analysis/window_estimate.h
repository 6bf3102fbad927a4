// The miss ratios of a whole program, from a recording of windows into it.
//
// The windows are clusters of accesses, chosen one in every so many. The miss ratio of a level is estimated as the
// ratio of its misses to its requests in all of them, with an interval from how much the windows differ (ratio
// estimator of cluster sampling: W. G. Cochran, Sampling Techniques, 3rd ed. 1977, sections 2.11 and 6.3).
//
// What a cache holds where a window begins is not known. Of the two that are tried, one is what the last window left;
// the other is nothing. A cache of LRU that began empty holds a part of what it would hold in truth. So no more can
// miss in truth than do with it, and no less than those of its misses that find their set full of what the window
// itself brought, where nothing of before could be left (D. A. Wood, M. D. Hill, R. E. Kessler, A Model for Estimating
// Trace-Sample Miss Ratios, SIGMETRICS 1991, call the others unknown references). For farther levels and other policies
// these limits are good approximations only, as their requests, too, depend on what the nearer levels held.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Of a level, all its caches together. Ratios are of misses to requests, 0 to 1.
struct LevelEstimate {
    double missRatio = 0;             ///< each window begins with what the last one left
    std::optional<double> plusMinus;  ///< half of a 95 % interval; nothing where there is only one window
    std::optional<double> least;      ///< whatever the caches held where windows begin; nothing with OPT
    std::optional<double> most;
};

struct WindowEstimate {
    std::uint64_t windows = 0;
    std::uint64_t length = 0;  ///< of a window, as in Windows
    std::uint64_t every = 0;
    std::uint64_t between = 0;
    std::vector<LevelEstimate> levels;
};

/// What a window counted at a level.
struct WindowCount {
    double requests = 0;
    double misses = 0;
};

/// The ratio of misses to requests, and half of its 95 % interval. `share`: of the accesses that are in windows.
LevelEstimate ratioOf(const std::vector<WindowCount>& windows, double share);

/// Plays the windows of a trace, which must have some, twice. An error where the machine does not fit, or when
/// cancelled.
Expected<WindowEstimate> estimateOf(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                    Progress& progress);

}  // namespace whorl::sim
