// The number of bytes of each block that were used between its fill and its removal: for each counted fill of a level,
// in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/cache/counters.h"

namespace whorl::sim {

/// The use of the blocks filled into a cache: their number, and the number of their bytes that were used before they
/// left (see BlockUse), or until the end.
struct StaySum {
    std::uint64_t fills = 0;
    std::uint64_t usedBytes = 0;

    StaySum& operator+=(const StaySum& more) {
        fills += more.fills;
        usedBytes += more.usedBytes;
        return *this;
    }
    StaySum& operator-=(const StaySum& part) {
        fills -= part.fills;
        usedBytes -= part.usedBytes;
        return *this;
    }
    bool operator==(const StaySum&) const = default;

    /// The share of the bytes that was used, 0 to 1; 0 without fills. `block` is the block size in bytes.
    double utilization(std::uint32_t block) const {
        return fills == 0 ? 0.0 : static_cast<double>(usedBytes) / (static_cast<double>(fills) * block);
    }
    std::uint64_t unusedBytes(std::uint32_t block) const { return fills * block - usedBytes; }
    /// Fills that would have been saved if all bytes of the others had been used.
    std::uint64_t savedByFullUse(std::uint32_t block) const { return unusedBytes(block) / block; }
};

/// The bytes used, by fill, in one byte each if that suffices.
class StayUseList {
  public:
    /// `block` is the block size of the level in bytes.
    explicit StayUseList(std::uint32_t block) : isNarrow_(block <= 255) {}

    std::uint64_t size() const { return isNarrow_ ? narrow_.size() : wide_.size(); }
    std::uint32_t operator[](std::uint64_t fill) const { return isNarrow_ ? narrow_[fill] : wide_[fill]; }
    void set(std::uint64_t fill, std::uint32_t used) {
        if (fill >= size()) isNarrow_ ? narrow_.resize(fill + 1) : wide_.resize(fill + 1);
        if (isNarrow_) {
            narrow_[fill] = static_cast<std::uint8_t>(used);
        } else {
            wide_[fill] = static_cast<std::uint16_t>(used);
        }
    }
    /// Ends the list: no more is set, and sums can be computed.
    void finish() {
        for (std::uint64_t fill = 0, sum = 0; fill < size(); ++fill) {
            if (fill % kStride == 0) sums_.push_back(sum);
            sum += (*this)[fill];
        }
    }
    /// The sum over the first `fills` fills, at most size().
    StaySum sumOf(std::uint64_t fills) const {
        StaySum sum{.fills = fills};
        if (fills == 0) return sum;
        const std::uint64_t from = (fills - 1) / kStride;
        sum.usedBytes = sums_[from];
        for (std::uint64_t fill = from * kStride; fill < fills; ++fill) sum.usedBytes += (*this)[fill];
        return sum;
    }
    std::size_t bytes() const {
        return sizeof *this + narrow_.capacity() + wide_.capacity() * sizeof wide_[0] +
               sums_.capacity() * sizeof sums_[0];
    }

  private:
    static constexpr std::uint64_t kStride = 1024;  ///< fills between two sums

    bool isNarrow_;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
    std::vector<std::uint64_t> sums_;  ///< sums before every kStride-th fill
};

/// Returns the bytes used of consecutive fills from a tick on, for replaying a range of a run.
class StayUseReader {
  public:
    /// `lists` are those of the whole run, by level; null while it is not complete, when the use is unknown. `before`
    /// are the counts at that tick.
    StayUseReader(std::shared_ptr<const std::vector<StayUseList>> lists, const Counters& before)
        : lists_(std::move(lists)) {
        for (std::size_t l = 0; l < before.levels(); ++l) filled_.push_back(before.level(l).fills);
    }

    bool isKnown() const { return lists_ != nullptr; }
    std::uint32_t next(std::size_t level) { return (*lists_)[level][filled_[level]++]; }

  private:
    std::shared_ptr<const std::vector<StayUseList>> lists_;
    std::vector<std::uint64_t> filled_;
};

}  // namespace whorl::sim
