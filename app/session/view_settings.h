// Which views are shown, and the settings of the views of cells and histories: the part of the session for Chiron's
// views. Plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/arrangement.h"
#include "app/session/selection.h"
#include "app/session/view_id.h"
#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_metric.h"
#include "render/scene/cells/collision_scene.h"
#include "render/scene/cells/memory_cells.h"
#include "render/scene/cells/phase_scene.h"
#include "render/scene/space/block_scene.h"
#include "render/scene/space/folded_graph.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/place.h"
#include "sim/base/types.h"

namespace whorl::app {

// Settings of a view of cells: what a cell is, what it shows, which part of the picture is seen. Each view (ViewId) has
// its own, so that two panes of memory can differ.

/// The part of the cells that is seen. Without one chosen by hand, everything is, as large as fits.
struct CellSight {
    scene::CellScale scale;
    glm::ivec2 scroll{0};  ///< the pixel of the content in the upper left corner
    bool operator==(const CellSight&) const = default;
};

/// What keys have asked of the active view, carried out by the tile, which knows the picture's size.
struct WantedSight {
    int zoom = 0;      ///< steps
    glm::vec2 pan{0};  ///< shares of the picture
    bool all = false;  ///< the whole picture
    bool operator==(const WantedSight&) const = default;
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

    static constexpr double kMinHalfLife = 1;
    static constexpr double kMaxHalfLife = 100'000;
    bool operator==(const CellChoice&) const = default;
};

/// What a folded graph shows of its nodes.
enum class NodeMetric : std::uint8_t {
    none,    ///< all nodes alike
    cycles,  ///< that CPUs waited for blocks
    accesses,
    misses,         ///< of the accesses to a node, in a level
    invalidations,  ///< of blocks in the caches of other CPUs of a level, by the accesses to a node
};
/// A metric, and the level that it is about, if it is about one.
struct NodeQuantity {
    NodeMetric metric = NodeMetric::none;
    std::uint8_t level = 0;
    auto operator<=>(const NodeQuantity&) const = default;
};

/// Settings of a folded graph in any view.
struct GraphChoice {
    scene::NodeOrder order = scene::NodeOrder::cost;
    NodeQuantity heightBy{NodeMetric::cycles};
    NodeQuantity colourBy;  ///< none: one colour, or those of classes
    float height = 1;
    bool operator==(const GraphChoice&) const = default;
};

/// Settings of a BlockView.
struct BlockChoice {
    scene::BlockOrder order = scene::BlockOrder::cost;
    scene::BlockLook::Draw draw = scene::BlockLook::Draw::automatic;
    scene::BlockLook::Others others = scene::BlockLook::Others::lines;
    scene::BlockLook::Colour colour = scene::BlockLook::Colour::cpu;
    bool coherence = true;
    bool replacement = true;
    bool other = true;
    std::uint64_t cpus = ~std::uint64_t{0};  ///< CPUs with visible planes: one bit per CPU
    bool highlightedOnly = false;            ///< only blocks that go with the picks have rows
    std::optional<scene::RowSpan> rows;      ///< none: all are shown
    bool solid = false;                      ///< seen from aside, with depth, rather than face on
    float depth = 0;                         ///< progress of the animation to `solid`, 0 to 1
    bool operator==(const BlockChoice&) const = default;
};

/// A view of a history.
struct HistoryChoice {
    std::optional<sim::Place> place;  ///< kept; none: follows what is picked
    std::optional<sim::Range> range;  ///< pinned, as that of other views
    bool operator==(const HistoryChoice&) const = default;
};

struct PhaseChoice {
    std::uint64_t rowLength = 0;  ///< accesses; 0: fitting
    std::uint8_t level = 0;
    scene::PhaseShows shows = scene::PhaseShows::missRate;
    bool operator==(const PhaseChoice&) const = default;
};

/// A camera, and whether the user has moved it; otherwise it shows everything.
struct Sight {
    scene::SpaceCamera camera;
    bool byHand = false;
    bool operator==(const Sight&) const = default;
};

struct ViewSettings {
    std::vector<ViewId> shown{ViewId{}};  ///< never empty
    ViewId active;
    WantedSight wanted;         ///< of the active view
    std::vector<ViewId> aside;  ///< restored when a single view is no longer shown alone
    /// May have views that are not shown, which come back to their places, and lack others: see withViews().
    Arrangement arrangement;

