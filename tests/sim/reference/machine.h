// The slow, obvious machine: every rule written from its definition, with maps and lists. It shares no code with the
// simulator that it checks; it reads the same configuration, which must be sound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/reference/cache.h"
#include "sim/reference/happening.h"
#include "sim/trace/access.h"

namespace whorl::reference {

/// The future requests of each cache, named by level and index.
using Futures = std::map<std::pair<std::size_t, std::size_t>, Requests>;

/// Bytes that memory moves at a time where there is no cache.
inline constexpr std::uint64_t kMemoryWord = 8;

/// A page in memory.
struct Page {
    std::uint64_t page = 0;
    std::uint64_t lastUse = 0;  ///< the number of the use
    bool dirty = false;
};

class Machine {
  public:
    explicit Machine(sim::MachineConfig config, const Futures& futures = {});

    /// Plays one access of the program; returns all its events, in order.
    std::vector<Happening> access(const sim::Access& access);

    const sim::MachineConfig& config() const { return config_; }
    const Cache& cache(std::size_t level, std::size_t index) const { return caches_[level][index]; }
    /// The pages in memory, by frame; empty if it is not bounded.
    const std::vector<Page>& frames() const { return frames_; }
    /// The frame whose page was used the longest ago; there must be one.
    std::size_t oldestFrame() const;
    /// The pages in a set of a CPU's TLB, the most recently used first.
    std::vector<std::uint64_t> tlb(std::size_t cpu, std::uint64_t set) const;

    /// The CPUs that use a cache: the first, and one past the last.
    std::pair<std::size_t, std::size_t> cpusOf(std::size_t level, std::size_t cache) const;
    /// The caches of a level that the CPUs of another, farther cache use, ascending; for its own level the cache
    /// itself.
    std::vector<std::size_t> cachesBehind(std::size_t level, std::size_t farLevel, std::size_t farCache) const;
    /// The first and the last block that a cache apart from the writer cannot keep when an access writes.
    std::pair<std::uint64_t, std::uint64_t> lostBy(const sim::Access& write, std::size_t level,
                                                   std::size_t index) const;
    /// Whether several caches of a level are kept coherent. Where they are not, every block is owned.
    bool coherent(std::size_t level) const;

  private:
    /// The block as the next nearer level receives it.
    struct Given {
        bool dirty = false;
    };
    struct Asked {
        std::uint64_t block;
        bool missed;
    };
    struct Training {
        std::uint32_t site;
        std::uint64_t last;    ///< byte address
        std::uint64_t stride;  ///< bytes, modulo 2^64
        int sure;
    };

    // machine.cpp: requests on their way outward, and evictions for them
    /// How a block is requested: to read or to write it, so that no other cache keeps a copy, by the CPU itself;
    /// whether all of it is written.
    struct Ask {
        bool write = false;
        bool own = false;
        bool demand = false;
        bool whole = false;
        std::uint64_t bytes = 0;  ///< that are written
    };
    Given request(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask);
    Given hit(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask);
    Given miss(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask);
    void bringIn(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask);
    void writeTo(std::size_t to, std::size_t from, std::size_t cpu, std::uint64_t block, bool whole,
                 std::uint64_t bytes);
    void writeThrough(std::size_t level, std::size_t cpu, std::uint64_t block, Ask ask);
    void writeBack(std::size_t to, std::size_t from, std::size_t cpu, std::uint64_t block);
    void loseOthersCopies(const sim::Access& access);
    Held& place(std::size_t level, Cache& cache, std::uint64_t block);
    void makeRoom(std::size_t level, std::size_t cpu, std::uint64_t incoming);
    void evict(std::size_t level, std::size_t index, std::uint64_t victim);
    bool takeFromNearer(std::size_t level, std::size_t index, std::uint64_t victim);
    void castOut(std::size_t level, std::size_t cpu, std::uint64_t block, bool dirty, bool owned);
    void passDown(std::size_t fromLevel, std::size_t cpu, std::uint64_t block);

    // coherence.cpp: several caches of a level
    void snoop(std::size_t level, std::size_t cpu, std::uint64_t block, bool own);
    void snoopCopy(std::size_t level, std::size_t index, std::uint64_t block, bool own);
    void upgrade(std::size_t level, std::size_t cpu, std::uint64_t block, bool demand);
    void upgradeBeyond(std::size_t level, std::size_t cpu, std::uint64_t block, bool demand);
    bool mayOwn(std::size_t level, std::size_t cpu, std::uint64_t block) const;
    std::vector<std::size_t> peersOf(std::size_t level, std::size_t cpu) const;

    // pages.cpp: translations, and pages that leave memory
    void translate(const sim::Access& access);
    void translate(const sim::Access& access, std::uint64_t page);
    bool lookUp(std::size_t cpu, std::uint64_t page);
    void fillTlb(std::size_t cpu, std::uint64_t page);
    void usePage(const sim::Access& access, std::uint64_t page);
    std::size_t frameToLeave(const sim::Access& access) const;
    void pageOut(std::size_t cpu, std::size_t frame);
    bool invalidateIn(std::size_t level, std::size_t index, std::uint64_t lastLevelBlock);
    bool resident(std::size_t level, std::uint64_t block) const;

    // ahead.cpp: prefetched blocks
    void prefetch(const sim::Access& access);
    void prefetch(std::size_t level, std::size_t cpu, std::uint64_t block);
    std::vector<std::uint64_t> candidates(std::size_t level, const sim::Access& access, const Asked& asked);
    std::vector<std::uint64_t> strideCandidates(std::size_t level, const sim::Access& access, std::uint64_t block);

    std::size_t levels() const { return config_.levels.size(); }
    Cache& cacheFor(std::size_t level, std::size_t cpu);
    const Cache& cacheFor(std::size_t level, std::size_t cpu) const;
    std::size_t indexFor(std::size_t level, std::size_t cpu) const;
    bool exclusive(std::size_t level) const;
    /// The block of one level that contains a block of the same level or a nearer one; memory has the last level's
    /// blocks.
    std::uint64_t outward(std::size_t fromLevel, std::uint64_t block, std::size_t toLevel) const;
    /// The first and the last block of a nearer level inside a block.
    std::pair<std::uint64_t, std::uint64_t> inside(std::size_t level, std::uint64_t block, std::size_t nearer) const;
    void tell(const Happening& happening) { happenings_.push_back(happening); }

    sim::MachineConfig config_;
    std::vector<std::vector<Cache>> caches_;  ///< by level and index
    std::map<std::pair<std::size_t, std::uint64_t>, std::list<std::uint64_t>>
        tlb_;  ///< by CPU and set, most recent first
    std::vector<Page> frames_;
    std::uint64_t uses_ = 0;                                                                    ///< of pages, so far
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::size_t, Training>> trainings_;  ///< by cache and entry
    std::uint64_t touched_ = 0;           ///< the block of the first level that the CPU touches
    std::set<std::size_t> trained_;       ///< the levels whose stride tables the access has trained
    std::map<std::size_t, Asked> asked_;  ///< by level: the CPU's own request for this block
    bool untoldHit_ = false;              ///< the access is one whose hit at the first level is not reported
    std::vector<Happening> happenings_;
};

}  // namespace whorl::reference
