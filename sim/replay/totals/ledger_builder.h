// Observes a replay and builds a ledger. Data known only later, the kinds of misses and the use of blocks, it either
// determines itself, from the start of a trace, or reads from the lists of a run, from any tick.
//
// The ledger and the CostTable of a history (sim/analysis) both sum up the cost of accesses, for different purposes: a
// ledger has a row for every site, owner, object and CPU of the trace, misses by kind, and only sums, so that ledgers
// can be subtracted and a run gets one at about a nanosecond per simple hit. A cost table determines which lines,
// objects and words there are and which occur together, at many times that cost, and only for one range. They agree
// because they share Cost, countOf and costOf (sim/cache/cost.h), and SourceLines (sim/trace); a test compares their
// sums.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/containers.h"
#include "sim/cache/cost.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/classifier.h"
#include "sim/replay/totals/event_index.h"
#include "sim/replay/totals/ledger.h"
#include "sim/replay/totals/overview.h"
#include "sim/trace/recent_objects.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// Counts evictions by pairs: how often an access to one item of a list evicted a block of another, by level. Uses a
/// table if the list is short, else stores only the pairs that occur.
class PairCounts {
  public:
    PairCounts(std::size_t levels, std::size_t things)
        : things_(things), table_(things <= kMaxInTable ? levels * things * things : 0, 0) {}

    void add(std::uint32_t level, std::uint32_t evictor, std::uint32_t victim) {
        if (!table_.empty()) {
            ++table_[(level * things_ + evictor) * things_ + victim];
        } else {
            ++pairs_[std::uint64_t{level} << 60 | std::uint64_t{evictor} << 30 | victim];
        }
    }
    Conflicts conflicts() const {
        Conflicts out;
        for (std::size_t i = 0; i < table_.size(); ++i) {
            if (table_[i] == 0) continue;
            out[{.level = static_cast<std::uint32_t>(i / things_ / things_),
                 .evictor = static_cast<std::uint32_t>(i / things_ % things_),
                 .victim = static_cast<std::uint32_t>(i % things_)}] = table_[i];
        }
        constexpr std::uint64_t kPlace = (std::uint64_t{1} << 30) - 1;
        pairs_.forEach([&](std::uint64_t key, std::uint64_t count) {
            out[{.level = static_cast<std::uint32_t>(key >> 60),
                 .evictor = static_cast<std::uint32_t>(key >> 30 & kPlace),
                 .victim = static_cast<std::uint32_t>(key & kPlace)}] = count;
        });
        return out;
    }

  private:
    static constexpr std::size_t kMaxInTable = 64;

    std::size_t things_;
    std::vector<std::uint64_t> table_;
    NumberMap<std::uint64_t> pairs_;  ///< by level, evictor and victim in one number
};

class LedgerBuilder final : public Observer {
  public:
    /// Starts at the beginning of a trace; the trace and the machine must outlive this. Classifies misses and tracks
    /// the use of blocks, and lists both.
    LedgerBuilder(const MachineConfig& machine, const Trace& trace);
    /// Starts at a tick; `kinds` and `uses` return the kinds of the misses and the use of the blocks filled from there
    /// on.
    LedgerBuilder(const MachineConfig& machine, const Trace& trace, MissKindReader kinds, StayUseReader uses);

    /// From now on, appends the entries of a run's EventIndex to a list, with indices within their chunks of the trace.
    void indexInto(std::vector<IndexEntry>& entries) { entries_ = &entries; }

    Wants wants() const override { return Wants::hitsApart; }
    void take(const Batch& batch) override;

    /// The sums of everything taken. Misses by sharing whose blocks are still resident count as false sharing for now.
    Ledger ledger();
    /// The kinds of the misses of all levels so far.
    const std::vector<MissKindList>& kinds() const { return kinds_; }
    /// The bytes used of all blocks filled, level by level; final for those that have left their cache.
    std::vector<StayUseList> uses();
    /// The use of the blocks in the caches; only if started at the beginning of a trace.
    const BlockUse& use() const { return *use_; }
    /// The number of misses of each level so far.
    std::vector<std::uint64_t> missed() const;
    /// The sums so far, for the overview, except those of memory.
    void sumUp(Overview::Sums& sums) const;

    /// Misses found to be by true sharing during the last `take`.
    const std::vector<Classifier::Resolved>& turned() const { return turned_; }

  private:
    LedgerBuilder(const MachineConfig& machine, const Trace& trace, bool determines);

    static constexpr std::uint32_t kMixed = ~std::uint32_t{0};  ///< the region of a block that spans several

    /// A way of the nearest level, with all data about its block that a simple hit needs.
    struct Way {
        std::uint32_t id = BlockIds::kNone;  ///< number of the block; none until it is first hit or filled
        std::uint32_t region = kMixed;       ///< region of the block
        std::uint64_t hits = 0;              ///< simple hits since the block was filled
    };

