// A fully associative LRU cache that holds no data: what a cache of the same size without sets would hold. A use costs
// the same on average, however large the cache is.
#pragma once

#include <cstdint>
#include <vector>

namespace whorl::sim {

/// A use only records its time; the order is needed when a block has to be evicted. The blocks were sorted by last use
/// some time ago, and the least recently used one is the first of them that was not used since. When none of those is
/// left, all are sorted anew: by then each has been used again or was evicted, so the cost is amortized over these.
class Shadow {
  public:
    static constexpr std::uint32_t kLongest = std::uint32_t{1} << 31;

    /// `longest`: uses after which the clock starts anew, at the least. More than `blocks`.
    explicit Shadow(std::uint64_t blocks, std::uint32_t longest = kLongest);

    /// Blocks are named by small numbers from 0 (see BlockIds).
    bool holds(std::uint32_t id) const { return id < latest_.size() && latest_[id] != 0; }

    /// A block was used: it becomes the most recent, and if it is new, the least recent makes room.
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

    /// For a great many uses of what is held, at most kLongest. They count when it is gone; meanwhile the shadow is not
    /// to be used. Blocks must have been used before.
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
        /// A block that is held.
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
    std::vector<std::uint32_t> latest_;  ///< by block: when it was last used, from 1; 0: not held
    std::vector<std::uint32_t> sorted_;  ///< by last use, the first at 1; those that were used since do not count
    std::size_t oldest_ = 0;             ///< in sorted_: those before it have left, or are among the others
    std::vector<std::uint32_t> others_;  ///< all that are held besides, and perhaps more, or one twice
    // Room to sort.
    std::vector<std::uint64_t> keyed_;
    std::vector<std::uint64_t> spare_;
};

}  // namespace whorl::sim
