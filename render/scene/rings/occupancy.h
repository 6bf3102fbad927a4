// The contents of each place of the rings: the block in each way of each cache that is shown, and which memory slots
// are cached. (Who does what in a frame: resting_glyphs.h.)
//
// It follows the caches from one moment to the next by comparing them with a copy of how they stood at the last. So
// what it holds depends on the caches alone, whatever was drawn before, and a frame costs what has changed: whether a
// block is a copy of one in a nearer cache, and whether a memory slot is cached, take look-ups in other caches, too
// slow to be done for every block of a large machine in every frame.
#pragma once

#include <cstdint>
#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "sim/cache/hierarchy.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// The contents of a place, as far as the picture shows them.
struct SlotState {
    enum Flag : std::uint8_t {
        valid = 1,  ///< there is a block
        ghost = 2,  ///< a copy: a nearer cache holds the block, or a part of it
        dirty = 4,
        prefetched = 8,  ///< and not yet accessed
    };
    sim::BlockAddress block;
    std::uint16_t region = 0;  ///< index into Trace::regions(), or their number for none
    std::uint8_t flags = 0;
    std::uint8_t used = kUseNotShown;  ///< the share of its bytes used, of kWholeUse
    static constexpr std::uint8_t kUseNotShown = 255;

    bool has(Flag flag) const { return (flags & flag) != 0; }
    bool operator==(const SlotState&) const = default;
};

class Occupancy {
  public:
    /// Shows the caches of the layout, all empty. Subject and layout must outlive the object.
    Occupancy(const Subject& subject, const RingLayout& layout);

    /// Takes over the state of the caches, and the used shares of their blocks unless `used` is empty. Both arguments
    /// must stay valid while stateOf() is called.
    void follow(const sim::Hierarchy& caches, const sim::UseShares& used);

    /// The contents of a place in a level's ring; `slot` is an index from LevelRing::index.
    const SlotState& state(std::size_t level, std::size_t slot) const { return states_[level][slot]; }
    /// The current contents of a line of a set.
    SlotState stateOf(const SetAt& set, const sim::Line& line) const;
    /// Whether a cache that is shown holds the block of a memory slot, or a part of it.
    bool isCached(std::uint32_t slot) const { return cached_[slot] != 0; }

    /// Numbers of ways in the shown caches: all of them, and by what they hold.
    struct Tally {
        std::size_t places = 0;
        std::size_t held = 0;
        std::size_t ghosts = 0;
        std::size_t dirty = 0;
        std::size_t prefetched = 0;
        std::size_t partlyUsed = 0;
    };
    const Tally& tally() const { return tally_; }

    /// Where the last `follow` may have changed what is held, each once, in no particular order.
    const std::vector<SetAt>& changedSets() const { return changedSets_; }
    const std::vector<std::uint32_t>& changedSlots() const { return changedSlots_; }

  private:
    /// A block that came into a set or left it.
    struct Moved {
        SetAt set;
        sim::BlockAddress block;
    };

    const sim::Cache& cache(std::size_t level, std::uint32_t index) const { return caches_->cache(level, index); }
    void compareSet(const SetAt& at, sim::Cache& before);
    void compareUse();
    std::uint8_t usedOf(const SetAt& set, std::uint32_t way) const;
    void markChanged(const SetAt& set);
    void updateDependents(const Moved& moved);
    void update(const SetAt& set);
    void put(SlotState& at, const SlotState& state);
    bool isHeldNearer(std::size_t level, std::uint32_t index, sim::ByteAddress address) const;
    bool isHeldIn(std::size_t level, std::uint32_t index, sim::ByteAddress from, std::uint64_t size) const;
    bool isHeldAnywhere(sim::ByteAddress address) const;
    /// The place of a set in a row of all sets of a level's caches that are shown.
    std::size_t row(const SetAt& set) const {
        return std::size_t{layout_.shownAs(set.level, set.cache)} * layout_.levels[set.level].sets() + set.set.value;
    }

    const Subject& subject_;
    const RingLayout& layout_;
    const sim::Hierarchy* caches_ = nullptr;
    const sim::UseShares* used_ = nullptr;
    sim::UseShares usedBefore_;                         ///< the shares at the last `follow`
    std::vector<std::vector<sim::Cache>> before_;       ///< the shown caches, by level, at the last `follow`
    std::vector<std::vector<SlotState>> states_;        ///< by level and slot
    std::vector<SlotState> drawn_;                      ///< states of a set, by rank, while the set is updated
    std::vector<std::uint8_t> cached_;                  ///< by memory slot
    std::vector<std::vector<std::uint32_t>> markedAt_;  ///< by level and row: the last `follow` that marked it
    std::uint32_t follows_ = 0;                         ///< number of calls of `follow`
    Tally tally_;
    std::vector<Moved> moved_;
    std::vector<SetAt> changedSets_;
    std::vector<std::uint32_t> changedSlots_;
};

}  // namespace whorl::scene
