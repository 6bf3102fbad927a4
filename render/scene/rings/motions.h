// The moves at a moment, and how far they are: derived from the events of the last few accesses, without any state of
// earlier frames. Ages are in moves: an access that began at tick i has, at time t, the age (t - i) / moveTicks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/scene/easing.h"
#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// A block in a cache; its address counts blocks of that level's size.
struct BlockAt {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::BlockAddress block;
    bool operator==(const BlockAt&) const = default;
};
struct BlockAtHash {
    std::size_t operator()(const BlockAt& b) const {
        return b.block.value * 0x9E3779B97F4A7C15u + b.level * std::uint64_t{64} + b.cache;
    }
};

/// A block on its way from one place to another.
struct Flight {
    enum class Kind : std::uint8_t {
        entering,   ///< to the nearest level, straight
        leaving,    ///< outward, turning
        vanishing,  ///< fades where it was: a copy that is dropped while a nearer level keeps the block, or a clean
                    ///< block that is invalidated
    };
    Kind kind = Kind::entering;
    std::uint8_t level = 0;    ///< entering: the level that it enters; else the one that it leaves
    std::uint8_t cache = 0;    ///< cache in that level
    std::uint8_t byCpu = 0;    ///< CPU whose access caused the flight
    sim::ByteAddress address;  ///< the first byte of the block at that level
    std::size_t step = 0;      ///< index into Snapshot::recent
    double age = 0;            ///< 0 to 1; in moves, or where it leaves or vanishes, in kLeavingMoves
    bool dirty = false;
    bool taken = false;                ///< invalidated by another CPU's write
    std::optional<BlockAt> from;       ///< entering: the level that served it; none: memory
    std::optional<BlockAt> to;         ///< leaving: the level that keeps a copy; none: memory
    std::optional<std::size_t> after;  ///< the flight of the same block that it cut short
    bool cutShort = false;             ///< a later flight of the block cut this one short
};

/// With about this many moves per frame, flows replace the single trails and pulses.
inline constexpr double kMaxMoves = 200;
/// In time-lapse the picture shows the way of every block since the last frame, or flows, when there are too many
/// moves, or too many accesses to show each for several frames. From one to the other it goes gradually: how strong the
/// flows are, 0 to 1; the trails and pulses are the rest.
float flowShare(const sim::Snapshot& snapshot, const View& view);

class Motions {
  public:
    Motions(const sim::Snapshot& snapshot, const Subject& subject, const RingLayout& layout, const View& view);

    const std::vector<Flight>& flights() const { return flights_; }
    /// Where glyph `part` of a flight is now, relative to the centre; or where it is after a share of its way.
    glm::vec2 point(const Flight& flight, std::uint32_t part = 0) const {
        return point(flight, part, eased(flight.age));
    }
    glm::vec2 point(const Flight& flight, std::uint32_t part, float share) const;

    /// The sets in which blocks move or light up, each once, by level, cache and set. In all others everything rests.
    const std::vector<SetAt>& movingSets() const { return movingSets_; }
    /// The rank at which a line is drawn, as a fraction while the block moves along its arm.
    float rank(const BlockAt& at, std::uint32_t way, const sim::Line& line) const;
    /// The last access to a block.
    struct Use {
        double age = 0;  ///< age of the pulse, see lightAge
        sim::ByteAddress first;
        sim::ByteAddress last;
        bool touches(sim::ByteAddress from, std::uint64_t size) const {
            return from <= last && first.value < from.value + size;
        }
    };
    /// The last access that a copy of a block served as the nearest one; null if it is long ago.
    const Use* used(const BlockAt& at) const;
    /// The age of the flash of a block's last miss in the nearest level; none if that is long ago.
    std::optional<double> missed(const BlockAt& at) const;
    /// The flight that brings a block into a nearest cache, or back to an outer one; null when there is none.
    const Flight* entering(const BlockAt& at) const;
    const Flight* arriving(const BlockAt& at) const;
    /// How far a copy in an outer level, filled while the block goes inward, has faded in: 0 to 1.
    float appeared(const BlockAt& at) const;

    /// Whether the cache held the block just after a step.
    bool heldAfter(const BlockAt& at, std::size_t step) const;
    /// The destination of a block that left: the nearest outer cache that held it just after the step; none: memory.
    std::optional<BlockAt> nextHolder(const BlockAt& left, std::size_t step) const;

    /// The block of an outer level that holds the first byte of a block.
    BlockAt outward(const BlockAt& from, std::size_t level) const;
    sim::ByteAddress addressOf(const BlockAt& b) const { return cache(b).addressOf(b.block); }
    sim::SetIndex setOf(const BlockAt& b) const { return cache(b).setOf(b.block); }
    SetAt setAt(const BlockAt& b) const { return {b.level, b.cache, setOf(b)}; }

