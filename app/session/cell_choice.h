// Settings of a view of cells: what a cell is, what it shows, which part of the picture is seen. Plain data, one for
// each view (ViewId), so that two panes of memory can differ.
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>

#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_metric.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/base/types.h"

namespace whorl::app {

/// The part of the cells that is seen. Without one chosen by hand, everything is, as large as fits.
struct CellSight {
    scene::CellScale scale;
    glm::ivec2 scroll{0};  ///< the pixel of the content in the upper left corner
    bool operator==(const CellSight&) const = default;
};

/// Spacing of the boundaries in memory: the size of one way of L1, of one way of L2, or of a page.
enum class CellEdge : std::uint8_t { l1, l2, pages };

/// In which order groups of memory follow one another.
enum class CellOrder : std::uint8_t {
    address,
    penalty,  ///< the highest total miss penalty first
    misses,   ///< the most misses of the nearest level first
    caused,   ///< first those whose accesses caused the most misses in one chosen group
};

struct CellChoice {
    std::optional<scene::CellQuantity> quantity;  ///< none: the usual of the display
    std::uint64_t cell = 0;                       ///< bytes; 0: a block of the nearest level
    std::uint32_t columns = 0;                    ///< cells per row; 0: automatic
    scene::MemoryGroups groups = scene::MemoryGroups::regions;
    std::uint64_t piece = 4096;  ///< bytes per group, for groups of pieces
    scene::MemoryCurve curve = scene::MemoryCurve::linear;
    CellOrder order = CellOrder::address;
    sim::ByteAddress victim;  ///< for the order by misses caused: an address in the group that suffers
    bool logarithmic = false;
    double halfLife = 200;                      ///< half-life of the glow, in accesses
    std::optional<std::uint8_t> conflictLevel;  ///< level for the conflict lines; none: no lines
    bool boundaries = true;                     ///< draw a boundary at each multiple of the size of an L1 way
    bool boundaries2 = false;                   ///< draw a boundary at each multiple of the size of an L2 way
    bool pages = false;                         ///< draw page boundaries
    bool interleaved = false;                   ///< caches: the ways of a set side by side
    float interleavedShare = 0;                 ///< progress of the animation to `interleaved`, 0 to 1
    std::optional<sim::Range> range;            ///< pinned: the view shows this, whatever range is chosen
    std::optional<CellSight> sight;             ///< chosen by hand
    /// Requested by a key, carried out by the tile, which knows the picture's size: steps of zoom, and panning as
    /// shares of the picture.
    int wantedZoom = 0;
    glm::vec2 wantedPan{0};

    static constexpr double kMinHalfLife = 1;
    static constexpr double kMaxHalfLife = 100'000;
    bool operator==(const CellChoice&) const = default;
};

}  // namespace whorl::app
