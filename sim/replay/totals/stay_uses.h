// How many bytes of each block that a level filled were used before it left: for each fill, in order.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace whorl::sim {

/// One byte each where that is enough.
class StayUseList {
  public:
    /// `block`: bytes of the level's blocks.
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
    std::size_t bytes() const { return sizeof *this + narrow_.capacity() + wide_.capacity() * sizeof wide_[0]; }

  private:
    bool isNarrow_;
    std::vector<std::uint8_t> narrow_;
    std::vector<std::uint16_t> wide_;
};

/// Returns the bytes used of one fill after the other, from a tick on, for replaying a range of a run.
class StayUseReader {
  public:
    /// `lists`: by level, of the whole run; null while it is not complete, when nothing is known. `filled`: the number
    /// of earlier fills of each level.
    StayUseReader(std::shared_ptr<const std::vector<StayUseList>> lists, std::vector<std::uint64_t> filled)
        : lists_(std::move(lists)), filled_(std::move(filled)) {}

    bool isKnown() const { return lists_ != nullptr; }
    std::uint32_t next(std::size_t level) { return (*lists_)[level][filled_[level]++]; }

  private:
    std::shared_ptr<const std::vector<StayUseList>> lists_;
    std::vector<std::uint64_t> filled_;
};

}  // namespace whorl::sim
