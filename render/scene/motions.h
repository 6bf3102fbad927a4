// What is in motion at a moment, and how far: worked out from the events of the last few accesses, with no memory of
// earlier frames. Ages are in moves: an access that began at tick i has, at time t, the age (t - i) / moveTicks.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "render/scene/ring_layout.h"
#include "sim/machine/machine_config.h"
#include "sim/run/moment.h"

namespace whorl::scene {

/// A block at a level: the level's own block address.
struct BlockAt {
    std::uint8_t level = 0;
    sim::BlockAddress block;
    bool operator==(const BlockAt&) const = default;
};
struct BlockAtHash {
    std::size_t operator()(const BlockAt& b) const { return b.block.value * 0x9E3779B97F4A7C15u + b.level; }
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
    sim::ByteAddress address;  ///< the first byte of the block at that level
    std::size_t step = 0;      ///< index into Moment::recent
    double age = 0;
    bool dirty = false;
    bool taken = false;                ///< vanishing: another CPU's write, or a farther level, took it away
    std::optional<BlockAt> from;       ///< entering: the level that served it; none: memory
    std::optional<BlockAt> to;         ///< leaving: the level that keeps a copy; none: memory
    std::optional<std::size_t> after;  ///< the flight that it cut short
    bool cutShort = false;
};

/// Follows the events of an access and tells from where a block comes to the nearest level.
class Origin {
  public:
    explicit Origin(std::size_t levels) : levels_(levels) {}

    /// Takes the next event; true when it is the CPU's own request coming to a level.
    bool take(const sim::Event& e) {
        if (e.kind == sim::EventKind::prefetch && e.level == 0) {
            prefetching_ = true;
            prefetched_ = levels_;
        }
        if (prefetching_ && e.kind == sim::EventKind::hit && !e.demand && !e.write) prefetched_ = e.level;
        return path_.take(e);
    }
    /// Asked at a fill of the nearest level: the level that served it; the number of levels if it was memory.
    std::size_t servedBy() { return std::exchange(prefetching_, false) ? prefetched_ : path_.servedBy(); }

  private:
    std::size_t levels_;
    sim::RequestPath path_;
    bool prefetching_ = false;
    std::size_t prefetched_ = 0;
};

class Motions {
  public:
    Motions(const sim::Moment& moment, const sim::MachineConfig& machine, const RingLayout& layout, const Homes& homes,
            double moveTicks);

    const std::vector<Flight>& flights() const { return flights_; }
    /// Where a flight is.
    glm::vec2 point(const Flight& flight) const;

    /// True when nothing in the set was touched lately: every block in it rests.
    bool rests(std::size_t level, sim::SetIndex set) const { return lively_[level][set.value] == 0; }
    /// The place in the order of eviction, as a fraction while it slides.
    float rank(const BlockAt& at, const sim::Line& line) const;
    /// The age of the block's last use at that level; none when it is long ago.
    std::optional<double> used(const BlockAt& at) const;
    /// The age of its last miss in the nearest level; none when it is long ago.
    std::optional<double> missed(sim::BlockAddress block) const;
    /// The flight that brings a block to a nearest level, or that brings a block back to an outer one.
    const Flight* entering(const BlockAt& at) const;
    const Flight* arriving(const BlockAt& at) const;
    /// How far a copy in an outer level, filled on a block's way inward, has appeared: 0 to 1.
    float appeared(const BlockAt& at) const;

    /// True when, just after the step, the level held the block.
    bool heldAfter(const BlockAt& at, std::size_t step) const;
    /// The level beyond `level` that holds a block just after the step; none: memory has it.
    std::optional<BlockAt> refuge(std::size_t level, sim::ByteAddress address, std::size_t step) const;

    /// The block at another level that holds, or begins at, this byte.
    BlockAt at(std::size_t level, sim::ByteAddress address) const {
        return {static_cast<std::uint8_t>(level), cache(level).blockOf(address)};
    }
    sim::ByteAddress addressOf(const BlockAt& b) const { return cache(b.level).addressOf(b.block); }

    double age(std::size_t step) const;
    /// Where the home of an address is; at 12 o'clock if the ring does not show it.
    glm::vec2 homePoint(sim::ByteAddress address) const;

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

    const sim::Cache& cache(std::size_t level) const { return moment_.cache(level); }
    void takeReorderings(std::size_t step);
    void takeEvents(std::size_t step);
    void addEntering(std::size_t step, const sim::Event& fill, std::size_t servedBy);
    void addLeaving(std::size_t step, const sim::Event& e);
    void launch(Flight flight);
    bool heldNearer(std::size_t level, sim::ByteAddress address, std::size_t step) const;
    glm::vec2 stayPoint(const BlockAt& at, std::size_t step) const;

    const sim::Moment& moment_;
    const RingLayout& layout_;
    const Homes& homes_;
    double moveTicks_;
    std::size_t levels_;

    std::vector<std::vector<std::uint8_t>> lively_;  ///< by level and set
    std::unordered_map<BlockAt, float, BlockAtHash> slide_;
    std::unordered_map<BlockAt, std::vector<Stay>, BlockAtHash> ended_;
    std::unordered_map<BlockAt, std::vector<Change>, BlockAtHash> changes_;
    std::unordered_map<BlockAt, double, BlockAtHash> used_;
    std::unordered_map<BlockAt, double, BlockAtHash> appeared_;
    std::unordered_map<sim::BlockAddress, double> missed_;
    std::vector<Flight> flights_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> entering_;
    std::unordered_map<BlockAt, std::size_t, BlockAtHash> arriving_;
    std::unordered_map<sim::ByteAddress, std::size_t> carrier_;
};

}  // namespace whorl::scene
