// Why each miss happened: Hill's three kinds, and coherence misses split into true and false sharing after Dubois et
// al. (ISCA 1993).
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/reference/happening.h"
#include "sim/reference/machine.h"
#include "sim/trace/access.h"

namespace whorl::reference {

enum class MissKind : std::uint8_t { compulsory, capacity, conflict, trueSharing, falseSharing };

struct Miss {
    std::uint64_t tick = 0;  ///< the access that caused it, from 0
    std::size_t level = 0;
    std::size_t cache = 0;
    std::uint64_t block = 0;
    MissKind kind = MissKind::compulsory;
    bool counts = true;  ///< false: by convention it counts with an earlier one of its access

    bool operator==(const Miss&) const = default;
};

/// "tick 7 L0.1 block 3 false sharing".
std::string lineOf(const Miss& miss);

class MissKinds {
  public:
    /// The machine knows which CPUs use a cache; it must outlive this.
    explicit MissKinds(const Machine& machine) : machine_(machine) {}

    /// Takes the next access and all its events.
    void take(const sim::Access& access, const std::vector<Happening>& happenings);

    /// All misses so far, in order. A coherence miss is one of false sharing until it proves to be one of true sharing,
    /// if at all before its block leaves the cache again.
    const std::vector<Miss>& misses() const { return misses_; }

  private:
    struct Past {
        std::set<std::uint64_t> everRequested;
        std::set<std::uint64_t> lostToOthers;                    ///< invalidated for coherence, and not filled since
        std::list<std::uint64_t> shadow;                         ///< a fully associative LRU cache, most recent first
        std::map<std::uint64_t, std::uint64_t> essentialMiss;    ///< by block: the tick of the last one
        std::map<std::uint64_t, std::size_t> openSharingMisses;  ///< index in misses_, by block
    };
    struct Write {
        std::size_t cpu;
        std::uint64_t tick;
    };

    void take(const sim::Access& access, const Happening& happening);
    void comeTo(const sim::Access& access, std::uint64_t block);
    void losePage(std::uint64_t page);
    void miss(const sim::Access& access, const Happening& happening);
    void judge(const sim::Access& access, const Happening& place, std::uint64_t firstByte, std::uint64_t lastByte);
    static bool inShadow(const Past& past, std::uint64_t block);
    void shadowRequest(Past& past, const Happening& happening) const;
    void shadowUse(Past& past, const Happening& happening) const;
    bool isBehind(std::size_t cpu, std::size_t level, std::size_t cache) const;

    const Machine& machine_;
    std::map<std::pair<std::size_t, std::size_t>, Past> pasts_;  ///< by level and cache
    std::map<std::uint64_t, Write> lastWrite_;                   ///< of each word of 4 bytes
    std::vector<Miss> misses_;
    std::set<std::size_t> missed_;  ///< by the present access: the levels at which its CPU missed
    std::uint64_t tick_ = 0;
};

}  // namespace whorl::reference
