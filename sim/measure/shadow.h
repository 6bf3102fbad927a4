// A fully associative cache with LRU that holds no data: what a cache of the same size without sets would hold. Every
// use costs the same on average, however large it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace whorl::sim {

/// Uses are written down one after the other; a block's latest is its true one, all earlier ones are stale. The block
/// that was not used for the longest is the first in the list whose entry is not stale. When the list is full, the
/// stale entries are squeezed out: at least three in four, so each use pays for its share.
class Shadow {
  public:
    explicit Shadow(std::uint64_t blocks) : capacity_(blocks), uses_(std::max<std::uint64_t>(4 * blocks, 65536)) {}

    /// Blocks are named by small numbers from 0 (see BlockIds).
    bool holds(std::uint32_t id) const { return id < latest_.size() && latest_[id] != 0; }

    /// A block was used: it becomes the most recent, and if it is new, the least recent makes room.
    void use(std::uint32_t id) {
        if (id >= latest_.size()) latest_.resize(std::max<std::size_t>(2 * latest_.size(), id + std::size_t{1}), 0);
        useKnown(id);
    }
    /// The same for a block that was used before, held or not.
    void useKnown(std::uint32_t id) {
        if (end_ == uses_.size()) [[unlikely]] {
            squeeze();
        }
        if (latest_[id] == 0 && ++held_ > capacity_) [[unlikely]] {
            dropOldest();
        }
        uses_[end_++] = id;
        latest_[id] = static_cast<std::uint32_t>(end_);
    }
    void remove(std::uint32_t id) {
        if (!holds(id)) return;
        latest_[id] = 0;
        --held_;
    }

    /// For a great many uses in a row. What it writes counts when it is gone; meanwhile the shadow is not to be used.
    class Uses {
      public:
        Uses() = default;
        explicit Uses(Shadow& shadow)
            : shadow_(&shadow),
              uses_(shadow.uses_.data()),
              latest_(shadow.latest_.data()),
              end_(shadow.end_),
              full_(shadow.uses_.size()) {}
        ~Uses() {
            if (shadow_ != nullptr) shadow_->end_ = end_;
        }
        Uses(const Uses&) = delete;
        Uses& operator=(const Uses&) = delete;

        /// A block that was used before.
        void add(std::uint32_t id) {
            if (latest_[id] == 0 || end_ == full_) [[unlikely]] {
                shadow_->end_ = end_;
                shadow_->useKnown(id);
                end_ = shadow_->end_;
                return;
            }
            uses_[end_++] = id;
            latest_[id] = static_cast<std::uint32_t>(end_);
        }

      private:
        Shadow* shadow_ = nullptr;
        std::uint32_t* uses_ = nullptr;
        std::uint32_t* latest_ = nullptr;
        std::size_t end_ = 0;
        std::size_t full_ = 0;
    };

  private:
    bool isStale(std::size_t at) const { return latest_[uses_[at]] != at + 1; }

    void dropOldest() {
        while (isStale(oldest_)) ++oldest_;
        latest_[uses_[oldest_++]] = 0;
        --held_;
    }
    void squeeze() {
        std::size_t to = 0;
        for (std::size_t from = oldest_; from < end_; ++from) {
            if (isStale(from)) continue;
            const std::uint32_t id = uses_[from];
            uses_[to++] = id;
            latest_[id] = static_cast<std::uint32_t>(to);
        }
        end_ = to;
        oldest_ = 0;
    }

    std::uint64_t capacity_;
    std::uint64_t held_ = 0;
    std::size_t end_ = 0;
    std::size_t oldest_ = 0;
    std::vector<std::uint32_t> uses_;    ///< the blocks used, the latest before end_
    std::vector<std::uint32_t> latest_;  ///< by block: the place of its latest use, from 1; 0: not held
};

}  // namespace whorl::sim
