// The memory that reading a file may take. Declared sizes and actual growth are both counted before they are trusted,
// so that a small file that expands to a huge one is refused with an error.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/error.h"

namespace whorl::sim {

/// No limit.
inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

/// The files in which the kernel reports memory limits.
struct MemoryFiles {
    std::string meminfo = "/proc/meminfo";
    std::string groups = "/proc/self/cgroup";    ///< the control groups of this process
    std::string groupFolder = "/sys/fs/cgroup";  ///< where the control groups are mounted
};

/// The least of the computer's memory and the limits of the control groups, in bytes. Considers the process's own group
/// and all groups around it, of both versions. kUnlimited if nothing can be read.
std::uint64_t memoryOf(const MemoryFiles& files);

/// The default limit for the memory that reading a file may take, in bytes: half of the lesser of memoryOf() and the
/// process's resource limits (ulimit).
std::uint64_t usualMemoryBudget();

class MemoryBudget {
  public:
    /// `most` in bytes; 0: usualMemoryBudget().
    explicit MemoryBudget(std::uint64_t most = 0);

    std::uint64_t most() const { return most_; }
    /// Bytes that are neither taken nor needed yet.
    std::uint64_t left() const { return needed_ < most_ ? most_ - needed_ : 0; }

    /// Takes bytes. False if fewer are left; they count as needed all the same, and the budget stays exceeded.
    bool take(std::uint64_t bytes) {
        needed_ = bytes > ~needed_ ? ~std::uint64_t{0} : needed_ + bytes;
        return !exceeded();
    }
    /// Takes bytes for `count` things of some size.
    bool take(std::uint64_t count, std::uint64_t size) {
        return take(size != 0 && count > ~std::uint64_t{0} / size ? ~std::uint64_t{0} : count * size);
    }
    /// Returns bytes that were taken.
    void give(std::uint64_t bytes) { needed_ -= bytes < needed_ ? bytes : needed_; }
    bool exceeded() const { return needed_ > most_; }

    /// The error for a file that needs more memory than this.
    Error error(const std::string& file) const;

  private:
    std::uint64_t most_;
    std::uint64_t needed_ = 0;
};

/// Returns freed memory to the system, which the heap keeps otherwise (see main.cpp). Call it after work that took much
/// more memory than its result: reading a trace, making a history.
void returnFreedMemory();

}  // namespace whorl::sim
