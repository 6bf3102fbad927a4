// The frames of a bounded memory: which page each holds, and in which order they were used. A plain value: copying it
// is part of a checkpoint. Pages are numbered as the blocks of a TLB are: their address divided by their size.
//
// Only as many frames are kept as have been used, so that a large memory costs nothing before it is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/base/types.h"
#include "sim/machine/machine_config.h"

namespace whorl::sim {

class PageTable {
  public:
    static constexpr std::uint32_t kNoFrame = ~std::uint32_t{0};

    /// Starts with all frames free. The memory must be bounded.
    explicit PageTable(const MemoryConfig& memory);

    std::uint32_t frames() const { return capacity_; }
    unsigned pageShift() const { return pageShift_; }
    BlockAddress pageOf(ByteAddress a) const { return BlockAddress{a.value >> pageShift_}; }

    /// The frame that holds a page, or kNoFrame.
    std::uint32_t find(BlockAddress page) const {
        if (newest_ != kNoFrame && frames_[newest_].page == page) return newest_;
        const auto found = frameOf_.find(page);
        return found == frameOf_.end() ? kNoFrame : found->second;
    }
    bool holds(BlockAddress page) const { return find(page) != kNoFrame; }
    /// The number of frames that hold a page; they have the lowest indices.
    std::uint32_t held() const { return static_cast<std::uint32_t>(frames_.size()); }
    bool isFull() const { return held() == capacity_; }
    /// The page in a frame that holds one; isDirty(): whether it was written since it came.
    BlockAddress pageIn(std::uint32_t frame) const { return frames_[frame].page; }
    bool isDirty(std::uint32_t frame) const { return frames_[frame].dirty; }
    /// The frame for the next page that comes: the lowest free one, or the one used the longest ago.
    std::uint32_t nextFrame() const { return isFull() ? oldest_ : held(); }
    /// The frames that hold a page, the one used last first.
    std::vector<std::uint32_t> byUse() const;

    /// Records a use of the page in a frame, to write or to read it.
    void use(std::uint32_t frame, bool write);
    /// Puts a missing page into nextFrame(), in place of the page there, and records its first use, a write or a read.
    void bringIn(BlockAddress page, bool write);

    /// Memory used by a copy, in bytes.
    std::size_t bytes() const;
    /// Whether two tables result from the same uses, as after the same accesses.
    bool operator==(const PageTable&) const = default;

  private:
    friend class PageTablePatch;
    friend class StoredState;

    struct Frame {
        BlockAddress page;
        std::uint64_t changed = 0;       ///< the number of its last change
        std::uint32_t older = kNoFrame;  ///< the frame used before it
        std::uint32_t newer = kNoFrame;  ///< the frame used after it
        bool dirty = false;
        bool operator==(const Frame&) const = default;
    };

    void hold(std::uint32_t frame, BlockAddress page);
    void makeNewest(std::uint32_t frame);
    void unlink(std::uint32_t frame);

    std::uint32_t capacity_;
    unsigned pageShift_;
    std::vector<Frame> frames_;
    std::uint32_t oldest_ = kNoFrame;
    std::uint32_t newest_ = kNoFrame;
    std::uint64_t changes_ = 0;  ///< uses so far that changed anything
    std::unordered_map<BlockAddress, std::uint32_t> frameOf_;
};

/// The difference between two states of a page table: the frames that changed in between, in the order of their last
/// uses.
class PageTablePatch {
  public:
    /// The patch that turns `before` into `after`, a later state.
    PageTablePatch(const PageTable& before, const PageTable& after);
    /// The composition of two patches: `first`, then `second`.
    PageTablePatch(const PageTablePatch& first, const PageTablePatch& second);

    void applyTo(PageTable& pages) const;
    /// Memory used, in bytes.
    std::size_t bytes() const { return sizeof *this + changed_.capacity() * sizeof(Change); }

  private:
    struct Change {
        BlockAddress page;
        std::uint64_t number;
        std::uint32_t frame;
        bool dirty;
    };

    std::vector<Change> changed_;  ///< least recently used first
    std::uint64_t changes_;        ///< PageTable::changes_ after the patch
};

}  // namespace whorl::sim
