// Where everything lies that does not move: the rings of a machine around the CPU, with the memory of a trace as the
// outermost, for a picture of some size. A pure function of the machine, the trace and the parts of the view that
// suits() compares; made once and used for every frame.
//
// Places are relative to the centre of the rings, in pixels at zoom 1.
#pragma once

#include <algorithm>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "render/scene/rings/level_ring.h"
#include "render/scene/rings/memory_ring.h"
#include "render/scene/rings/subject.h"
#include "render/scene/rings/view.h"
#include "sim/cache/cache.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// The share that a ring claims of the room between the CPU and the names, in any unit of length.
struct RingRoom {
    float weight = 1;   ///< the area of the ring is in proportion to it
    float least = 0;    ///< least breadth
    float breadth = 0;  ///< if not 0: fixed breadth, whatever the weight
};

/// The outer radii of rings around one another, the first of which begins at `inner`, with gaps of `channel` between
/// them, so that the last ends at `whole`.
std::vector<float> outerRadii(std::vector<RingRoom> rings, float inner, float channel, float whole);

/// A set of one of the machine's caches.
struct SetAt {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::SetIndex set;
    bool operator==(const SetAt&) const = default;
};

class RingLayout {
  public:
    RingLayout(const Subject& subject, const View& view);

    /// How many pixels of a picture of this size stand for one of a picture 720 pixels high; at least 1.
    static float detailOf(glm::vec2 size);

    /// The height of the largest text in a picture of this size: limits text scales so that text stays in proportion.
    static float mostText(glm::vec2 size);

    /// The least width of a line: a pixel or, on the stage, two pixels of a picture 1080 high.
    static float leastLine(const View& view);
    /// The width of a line that is this share of the unit, if that is not too thin.
    float lineWidth(float share) const { return std::max(share * unit, leastLine_); }

    /// Whether this is the layout of a view too.
    bool suits(const View& view) const;
    /// The lens of a view that this layout suits.
    Lens lensOf(const View& view) const { return {size, view.focus * unit, view.zoom}; }

    glm::vec2 size{0};
    float unit = 0;          ///< half of the smaller side; radii in the picture are shares of it
    float detail = 1;        ///< pixels for each of a picture 720 pixels high
    float text = 16;         ///< the height of the picture's text, pixels
    float core = 0;          ///< the radius of the CPU's disc, or of the ring of several CPUs'
    float names = 0;         ///< the radius of the circle along which the names of regions are written
    float channel = 0;       ///< distance between a level and the next ring, wide enough for the level's name
    std::uint32_t cpus = 1;  ///< those shown
    std::uint32_t idle = 0;  ///< those left out, as they make no access in the trace
    std::vector<LevelRing> levels;
    std::vector<float> radii;  ///< radii of glyphs, by level, at zoom 1, pixels
    /// By level: factor by which cells are larger than necessary, so that few blocks in a large cache stay visible.
    std::vector<float> coarseness;
    /// By level: whether the ring is slim, as the trace can use so little of the level (--rings content).
    std::vector<bool> isSlim;
    MemoryRing memory;
    float memoryRadius = 1;
    std::uint32_t elementSize = 0;  ///< bytes a glyph, where blocks have several; else 0

    /// Whether a cache of the machine is shown, as which of its ring, and the other way round.
    bool shows(std::size_t level, std::uint32_t cache) const { return shownAs(level, cache) < levels[level].caches(); }
    std::uint32_t shownAs(std::size_t level, std::uint32_t cache) const { return indexOf(shownCaches_[level], cache); }
    std::uint32_t cacheShown(std::size_t level, std::uint32_t index) const { return shownCaches_[level][index]; }
    /// One beyond the last cache of a level that is shown; between them there may be some that are not.
    std::uint32_t endOfShown(std::size_t level) const { return shownCaches_[level].back() + 1; }
    /// Whether a CPU is shown, as which of those shown, and the other way round.
    bool showsCpu(std::uint32_t cpu) const { return cpuShownAs(cpu) < cpus; }
    std::uint32_t cpuShownAs(std::uint32_t cpu) const { return indexOf(shownCpus_, cpu); }
    std::uint32_t cpuShown(std::uint32_t index) const { return shownCpus_[index]; }

    /// By level: in time-lapse its sets are too small to follow how blocks age along them, and blocks stay in the
    /// places of their ways. (By rank, small sets would change at almost every access, and the picture would flicker.)
    std::vector<bool> isByWay;
    /// The rank at which a line is drawn, the `way`-th of its set.
    std::uint16_t drawnRank(std::size_t level, std::uint32_t way, const sim::Line& line) const {
        return isByWay[level] ? static_cast<std::uint16_t>(way) : line.rank;
    }
    /// The place of a rank in a set.
    glm::vec2 linePlace(const SetAt& set, float rank, std::uint32_t part = 0) const {
        return levels[set.level].place(shownAs(set.level, set.cache), set.set.value, rank, part);
    }
    /// Which glyph of its block a byte belongs to, at a level or (levels.size()) in memory.
    std::uint32_t partOf(std::size_t level, sim::ByteAddress byte) const {
        return elementSize == 0 ? 0 : static_cast<std::uint32_t>(byte.value % blockSizes[level] / elementSize);
    }
    std::vector<std::uint64_t> blockSizes;  ///< bytes, by level, then of the memory slots

    /// The angle of the middle of a CPU's sector of the nearest level, which turns from its inner to its outer edge;
    /// the CPU is an index among those shown.
    float cpuAngle(std::uint32_t index, float r) const;
    /// Where a CPU is drawn, and how large.
    glm::vec2 cpuPlace(std::uint32_t index) const;
    float cpuRadius() const;

    /// The least room of a place in the memory ring, pixels of a picture 720 high: slots with less share one.
    static constexpr float kMemoryRoom = 3.0f;

  private:
    static std::uint32_t indexOf(const std::vector<std::uint32_t>& ascending, std::uint32_t number) {
        const auto found = std::lower_bound(ascending.begin(), ascending.end(), number);
        const bool isThere = found != ascending.end() && *found == number;
        return isThere ? static_cast<std::uint32_t>(found - ascending.begin()) : ~std::uint32_t{0};
    }
    void chooseShown(const Subject& subject);
    std::vector<float> sharesOf(const sim::MachineConfig& machine, std::size_t level) const;
    void layRings(const Subject& subject);
    std::vector<RingRoom> roomsOf(const Subject& subject) const;
    void chooseRadii();
    bool fits() const;

    std::vector<std::uint32_t> shownCpus_;                 ///< ascending
    std::vector<std::vector<std::uint32_t>> shownCaches_;  ///< by level, ascending
    std::vector<std::uint32_t> sectorOf_;  ///< by CPU shown: its cache of the nearest level among those shown
    std::vector<float> inSector_;          ///< by CPU shown: where it is in that sector, 0 to 1

    // The parts of the view for which the layout was made.
    Grain grain_;
    RingSizes rings_;
    Growth growth_;
    float textScale_;
    bool stage_;
    float leastLine_;
    bool lapses_;
    std::optional<std::uint32_t> cpu_;
};

}  // namespace whorl::scene
