// A fully associative LRU cache without data: the content that a cache of the same size without sets would have. The
// average cost of a use does not depend on the cache's size.
#pragma once

#include <cstdint>
#include <vector>

namespace whorl::sim {

/// A use only records its time; the order is needed only for evictions. The blocks were sorted by last use some time
/// ago, and the least recently used one is the first in that order not used since. When none is left, all are sorted
/// again: each has by then been used again or evicted, so the cost is amortized over these uses.
class Shadow {
  public:
    static constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;

    /// `longest`: the minimum number of uses before the clock restarts. Must exceed `blocks`.
    explicit Shadow(std::uint64_t blocks, std::uint32_t longest = kLongest);

    /// Blocks are identified by small numbers from 0 (see BlockIds).
    bool holds(std::uint32_t id) const { return id < latest_.size() && latest_[id] != 0; }

    /// Uses a block: makes it the most recent; to make room for a new one, evicts the least recent.
    void use(std::uint32_t id) {
        if (id >= latest_.size()) [[unlikely]] {
            know(id);
        }
        if (now_ >= longest_) [[unlikely]] {
            sort();
        }
        if (latest_[id] == 0) takeIn(id);
        latest_[id] = ++now_;
    }
    void remove(std::uint32_t id) {
        if (!holds(id)) return;
        latest_[id] = 0;
        --held_;
    }

    /// Records a large number of uses of held blocks, at most kLongest. They take effect on destruction; until then the
    /// shadow must not be used. Blocks must have been used before.
    class Uses {
      public:
        explicit Uses(Shadow& shadow) : shadow_(shadow) {
            if (shadow.now_ >= shadow.longest_) shadow.sort();
            latest_ = shadow.latest_.data();
            now_ = shadow.now_;
        }
        ~Uses() { shadow_.now_ = now_; }
        Uses(const Uses&) = delete;
        Uses& operator=(const Uses&) = delete;

        bool holds(std::uint32_t id) const { return latest_[id] != 0; }
        /// Uses a held block.
        void add(std::uint32_t id) { latest_[id] = ++now_; }

      private:
        Shadow& shadow_;
        std::uint32_t* latest_;
        std::uint32_t now_;
    };

  private:
    void know(std::uint32_t id);
    void takeIn(std::uint32_t id);
    void dropOldest();
    void sort();
    void sortByUse();

    std::uint64_t capacity_;
    std::uint32_t longest_;
    std::uint64_t held_ = 0;
    std::uint32_t now_ = 0;              ///< the time of the last use
    std::vector<std::uint32_t> latest_;  ///< by block: time of its last use, from 1; 0: not held
    std::vector<std::uint32_t> sorted_;  ///< by last use, from index 1; blocks used since do not count
    std::size_t oldest_ = 0;             ///< index into sorted_; blocks before it were evicted or are in others_
    std::vector<std::uint32_t> others_;  ///< all other held blocks, perhaps with additional ones and duplicates
    // Buffers for sorting.
    std::vector<std::uint64_t> keyed_;
    std::vector<std::uint64_t> spare_;
};

}  // namespace whorl::sim
