// The caches of this computer as the Linux kernel lists them in files, a folder for each cache of each CPU. Nothing is
// completed or corrected here: kernels leave out what they do not know, and virtual machines may list anything.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace whorl::sim {

/// Where the kernel's files are; tests have their own.
struct KernelFiles {
    std::string cpus = "/sys/devices/system/cpu";
    std::string cpuinfo = "/proc/cpuinfo";
};

/// A cache as a CPU sees it. Numbers that are not listed, or are not numbers, are 0.
struct ListedCache {
    std::uint32_t level = 0;
    std::uint64_t size = 0;  ///< bytes
    std::uint32_t ways = 0;  ///< kernels also list 0 for a fully associative cache
    std::uint32_t sets = 0;
    std::uint32_t block = 0;           ///< bytes
    std::vector<std::uint32_t> users;  ///< the online CPUs that share it, sorted; empty if that is not listed
};

struct ListedCpu {
    std::uint32_t id = 0;
    std::vector<ListedCache> caches;  ///< those that hold data, from the CPU outward, one a level
};

/// The online CPUs for which data caches are listed, by id; empty if there are none.
std::vector<ListedCpu> listedCpus(const KernelFiles& files);

/// What the kernel calls the processor of a CPU: "AMD EPYC 7B13"; empty if it has no name.
std::string processorName(const KernelFiles& files, std::uint32_t cpu);

}  // namespace whorl::sim
