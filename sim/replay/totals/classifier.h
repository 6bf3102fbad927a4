// Classifies every miss. From all events in order it tracks the blocks ever requested from each cache, a fully
// associative cache for each (its shadow), and, where CPUs share, which CPU last wrote each word.
//
// A shadow is an LRU cache of the same capacity that follows the same rules of allocation and inclusion. It gets all
// requests that the cache gets and the cache's own prefetches. It cannot keep blocks that another CPU writes, nor those
// of a page that leaves memory, whether the cache still had them or not. docs/machines.md defines the kinds.
//
// Compulsory, capacity and conflict after Hill and Smith, IEEE Transactions on Computers 38(12), 1989; true and false
// sharing after Dubois et al., ISCA 1993: a miss on a block invalidated by another CPU's write is essential if, while
// the block is then resident, a word is used that another CPU wrote since the last essential miss.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/base/containers.h"
#include "sim/base/types.h"
#include "sim/base/zero_pages.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/foreign_writes.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/access.h"

namespace whorl::sim {

/// A fully associative LRU cache without data: the content that a cache of the same size without sets would have. The
/// average cost of a use does not depend on the cache's size.
///
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

/// The CPU that last wrote each word, and the time: distinguishes true from false sharing.
class WordWrites {
  public:
    static constexpr std::uint64_t kWord = 4;  ///< bytes

    struct Write {
        std::uint64_t when = 0;  ///< the access's tick plus 1; 0: never
        std::uint32_t cpu = 0;
    };

    Write last(std::uint64_t word) const {
        const auto page = pages_.find(word / kPage);
        return page == pages_.end() ? Write{} : (*page->second)[word % kPage];
    }
    void write(std::uint64_t word, std::uint64_t when, std::uint32_t cpu) {
        auto& page = pages_[word / kPage];
        if (!page) page = std::make_unique<Page>();
        (*page)[word % kPage] = {when, cpu};
    }

  private:
    static constexpr std::uint64_t kPage = 256;  ///< words
    using Page = std::array<Write, kPage>;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

/// The owners of a miss or a cost: indices into the trace's lists, and the CPU.
struct Attribution {
    std::uint32_t site = 0;
    std::uint32_t region = 0;
    std::uint32_t owner = 0;  ///< see Owners; the region of a trace without objects
    std::uint32_t object = 0;
    std::uint32_t cpu = 0;
};

class Classifier {
  public:
    explicit Classifier(const MachineConfig& machine);

    /// True when CPUs have caches of their own that are kept coherent, so that sharing is possible.
    bool isShared() const { return shared_; }
    /// The blocks of the nearest level's size encountered so far; words, if there is no cache.
    BlockIds& nearestBlocks() { return ids_[0]; }
    const BlockIds& nearestBlocks() const { return ids_[0]; }
    /// The shadow of the nearest cache, for machines with one CPU: accesses that only hit there use it, and need to
    /// update nothing else.
    Shadow& nearestShadow() { return known_[0].shadow; }

    /// Begins an access; all its events follow. `tick`: its position in the trace.
    void begin(const Access& a, std::uint64_t tick);
    /// Takes the next event. For a miss, returns its kind as far as known: a miss by sharing is false until a word
    /// proves it true, which resolved() reports.
    MissKind take(const Event& e, const Attribution& source);
    void end();

    /// The next three functions do what `take` does for these events on a simple machine (Hierarchy::isSimple), where
    /// no miss is by sharing, a block requested from an exclusive level leaves it, and in any other level every miss
    /// fills.
    void hitPlainly(const Event& e) {
        Known& k = known_[e.level];
        const std::uint32_t id = k.ids[slotOf(k, e)];
        if (isExclusive(e)) [[unlikely]] {
            k.shadow.remove(id);
        } else {
            k.shadow.use(id);
        }
    }
    MissKind missPlainly(const Event& e) {
        Known& k = known_[e.level];
        const std::uint32_t id = idsAt(e.level).of(e.block);
        ++misses_[e.level];
        std::uint8_t& past = pastOf(k, id);
        if (past == 0) {
            past = requested;
            return MissKind::compulsory;
        }
        if (!k.shadow.holds(id)) return MissKind::capacity;
        if (isExclusive(e)) [[unlikely]] {
            k.shadow.remove(id);
        }
        return MissKind::conflict;
    }
    void fillPlainly(const Event& e) {
        Known& k = known_[e.level];
        const std::uint32_t id = idsAt(e.level).of(e.block);
        k.ids[slotOf(k, e)] = id;
        k.shadow.use(id);
    }

