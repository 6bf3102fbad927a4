// What is in motion at a moment, and how far: worked out from the events of the last few accesses, with no memory of
// earlier frames. Ages are in moves: an access that began at tick i has, at time t, the age (t - i) / moveTicks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/scene/rings/motion.h"
#include "render/scene/rings/ring_layout.h"
#include "render/scene/rings/subject.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot.h"

namespace whorl::scene {

/// A block in a cache: the level's own block address.
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
        vanishing,  ///< it fades where it was: a copy that is given up while a nearer level keeps the block, or a block
                    ///< that is taken away and had nothing new to bring home
    };
    Kind kind = Kind::entering;
    std::uint8_t level = 0;    ///< entering: the level it goes to; else the level it leaves
    std::uint8_t cache = 0;    ///< of that level
    std::uint8_t byCpu = 0;    ///< whose access did it
    sim::ByteAddress address;  ///< the first byte of the block at that level
    std::size_t step = 0;      ///< index into Snapshot::recent
    double age = 0;
    bool dirty = false;
    bool taken = false;                ///< another CPU's write took it away
    std::optional<BlockAt> from;       ///< entering: the level that served it; none: memory
    std::optional<BlockAt> to;         ///< leaving: the level that keeps a copy; none: memory
    std::optional<std::size_t> after;  ///< the flight that it cut short
    bool cutShort = false;
};

/// More moves since the last frame than this are drawn as flows.
inline constexpr std::uint64_t kMostMoves = 200;
/// Whether the picture shows the way of every block since the last frame, or, when they are too many, flows.
bool isTimeLapse(const sim::Snapshot& snapshot, const View& view);
bool isFlow(const sim::Snapshot& snapshot, const View& view);

class Motions {
  public:
    Motions(const sim::Snapshot& snapshot, const Subject& subject, const RingLayout& layout, const View& view);

    const std::vector<Flight>& flights() const { return flights_; }
    /// Where a glyph of a flight is, relative to the centre; how far it is on its way is told by its age.
    glm::vec2 point(const Flight& flight, std::uint32_t part = 0) const {
        return point(flight, part, eased(flight.age));
    }
    glm::vec2 point(const Flight& flight, std::uint32_t part, float share) const;

    /// The sets that were touched lately, each once, in the order of level, cache and set: no block in any other moves.
    const std::vector<SetAt>& movingSets() const { return movingSets_; }
    /// The place in the order of eviction, as a fraction while it slides.
    float rank(const BlockAt& at, const sim::Line& line) const;
    /// An access to a block.
    struct Use {
        double age = 0;  ///< of its light, see lightAge
        sim::ByteAddress first;
        sim::ByteAddress last;
        bool touches(sim::ByteAddress from, std::uint64_t size) const {
            return from <= last && first.value < from.value + size;
        }
    };
    /// The last use of a block, of which a copy may be elsewhere; null when it is long ago.
    const Use* used(const BlockAt& at) const;
    /// The age of the light of its last miss in the nearest level; none when it is long ago.
    std::optional<double> missed(const BlockAt& at) const;
    /// The flight that brings a block to a nearest level, or that brings a block back to an outer one.
    const Flight* entering(const BlockAt& at) const;
    const Flight* arriving(const BlockAt& at) const;
    /// How far a copy in an outer level, filled on a block's way inward, has appeared: 0 to 1.
    float appeared(const BlockAt& at) const;

    /// True when, just after the step, the cache held the block.
    bool heldAfter(const BlockAt& at, std::size_t step) const;
    /// The cache beyond one that holds its block just after the step; none: memory has it.
    std::optional<BlockAt> refuge(const BlockAt& left, std::size_t step) const;

    /// The block at another level, on the way to memory, that holds the first byte of one.
    BlockAt outward(const BlockAt& from, std::size_t level) const;
    sim::ByteAddress addressOf(const BlockAt& b) const { return cache(b).addressOf(b.block); }
    sim::SetIndex setOf(const BlockAt& b) const { return cache(b).setOf(b.block); }
    SetAt setAt(const BlockAt& b) const { return {b.level, b.cache, setOf(b)}; }

    double age(std::size_t step) const;
    /// The age of flashes and pulses: in time-lapse all that happened since the last frame is lit.
    double lightAge(std::size_t step) const;
    /// Where a byte is when its block is in a place of a cache.
    glm::vec2 linePoint(const BlockAt& at, float rank, sim::ByteAddress byte) const;
    /// Where a byte is in memory; at 12 o'clock if the ring does not show it.
    glm::vec2 slotPoint(sim::ByteAddress byte) const;
    /// Where a byte stands now in a cache that holds it; else at home.
    glm::vec2 pointNow(const BlockAt& at, sim::ByteAddress byte) const;
    bool shows(const BlockAt& at) const { return layout_.shows(at.level, at.cache); }

  private:
    struct Stay {  ///< a stay that ended
        std::size_t step = 0;
        float rank = 0;
        float slide = 0;  ///< what was left of its slide
    };
    struct Change {
        std::size_t step = 0;
        bool came = false;
    };

    const sim::Cache& cache(const BlockAt& at) const { return snapshot_.cache(at.level, at.cache); }
    void takeReorderings(std::size_t step);
    void takeEvents(std::size_t step);
    void takeUses(std::size_t step);
    void addEntering(std::size_t step, const sim::Event& fill, std::size_t servedBy);
    void addLeaving(std::size_t step, const sim::Event& e);
    void launch(Flight flight);
    void liven(const SetAt& set);
    bool heldNearer(const BlockAt& at, std::size_t step) const;
    glm::vec2 stayPoint(const BlockAt& at, std::size_t step, sim::ByteAddress byte) const;

    const sim::Snapshot& snapshot_;
    const Subject& subject_;
    const RingLayout& layout_;
    double moveTicks_;
    double lapse_;  ///< accesses that are lit because they are new in this frame, or 0
    std::size_t levels_;

    std::vector<SetAt> movingSets_;
    std::unordered_map<BlockAt, float, BlockAtHash> slide_;
    std::unordered_map<BlockAt, std::vector<Stay>, BlockAtHash> ended_;
    std::unordered_map<BlockAt, std::vector<Change>, BlockAtHash> changes_;
    std::unordered_map<BlockAt, Use, BlockAtHash> used_;
    std::unordered_map<BlockAt, double, BlockAtHash> appeared_;
    std::unordered_map<BlockAt, double, BlockAtHash> missed_;
    std::vector<Flight> flights_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> entering_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> arriving_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> carrier_;  ///< by nearest cache and first byte: see launch
};

}  // namespace whorl::scene
