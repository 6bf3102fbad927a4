// The caches of this computer as the Linux kernel lists them in files, with a folder for each cache of each CPU.
// Nothing is completed or corrected here: kernels omit unknown values, and virtual machines may list anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whorl::sim {

/// The paths of the kernel's files; tests use their own.
struct KernelFiles {
    std::string cpus = "/sys/devices/system/cpu";
    std::string cpuinfo = "/proc/cpuinfo";
};

/// A cache as a CPU sees it. A number is 0 if it is not listed or malformed.
struct ListedCache {
    std::uint32_t level = 0;
    std::uint64_t size = 0;  ///< bytes
    std::uint32_t ways = 0;  ///< kernels also list 0 for a fully associative cache
    std::uint32_t sets = 0;
    std::uint32_t block = 0;           ///< bytes
    std::vector<std::uint32_t> users;  ///< online CPUs that share the cache, sorted; empty if not listed
};

struct ListedCpu {
    std::uint32_t id = 0;
    std::vector<ListedCache> caches;  ///< the data caches, from the CPU outward, one per level
};

/// The online CPUs for which data caches are listed, by id; empty if there are none.
std::vector<ListedCpu> listedCpus(const KernelFiles& files);

/// The kernel's name for the processor of a CPU: "AMD EPYC 7B13"; empty if it has none.
std::string processorName(const KernelFiles& files, std::uint32_t cpu);

}  // namespace whorl::sim