    std::size_t takeHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                         std::uint64_t tick);
    template <class AnyShadow, class AnyUse>
    std::size_t takePlainHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                              AnyShadow& shadow, AnyUse use);
    void takeObjectHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                        std::uint64_t tick);
    void takeUse(const Event& e, const Access& access, const Attribution& source, std::uint64_t tick);
    Attribution filledBy(const Event& fill, const Access& access, const Attribution& source, std::uint64_t tick) const;
    void attributeBlock(Attribution& whose, ByteAddress base, std::uint64_t size, std::uint64_t tick) const;
    void addStay(Ledger& ledger, std::size_t level, std::size_t cache, const Attribution& by, std::uint32_t used) const;
    void takeOtherHit(const PackedAccess& access, std::uint32_t slot);
    std::size_t regionOfHit(Way& way, const PackedAccess& access);
    void takeFill(const Event& fill);
    const Event* takeAccess(const PackedAccess& access, std::uint32_t place, std::uint64_t tick, const Event* e,
                            const Event* end);
    // The fast path for accesses that miss on a simple machine (Hierarchy::isSimple): their events are few and uniform,
    // so each is handled with the least work.
    const Event* takePlainAccess(const PackedAccess& packed, std::uint32_t place, std::uint64_t tick, const Event* e,
                                 const Event* end);
    void takePlainHit(const Event& e);
    void takePlainMiss(const Event& e, const Attribution& source, std::uint64_t tick);
    void takeWritebackMiss(const Event& e, Attribution source, std::uint64_t tick);
    void takePlainEviction(const Event& e, const Attribution& source, std::uint64_t tick);
    std::uint32_t regionOfVictim(const Event& e) const;
    void takeMiss(const Event& e, const Attribution& source, MissKind kind);
    void takeEviction(const Event& e, const Attribution& source);
    void index(const Event& e, std::uint32_t region, std::uint64_t tick);
    void takeResolved();
    MissKind kindOf(const Event& e, const Attribution& source);
    std::uint32_t placeOf(BlockAddress block);
    Attribution attributionOf(ByteAddress address, SiteId site, std::uint64_t tick);
    void attributeToObject(Attribution& whose, ByteAddress address, std::uint64_t tick);
    std::uint32_t soleRegionOf(BlockAddress block) const;
    BlockIds& blockIds() { return classifier_ ? classifier_->nearestBlocks() : blockIds_; }
    const BlockIds& blockIds() const { return classifier_ ? classifier_->nearestBlocks() : blockIds_; }

    const MachineConfig& machine_;
    const Trace& trace_;
    bool hasObjects_;
    RecentObjects recentObjects_;
    bool isSimple_;                   ///< one CPU: simple hits can be taken in bulk
    unsigned blockShift_;             ///< shift from an address to the nearest level's block
    std::vector<std::size_t> first_;  ///< by level: index of its first cache
    std::optional<Classifier> classifier_;
    std::optional<MissKindReader> known_;  ///< when there is no classifier
    std::vector<MissKindList> kinds_;      ///< by level
    std::optional<BlockUse> use_;
    std::optional<StayUseReader> knownUses_;       ///< when the use is not tracked
    std::vector<StayUseList> uses_;                ///< by level: blocks that have left
    std::vector<ZeroVector<Attribution>> filled_;  ///< by cache, by slot: owner of the stay
    Ledger ledger_;                                ///< without the cycles of the first lookup, which every access has
    BlockIds blockIds_;                            ///< blocks of the nearest level, when there is no classifier
    BlockAddress lastBlock_;  ///< looked up last; several rows of an access belong to the same block
    std::uint32_t lastPlace_ = BlockIds::kNone;
    std::vector<std::uint32_t> soleRegions_;  ///< by block; or kMixed
    std::vector<Way> ways_;                   ///< ways of the nearest level; only for simple hits
    std::vector<IndexEntry>* entries_ = nullptr;
    std::vector<Classifier::Resolved> turned_;
    PairCounts regionPairs_;
    std::vector<Overview::Share> shares_;  ///< by level
    Cycles more_ = 0;                      ///< cycles of all accesses beyond their first lookups
    std::uint64_t accesses_ = 0;           ///< accesses except simple hits
    /// Accesses that only hit in the nearest level.
    std::uint64_t simpleHits_ = 0;
    /// Simple hits by region (of a trace with objects, all accesses) and by site, each stored twice: neighbouring
    /// accesses add to different copies, so that the processor need not wait for one addition before the next. See
    /// hitsOf.
    std::vector<std::uint64_t> regionHits_;
    std::vector<std::uint64_t> siteHits_;
    /// Simple hits by object, and by region outside of all objects; only for a trace with objects.
    std::vector<std::uint64_t> objectHits_;
    std::vector<std::uint64_t> otherHits_;
};

}  // namespace whorl::sim
