// Who is where: what each place of the rings holds, and which homes are empty because their block is cached. Follows
// the caches from moment to moment by comparing them with how it last saw them, so that what it holds depends on the
// caches alone and costs little when little has changed.
#pragma once

#include <cstdint>
#include <vector>

#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "sim/cache/hierarchy.h"

namespace whorl::scene {

/// What the glyph of a block shows beside its place.
struct Look {
    enum Flag : std::uint8_t {
        valid = 1,
        ghost = 2,  ///< a copy: a nearer cache holds the block, or a part of it
        dirty = 4,
        prefetched = 8,
    };
    sim::BlockAddress block;
    std::uint16_t region = 0;
    std::uint8_t flags = 0;

    bool has(Flag flag) const { return (flags & flag) != 0; }
    bool operator==(const Look&) const = default;
};

class Occupancy {
  public:
    /// Of the caches that the layout shows. All three must outlive it.
    Occupancy(const Subject& subject, const RingLayout& layout);

    /// Takes over how the caches stand.
    void follow(const sim::Hierarchy& caches);

    /// Of a place in a level's ring, by LevelRing::index.
    const Look& look(std::size_t level, std::size_t slot) const { return looks_[level][slot]; }
    /// Whether a cache that is shown holds the block, or a part of it.
    bool isAway(std::uint32_t slot) const { return away_[slot] != 0; }
    Look lookOf(const SetAt& set, const sim::Line& line) const;

    /// How many places show what.
    struct Tally {
        std::size_t places = 0;
        std::size_t held = 0;
        std::size_t ghosts = 0;
        std::size_t dirty = 0;
        std::size_t prefetched = 0;
    };
    const Tally& tally() const { return tally_; }

    /// What the last `follow` found changed.
    const std::vector<SetAt>& changedSets() const { return sets_; }
    const std::vector<std::uint32_t>& changedSlots() const { return memorySlots_; }

  private:
    struct Moved {
        SetAt set;
        sim::BlockAddress block;
    };

    const sim::Cache& cache(std::size_t level, std::uint32_t index) const { return caches_->cache(level, index); }
    void findMoved(const SetAt& at, sim::Cache& seen);
    void mark(const SetAt& set);
    void settle(const Moved& moved);
    void write(const SetAt& set);
    void put(Look& at, const Look& look);
    bool isHeldNearer(std::size_t level, std::uint32_t index, sim::ByteAddress address) const;
    bool isHeldIn(std::size_t level, std::uint32_t index, sim::ByteAddress from, std::uint64_t size) const;
    bool isCached(sim::ByteAddress address) const;
    /// The place of a set in a row of all sets of a level's caches that are shown.
    std::size_t row(const SetAt& set) const {
        return std::size_t{layout_.shownAs(set.level, set.cache)} * layout_.levels[set.level].sets() + set.set.value;
    }

    const Subject& subject_;
    const RingLayout& layout_;
    const sim::Hierarchy* caches_ = nullptr;
    std::vector<std::vector<sim::Cache>> seen_;         ///< by level, those shown: as they stood
    std::vector<std::vector<Look>> looks_;              ///< by level and slot
    std::vector<std::uint8_t> away_;                    ///< by home
    std::vector<std::vector<std::uint32_t>> markedAt_;  ///< by level and row: when it was marked last
    std::uint32_t now_ = 0;
    Tally tally_;
    std::vector<Moved> moved_;
    std::vector<SetAt> sets_;
    std::vector<std::uint32_t> memorySlots_;
};

}  // namespace whorl::scene