    /// The age of a step, in moves. In time-lapse every move is over: a block between two places for one frame would
    /// flicker.
    double age(std::size_t step) const;
    /// Blocks that took the places of others, and these victims, while the flash of the miss lasts.
    struct Tie {
        std::size_t step = 0;  ///< index into Snapshot::recent
        BlockAt newcomer;
        BlockAt victim;       ///< where it was: in the newcomer's set
        bool isCopy = false;  ///< the victim was the copy of a block that a nearer level keeps: it goes nowhere
        double age = 0;       ///< age of the miss's flash, see lightAge
    };
    const std::vector<Tie>& ties() const { return ties_; }
    /// Data that was written back or through to an outer level or to memory, while its light lasts.
    struct Writeback {
        std::size_t step = 0;       ///< index into Snapshot::recent
        sim::ByteAddress address;   ///< the first byte of what was written
        std::uint64_t bytes = 0;    ///< number of bytes written
        std::optional<BlockAt> to;  ///< destination; none: memory
        double age = 0;             ///< age of the light, see lightAge
        /// Where a write-through began: it is on its way until `moved` is 1. None for a write-back.
        std::optional<glm::vec2> from = {};
        double moved = 1;
    };
    const std::vector<Writeback>& writebacks() const { return writebacks_; }
    /// Where the CPU of a step is drawn; in the middle if it is not.
    glm::vec2 cpuPoint(std::size_t step) const;
    /// Where glyph `part` of a tie's victim is now: on its way, or where it went.
    glm::vec2 victimPoint(const Tie& tie, std::uint32_t part = 0) const;
    /// Whether blocks of a step still move.
    bool moves(std::size_t step) const { return age(step) < kLeavingMoves; }
    /// Whether the picture shows all accesses since the last frame at once.
    bool isLapse() const { return lapses_; }
    /// Accesses per frame of a time-lapse; 0 without time-lapse, or if there are too many to show each.
    double lapse() const { return lapse_; }

    /// The age that flashes and pulses have: in time-lapse, what happened since the last frame begins to be lit, and
    /// goes on for some frames.
    double lightAge(std::size_t step) const;
    /// Where a byte is drawn when its block has a rank in a cache.
    glm::vec2 linePoint(const BlockAt& at, float rank, sim::ByteAddress byte) const;
    /// Where a byte is drawn in memory; at 12 o'clock if the ring does not show it.
    glm::vec2 slotPoint(sim::ByteAddress byte) const;
    /// Where a byte is drawn now in a cache; in memory if the cache does not hold it.
    glm::vec2 pointNow(const BlockAt& at, sim::ByteAddress byte) const;
    /// Where a byte is drawn in a cache that held its block at a step: now, or when that stay ended.
    glm::vec2 stayPoint(const BlockAt& at, std::size_t step, sim::ByteAddress byte) const;
    bool shows(const BlockAt& at) const { return layout_.shows(at.level, at.cache); }

  private:
    /// The end of a block's stay in a cache.
    struct Stay {
        std::size_t step = 0;
        float rank = 0;
        float slide = 0;  ///< how many ranks the block was away from `rank` when it left
    };
    struct Change {
        std::size_t step = 0;
        bool came = false;
    };

    const sim::Cache& cache(const BlockAt& at) const { return snapshot_.cache(at.level, at.cache); }
    void takeReorderings(std::size_t step);
    void takeEvents(std::size_t step);
    void takeUses(std::size_t step);
    void tieVictims(std::size_t step);
    void takeWritebacks(std::size_t step);
    void addEntering(std::size_t step, const sim::Event& fill, std::size_t servedBy);
    void addLeaving(std::size_t step, const sim::Event& e);
    void launch(Flight flight);
    void markMoving(const SetAt& set);
    bool heldNearer(const BlockAt& at, std::size_t step) const;

    const sim::Snapshot& snapshot_;
    const Subject& subject_;
    const RingLayout& layout_;
    double moveTicks_;
    bool lapses_;
    double lapse_;  ///< see lapse()
    std::size_t levels_;

    std::vector<SetAt> movingSets_;
    std::unordered_map<BlockAt, float, BlockAtHash> slide_;
    std::unordered_map<BlockAt, std::vector<Stay>, BlockAtHash> ended_;
    std::unordered_map<BlockAt, std::vector<Change>, BlockAtHash> changes_;
    std::unordered_map<BlockAt, Use, BlockAtHash> used_;
    std::unordered_map<BlockAt, double, BlockAtHash> appeared_;
    std::unordered_map<BlockAt, double, BlockAtHash> missed_;
    std::vector<Flight> flights_;
    std::vector<Tie> ties_;
    std::vector<Writeback> writebacks_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> entering_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> arriving_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> carrier_;  ///< by nearest cache and first byte: see launch
};

}  // namespace whorl::scene
