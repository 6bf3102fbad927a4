// One cache of the reference: what it holds, and which block it would evict. It decides nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::reference {

struct Held {
    std::size_t way = 0;
    bool dirty = false;
    bool owned = false;       ///< no other cache has it: it can be written without an upgrade
    bool prefetched = false;  ///< brought in by a prefetch, and not requested since

    bool operator==(const Held&) const = default;
};

/// What a cache gets asked, in order, and what it loses to other CPUs in between.
struct Requests {
    struct Loss {
        std::size_t when = 0;  ///< so many requests came before
        std::uint64_t first = 0;
        std::uint64_t last = 0;
    };
    std::vector<std::uint64_t> blocks;
    std::vector<Loss> losses;
};

/// The ways of one set, and the state of all policies.
struct Set {
    std::vector<std::optional<std::uint64_t>> ways;           ///< the block in each
    std::list<std::size_t> byUse;                             ///< ways, the most recently used first
    std::list<std::size_t> byFill;                            ///< ways, the most recently filled first
    std::map<std::pair<std::size_t, std::size_t>, bool> bit;  ///< the tree: true when the next victim is on the right
    std::vector<int> interval;                                ///< SRRIP's predictions
};

class Cache {
  public:
    /// `index`: which of its level's caches it is.
    Cache(const sim::LevelConfig& level, std::size_t index);

    /// What will happen to it: for the OPT policy.
    void foretell(const Requests& requests);

    /// Records a request for a block.
    void ask(std::uint64_t block) { past_.blocks.push_back(block); }
    /// Records that another CPU's write takes blocks away, from the first to the last.
    void lose(std::uint64_t first, std::uint64_t last) { past_.losses.push_back({past_.blocks.size(), first, last}); }
    /// All so far.
    const Requests& requests() const { return past_; }

    bool holds(std::uint64_t block) const { return held_.contains(block); }
    /// Throws when the block is not held.
    Held& at(std::uint64_t block) { return held_.at(block); }
    const Held& at(std::uint64_t block) const { return held_.at(block); }
    const std::map<std::uint64_t, Held>& blocks() const { return held_; }
    /// The blocks it holds from `first` to `last`, inclusive, ascending.
    std::vector<std::uint64_t> blocksBetween(std::uint64_t first, std::uint64_t last) const;

    /// The block was requested and is present.
    void use(std::uint64_t block);
    /// The block that must be evicted before `incoming` can be filled: none while its set has a free way.
    std::optional<std::uint64_t> victimFor(std::uint64_t incoming);
    /// A set as it is; null until something was in it.
    const Set* setNumbered(std::uint64_t set) const { return sets_.contains(set) ? &sets_.at(set) : nullptr; }
    /// Puts the block into the lowest free way.
    Held& place(std::uint64_t block);
    void remove(std::uint64_t block);

    /// The blocks of a set in the order in which they would be evicted if blocks never seen before were filled one
    /// after the other. MRU and OPT would then evict the new blocks again and again: with them, the order of
    /// preference.
    std::vector<std::uint64_t> orderOfEviction(std::uint64_t set) const;

  private:
    Set& setOf(std::uint64_t block);
    void markUse(Set& set, std::size_t way) const;
    void markFill(Set& set, std::size_t way) const;
    std::size_t victimIn(Set& set, std::uint64_t& randomState) const;
    std::size_t farthestAhead(const Set& set) const;
    std::size_t nextRequest(std::uint64_t block) const;

    sim::LevelConfig level_;
    std::map<std::uint64_t, Held> held_;
    std::map<std::uint64_t, Set> sets_;  ///< those that were ever filled
    std::uint64_t randomState_;
    Requests past_;
    std::map<std::uint64_t, std::vector<std::size_t>> future_;  ///< by block: the indices of its requests
    std::vector<Requests::Loss> losses_;                        ///< of the future
};

}  // namespace whorl::reference
