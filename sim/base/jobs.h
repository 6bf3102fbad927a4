// Jobs that may run at the same time. The simulation starts no threads: its caller says how they run.
#pragma once

#include <functional>
#include <vector>

namespace whorl::sim {

using Jobs = std::vector<std::function<void()>>;
/// Runs all jobs, in any order and in any threads, and returns when all have ended.
using JobRunner = std::function<void(const Jobs&)>;

/// Runs one job after the other.
inline void oneByOne(const Jobs& jobs) {
    for (const auto& job : jobs) job();
}

}  // namespace whorl::sim