    /// Whether a level's blocks are of the nearest level's size.
    bool hasNearestBlocks(std::size_t level) const { return idsOf_[level] == 0; }
    /// The number of the block in an event's way, among the blocks of its size.
    std::uint32_t blockAt(const Event& e) const {
        const Known& k = known_[first_[e.level] + e.cache];
        return k.ids[slotOf(k, e)];
    }

    /// The number of misses of a level taken so far: the index, from 0, of the next.
    std::uint64_t misses(std::size_t level) const { return misses_[level]; }
    /// A miss, by its index in its level, that turned out to be by true sharing.
    struct Resolved {
        std::size_t level;
        std::uint32_t cache;
        SetIndex set;
        std::uint64_t miss;
        std::uint64_t tick;  ///< tick of the access that missed
        Attribution source;
        bool counted;  ///< the access was recorded, and the miss is counted
    };
    /// The misses resolved since the access began.
    const std::vector<Resolved>& resolved() const { return resolved_; }

  private:
    /// A stay that began with a miss not yet known to be by true or false sharing.
    struct Open {
        Resolved miss;
        std::uint64_t when;
    };
    /// The state of one cache.
    struct Known {
        Known(const MachineConfig& machine, std::size_t level, std::uint32_t index);

        std::uint32_t ways;
        std::uint32_t firstCpu;  ///< first of the CPUs that use the cache
        std::uint32_t endCpu;
        ZeroVector<std::uint32_t> ids;  ///< the number of the block in each way that has one
        Shadow shadow;
        std::vector<std::uint8_t> past;      ///< by block: see Past
        NumberMap<std::uint64_t> essential;  ///< by block: time of its last essential miss
        NumberMap<Open> open;                ///< by block: stays whose past is `pending`
    };
    /// A range of 4-byte words; the end is exclusive.
    struct Words {
        std::uint64_t first = 0;
        std::uint64_t end = 0;
    };
    enum Past : std::uint8_t {
        requested = 1,
        taken = 2,    ///< invalidated by another CPU, and not filled since
        pending = 4,  ///< the block has an open stay (Open)
    };

    bool isExclusive(const Event& e) const { return machine_.levels[e.level].inclusion == Inclusion::exclusive; }
    MissKind missed(Known& k, const Event& e, const Attribution& source);
    bool fills(const Event& request) const;
    void requestShadow(Known& k, const Event& e, std::uint32_t id);
    void useShadow(Known& k, const Event& e, std::uint32_t id);
    void takeFromShadows();
    void losePage(BlockAddress page);
    void useWords(const Event& nearest);
    static void forget(Known& k, std::uint32_t id);
    Words wordsIn(const Event& e) const;
    bool seesForeignWord(const Known& k, std::uint32_t id, Words words) const;
    static bool isPending(const Known& k, std::uint32_t id) {
        return id < k.past.size() && (k.past[id] & pending) != 0;
    }
    static std::uint8_t& pastOf(Known& k, std::uint32_t id) {
        if (id >= k.past.size()) k.past.resize(std::max<std::size_t>(2 * k.past.size(), id + std::size_t{1}), 0);
        return k.past[id];
    }
    static std::size_t slotOf(const Known& k, const Event& e) {
        return std::size_t{e.set.value} * k.ways + e.way.value;
    }
    Known& known(const Event& e) { return known_[first_[e.level] + e.cache]; }
    BlockIds& idsAt(std::size_t level) { return ids_[idsOf_[level]]; }

    const MachineConfig& machine_;
    bool shared_;  ///< several caches of some level are kept coherent
    std::vector<std::size_t> first_;
    std::vector<Known> known_;           ///< cache by cache
    std::vector<BlockIds> ids_;          ///< one for each size of blocks
    std::vector<std::size_t> idsOf_;     ///< by level: index into ids_
    std::vector<std::uint64_t> misses_;  ///< misses so far, by level
    WordWrites writes_;
    ForeignWrites foreignWrites_;
    /// By level, by block: the caches, one bit each, whose shadows have used it since another CPU's write took it away.
    std::vector<std::vector<std::uint64_t>> shadowed_;

    const Access* access_ = nullptr;
    std::uint64_t now_ = 0;  ///< tick + 1
    std::vector<Resolved> resolved_;
};

}  // namespace whorl::sim