    std::map<ViewId, Sight> sights;      ///< cameras of pictures in space, as last shown
    std::optional<glm::vec2> direction;  ///< azimuth and elevation if not moved by hand; none: the view's default
    std::optional<float> perspective;    ///< if not changed by hand; none: the view's default
    bool lensWanted = false;             ///< the time of the lens is to be shown; a BlockView knows it
    bool compares = true;                ///< each view is shown for all open runs
    bool commonScale = true;             ///< … on one scale; else each run has its own
    bool path = false;                   ///< the critical path is lit
    bool recorded = true;                ///< a trace with recorded events is shown as recorded
    std::optional<bool> words;           ///< the ObjectView shows words; none: see wordsFit
    bool wordsFit = false;               ///< there are few objects, so that words are more informative
    GraphChoice sources;
    GraphChoice objects;
    BlockChoice blocks;                       ///< settings of BlockViews that have none of their own
    std::map<ViewId, BlockChoice> ownBlocks;  ///< by view, without the run
    std::optional<scene::Interval> lens;      ///< lens of all BlockViews, in cycles

    bool classColours = false;
    std::set<std::string> classes;            ///< those that are coloured; empty: all
    std::map<std::string, scene::Rgba> hues;  ///< colours chosen by the user

    std::optional<SourcePick> source;
    std::optional<ObjectPick> object;
    std::optional<StayPick> stay;
    bool sourceIsNewer = false;

    std::map<ViewId, CellChoice> cells;         ///< by view, without the run; missing: the default
    std::map<ViewId, HistoryChoice> histories;  ///< by view, without the run; missing: the default
    std::map<ViewId, std::string> arrays;       ///< by view, without the run: the name of the region; missing: any
    PhaseChoice phases;
    std::optional<sim::Place> place;  ///< the cell that was picked last, if nothing else has been since

    std::uint8_t collisionLevel = 0;
    sim::CollisionsOf collisionsOf = sim::CollisionsOf::region;
    bool collisionsPicked = false;                     ///< only those of what is picked
    std::optional<scene::MatrixSight> collisionSight;  ///< chosen by hand; none: the most frequent that have room

    const CellChoice& cellsOf(const ViewId& view) const;
    /// The settings of the active folded graph; if the active view is none, those of SourceViews.
    const GraphChoice& activeGraph() const { return active.kind == ViewId::Kind::objects ? objects : sources; }
    /// Changes the settings of the active folded graph; if the active view is none, those of all.
    void changeGraphs(const std::function<void(GraphChoice&)>& change);
    const BlockChoice& blocksOf(const ViewId& view) const;
    /// Changes the settings of the active BlockView; if the active view is none, those of all.
    void changeBlocks(const std::function<void(BlockChoice&)>& change);
    /// The settings of one BlockView, which become its own.
    BlockChoice& ownBlocksOf(const ViewId& view);
    /// Resets the cameras of BlockViews from where they were moved by hand to where their settings put them.
    void putBlockCameras();
    /// Whether cells move to another arrangement, or a BlockView is turned.
    bool moving() const;
    bool shows(const ViewId& view) const;
    /// Whether any view of that kind is shown.
    bool showsKind(ViewId::Kind kind) const;
    /// Whether a class has a colour of its own, where classes have colours.
    bool colours(const std::string& className) const { return classes.empty() || classes.contains(className); }
    /// Whether any shown view needs the run's history.
    bool needsHistory() const;
    void toggle(const ViewId& view);
    /// The views that are shown, or will be when one is no longer shown alone, as a tree; `size`: of the canvas,
    /// `together`: the runs beside each other.
    TileTree tiles(glm::ivec2 size, int together = 1) const;
    /// The arrangement in words, for files and layouts.
    Tiling tiling(glm::ivec2 size) const;
    /// Shows those of its views that are wanted; nothing happens if none of them is.
    void take(const Tiling& tiling, const std::function<bool(const ViewId&)>& isWanted);
    /// Shows only the active view, or all views again.
    void toggleAlone();
    void clearPicks();
    /// Moves picks of addresses into another layout of memory; there is no stay as the picked one there.
    void movePicks(const std::function<sim::ByteAddress(sim::ByteAddress)>& moved);
    /// Moves the picks to what has the same name in another trace; clears picks without a counterpart.
    void carryPicks(const sim::Trace& trace, const sim::Trace& other);
    /// Clears what refers to places and times of a trace. Called when another trace is opened.
    void leaveTrace();
    /// Adapts to a machine: views of levels that it lacks are removed, and picks of cells of caches.
    void keepLevels(const sim::MachineConfig& machine);
    bool hasPicks() const { return source || object || stay || place; }

    bool operator==(const ViewSettings&) const = default;
};

}  // namespace whorl::app
