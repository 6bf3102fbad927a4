// How much memory this process may use: of the computer, and of the control groups and limits that it runs under.
#pragma once

#include <cstdint>
#include <string>

namespace whorl::sim {

/// No limit.
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// Where the kernel tells about memory.
struct MemoryFiles {
    std::string meminfo = "/proc/meminfo";
    std::string groups = "/proc/self/cgroup";    ///< the control groups of this process
    std::string groupFolder = "/sys/fs/cgroup";  ///< where they are mounted
};

/// The least of the computer's memory and the limits of the control groups, in bytes: those of the process's own group
/// and of all groups around it, of both versions. kUnlimited if nothing can be read.
std::uint64_t memoryOf(const MemoryFiles& files);

/// The memory that reading a file may take unless told otherwise, in bytes: half of the least of memoryOf() and of what
/// the process's resource limits (ulimit) allow.
std::uint64_t usualMemoryBudget();

}  // namespace whorl::sim
