// Keeps the books while a run is played: reads every access with its events and writes a ledger. It either finds the
// kinds of misses itself, from the start of a trace on, or is told them, from any moment on.
#pragma once

#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "sim/base/block_ids.h"
#include "sim/cache/cost.h"
#include "sim/cache/event.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/totals/classifier.h"
#include "sim/replay/totals/event_index.h"
#include "sim/replay/totals/ledger.h"
#include "sim/replay/totals/overview.h"
#include "sim/replay/totals/pair_counts.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

class LedgerBuilder {
  public:
    /// From the start of a trace, which must outlive it, as the machine must. Kinds are found, and listed.
    LedgerBuilder(const MachineConfig& machine, const Trace& trace);
    /// From a moment on; `kinds` is what was listed for the whole run, and `missed` how many misses of each level came
    /// before that moment.
    LedgerBuilder(const MachineConfig& machine, const Trace& trace, const std::vector<MissKindList>& kinds,
                  std::vector<std::uint64_t> missed);

    /// Takes accesses in the order of the trace; `first` is the place of the first. `events` are theirs; quickest with
    /// hits kept apart.
    void take(Tick first, std::span<const PackedAccess> accesses, const EventList& events);

    /// All that was taken. Misses by sharing whose blocks are still resident count as false so far.
    Ledger ledger() const;
    /// The misses of all levels by kind, listed so far.
    const std::vector<MissKindList>& kinds() const { return kinds_; }
    /// How many misses of each level were taken.
    std::vector<std::uint64_t> missed() const;
    /// The sums so far, for the overview.
    void sumUp(Overview::Sums& sums) const;

    /// What `take` noted for a journal, with places in their chunks of the trace. For the caller to empty.
    std::vector<IndexEntry>& entries() { return entries_; }
    /// Misses that turned out to be by true sharing during the last `take`.
    const std::vector<Classifier::Resolved>& turned() const { return turned_; }

  private:
    static constexpr std::uint32_t kMixed = ~std::uint32_t{0};  ///< the region of a block that several have a part of

    /// What is added up for a block of the nearest level's size. Cycles beyond the first look into the nearest level.
    struct Block {
        std::uint64_t more = 0;
        std::uint64_t accesses = 0;  ///< but for those that its way still holds
    };
    /// A way of the nearest level, with all that a simple hit needs to know of the block in it.
    struct Way {
        std::uint32_t id = BlockIds::kNone;  ///< of the block; none until it is first hit or filled
        std::uint32_t region = kMixed;       ///< the block's
        std::uint64_t hits = 0;              ///< simple ones, since the block is there
    };

    std::size_t takeHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits);
    template <class AnyShadow>
    std::size_t takePlainHits(std::span<const PackedAccess> accesses, std::span<const std::uint32_t> hits,
                              AnyShadow& shadow);
    void takeOddHit(const PackedAccess& access, std::uint32_t slot);
    std::size_t regionOfHit(Way& way, const PackedAccess& access);
    void letIn(const Event& fill);
    Event hitAt(const PackedAccess& access, std::uint32_t slot, std::uint32_t place) const;
    const Event* takeAccess(const PackedAccess& access, std::uint32_t place, std::uint64_t tick, const Event* e,
                            const Event* end);
    const Event* takePlainAccess(const PackedAccess& access, std::uint32_t place, std::uint64_t tick, const Event* e,
                                 const Event* end);
    void takePlainHit(const Event& e);
    void takePlainMiss(const Event& e, const Blame& blame, std::uint32_t block, std::uint64_t tick);
    void takeOddMiss(const Event& e, Blame blame, std::uint64_t tick);
    void takePlainEviction(const Event& e, std::uint32_t culprit, std::uint64_t tick);
    std::uint32_t regionOfVictim(const Event& e) const;
    void takeMiss(const Event& e, const Blame& blame, std::uint32_t block, MissKind kind);
    void takeEviction(const Event& e, const Blame& blame, std::uint64_t tick);
    void entry(const Event& e, const Blame& blame, std::uint64_t tick);
    void settle();
    MissKind kindOf(const Event& e, const Blame& blame);
    std::uint32_t placeOf(BlockAddress block);
    Block& blockAt(BlockAddress block) { return blocks_[placeOf(block)]; }
    Blame blameFor(ByteAddress address, SiteId site, std::uint64_t tick) const;
    std::uint32_t soleRegionOf(BlockAddress block) const;
    BlockIds& blockIds() { return classifier_ ? classifier_->nearestBlocks() : blockIds_; }
    const BlockIds& blockIds() const { return classifier_ ? classifier_->nearestBlocks() : blockIds_; }

    const MachineConfig& machine_;
    const Trace& trace_;
    bool hasObjects_;
    bool isSimple_;                   ///< one CPU and no objects: simple hits can be taken many at once
    unsigned blockShift_;             ///< from an address to the nearest level's block
    std::vector<std::size_t> first_;  ///< of each level: its first cache
    std::optional<Classifier> classifier_;
    const std::vector<MissKindList>* told_ = nullptr;
    std::vector<std::uint64_t> toldSoFar_;
    std::vector<MissKindList> kinds_;  ///< by level
    Ledger ledger_;                    ///< without the cycles of a first look, which every access has
    BlockIds blockIds_;                ///< of the nearest level's blocks, where there is no classifier
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> soleRegions_;  ///< by block, or kMixed
    std::vector<Way> ways_;                   ///< of the nearest level; only for simple hits
    std::vector<std::uint32_t> blockMisses_;  ///< by block, by level
    std::vector<IndexEntry> entries_;
    std::vector<Classifier::Resolved> turned_;
    PairCounts regionPairs_;
    PairCounts objectPairs_;
    std::vector<Overview::Share> shares_;  ///< by level
    Cycles more_ = 0;                      ///< cycles beyond the first looks, of all accesses
    std::uint64_t accesses_ = 0;           ///< but for simple hits
    /// Accesses that do nothing but hit in the nearest level.
    std::uint64_t simpleHits_ = 0;
    /// By region and by site, twice each: neighbouring accesses add to different ones, so that they need not wait for
    /// each other. See hitsOf.
    std::vector<std::uint64_t> regionHits_;
    std::vector<std::uint64_t> siteHits_;
};

}  // namespace whorl::sim
