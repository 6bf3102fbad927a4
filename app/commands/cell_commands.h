// Commands about cells of memory and of caches: what the views of cells show, which cell is picked, its history, the
// stretch of time that is seen, the phases, and panes of views.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"
#include "sim/analysis/object_life.h"

namespace whorl::app {

/// The place for a view of histories: the place that the view keeps, else what is picked; none if nothing is picked.
std::optional<sim::Place> placeOf(const RunContext& context, const ViewId& history);

/// The place of what is picked, whatever picked it: a cell, else the memory of a stay, an object or a word, else the
/// block that is selected. None if that is no memory, or a whole region.
std::optional<sim::Place> pickedPlace(const RunContext& context);

/// The region of the open trace that a view of an array shows: the one chosen for it, else the first array; nothing if
/// the trace has none.
std::optional<std::size_t> arrayOf(const RunContext& context, const ViewId& view);

/// The memory and range for a view of a life: the place that the view keeps, else the last pick among a cell of memory,
/// a stay of a block, an object, region or word, and a selected block; in the chosen range. None if nothing is picked.
std::optional<sim::LifeSubject> lifeOf(const RunContext& context, const ViewId& life);

/// What the shown views of cells and arrays show, as texts of commands.
std::vector<std::string> cellsAsCommands(const Session& session);

namespace command {

/// Picks a cell of memory; its first block is selected everywhere.
struct PickMemory {
    sim::ByteAddress address;
    std::uint64_t bytes = 1;
    static constexpr auto kForm =
        sceneForm("pick-memory", "pick a cell of memory", argument("address", &PickMemory::address),
                  argument("bytes", &PickMemory::bytes))
            .picking();
};
void apply(Session& session, const PickMemory& command);

/// Picks a cell of a cache.
struct PickWay {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::SetIndex set;
    sim::WayIndex way;
    static constexpr auto kForm =
        sceneForm("pick-way", "pick a cell of a cache", argument("level", &PickWay::level),
                  argument("cache", &PickWay::cache), argument("set", &PickWay::set), argument("way", &PickWay::way))
            .picking();
};
void apply(Session& session, const PickWay& command);

/// Shows the history of what is picked, if it is not shown.
struct HistoryShow {
    static constexpr auto kForm = sceneForm("history-show", "show the history of what is picked").picking();
};
void apply(Session& session, const HistoryShow&);

/// Shows the life of what is picked, if it is not shown.
struct LifeShow {
    static constexpr auto kForm =
        sceneForm("life-show", "show the life of what is picked: who touched it, and its moves").picking();
};
void apply(Session& session, const LifeShow&);

/// Keeps a history, or a life, at the place that it shows, or lets it follow the pick again.
struct HistoryKeep {
    ViewId view;
    Switch on;
    static constexpr auto kForm =
        sceneForm("history-keep", "keep a history or a life at its place, or let it follow the pick",
                  argument("view", &HistoryKeep::view), argument("on", &HistoryKeep::on));
};
void apply(Session& session, const HistoryKeep& command);

/// The stretch of time that all pictures over time show.
struct TimeSeen {
    Position from;
    Position to;
    static constexpr auto kForm = sceneForm("time-seen", "show a stretch of time", argument("from", &TimeSeen::from),
                                            argument("to", &TimeSeen::to))
                                      .joining();
};
void apply(Session& session, const TimeSeen& command);

struct TimeAll {
    static constexpr auto kForm = sceneForm("time-all", "show all of the time");
};
void apply(Session& session, const TimeAll&);

struct PhaseRow {
    std::uint64_t accesses = 0;
    static constexpr auto kForm =
        sceneForm("phase-row", "accesses in a row of phases; 0: what fits", argument("accesses", &PhaseRow::accesses))
            .joining();
};
void apply(Session& session, const PhaseRow& command);

struct PhaseLevel {
    std::uint8_t level = 0;
    static constexpr auto kForm =
        sceneForm("phase-level", "the phases of a level", argument("level", &PhaseLevel::level));
};
void apply(Session& session, const PhaseLevel& command);

/// Adds a view of the same kind with the same settings beside one; pinned to the chosen range if `pinned` is on.
struct PaneAdd {
    ViewId view;
    Switch pinned;
    static constexpr auto kForm = sceneForm("pane-add", "add a second view of a kind", argument("view", &PaneAdd::view),
                                            argument("pinned", &PaneAdd::pinned));
};
void apply(Session& session, const PaneAdd& command);

/// Without a region, or with one that is no array: the first array.
struct ArrayOf {
    ViewId view;
    std::string region;
    static constexpr auto kForm = sceneForm("array-of", "the array that a view shows in rows and columns",
                                            argument("view", &ArrayOf::view), argument("region", &ArrayOf::region));
};
void apply(Session& session, const ArrayOf& command);

using PlaceCommands = CommandList<PickMemory, PickWay, HistoryShow, LifeShow, HistoryKeep, TimeSeen, TimeAll, PhaseRow,
                                  PhaseLevel, PaneAdd, ArrayOf>;

// Commands for the views of cells: what a cell is and shows, and which part of them is seen. Each names its view, as
// two panes may differ.

struct CellMetric {
    ViewId view;
    scene::CellMetric metric = scene::CellMetric::misses;
    std::optional<std::uint8_t> level;
    static constexpr auto kForm =
        sceneForm("cell-metric", "what the cells of a view show", argument("view", &CellMetric::view),
                  argument("metric", &CellMetric::metric), argument("level", &CellMetric::level));
};
void apply(Session& session, const CellMetric& command);

struct CellBytes {
    ViewId view;
    std::uint64_t bytes = 0;
    static constexpr auto kForm = sceneForm("cell-bytes", "bytes of memory in a cell, a power of two; 0: a block of L1",
                                            argument("view", &CellBytes::view), argument("bytes", &CellBytes::bytes));
};
void apply(Session& session, const CellBytes& command);

struct CellColumns {
    ViewId view;
    std::uint32_t columns = 0;
    static constexpr auto kForm =
        sceneForm("cell-columns", "cells in a row, a power of two; 0: what fits", argument("view", &CellColumns::view),
                  argument("columns", &CellColumns::columns));
};
void apply(Session& session, const CellColumns& command);

/// `piece`: bytes of an aligned piece.
struct CellGroups {
    ViewId view;
    scene::MemoryGroups groups = scene::MemoryGroups::regions;
    std::optional<std::uint64_t> piece;
    static constexpr auto kForm = sceneForm(
        "cell-groups", "memory by regions, by address, or in aligned pieces", argument("view", &CellGroups::view),
        argument("groups", &CellGroups::groups), argument("bytes", &CellGroups::piece));
};
void apply(Session& session, const CellGroups& command);

struct CellCurve {
    ViewId view;
    std::optional<scene::MemoryCurve> curve;
    static constexpr auto kForm = sceneForm("cell-curve", "memory row by row, or along a Hilbert curve",
                                            argument("view", &CellCurve::view), argument("curve", &CellCurve::curve));
};
void apply(Session& session, const CellCurve& command);

/// For `caused`: in the group that holds the address, else the selected block.
struct CellOrder {
    ViewId view;
    app::CellOrder order = app::CellOrder::address;
    std::optional<sim::ByteAddress> victim;
    static constexpr auto kForm = sceneForm(
        "cell-order", "groups of memory by address, penalty, misses, or the misses that they caused in one group",
        argument("view", &CellOrder::view), argument("order", &CellOrder::order),
        argument("victim", &CellOrder::victim));
};
void apply(Session& session, const CellOrder& command);

struct CellLogarithmic {
    ViewId view;
    Switch on;
    static constexpr auto kForm =
        sceneForm("cell-logarithmic", "a logarithmic scale of colours", argument("view", &CellLogarithmic::view),
                  argument("on", &CellLogarithmic::on));
};
void apply(Session& session, const CellLogarithmic& command);

struct HalfLife {
    ViewId view;
    double accesses = 200;
    static constexpr auto kForm =
        sceneForm("half-life", "the half-life of the glow, in accesses", argument("view", &HalfLife::view),
                  argument("accesses", &HalfLife::accesses));
};
void apply(Session& session, const HalfLife& command);

/// Without a level: none.
struct ConflictLines {
    ViewId view;
    std::optional<std::uint8_t> level;
    static constexpr auto kForm =
        sceneForm("conflict-lines", "lines of conflict in a level, or none", argument("view", &ConflictLines::view),
                  argument("level", &ConflictLines::level));
};
void apply(Session& session, const ConflictLines& command);

struct CellBoundary {
    ViewId view;
    CellEdge edge = CellEdge::l1;
    Switch on;
    static constexpr auto kForm = sceneForm("cell-boundary", "boundaries of one way of L1, one way of L2, or pages",
                                            argument("view", &CellBoundary::view), argument("of", &CellBoundary::edge),
                                            argument("on", &CellBoundary::on));
};
void apply(Session& session, const CellBoundary& command);

struct Interleaved {
    ViewId view;
    Switch on;
    static constexpr auto kForm = sceneForm("interleaved", "the ways of a cache interleaved, or in parallel",
                                            argument("view", &Interleaved::view), argument("on", &Interleaved::on));
};
void apply(Session& session, const Interleaved& command);

/// Shows a part of the cells: pixels a cell (or 2^fold × 2^fold cells a pixel), and the upper left corner.
struct CellZoom {
    ViewId view;
    int pixels = 1;
    int fold = 0;
    int x = 0;
    int y = 0;
    static constexpr auto kForm = sceneForm("cell-zoom", "show a part of the cells", argument("view", &CellZoom::view),
                                            argument("pixels", &CellZoom::pixels), argument("fold", &CellZoom::fold),
                                            argument("x", &CellZoom::x), argument("y", &CellZoom::y))
                                      .joining();
};
void apply(Session& session, const CellZoom& command);

struct CellFit {
    ViewId view;
    static constexpr auto kForm = sceneForm("cell-fit", "show all cells", argument("view", &CellFit::view));
};
void apply(Session& session, const CellFit& command);

/// Shows a part of the matrix of collisions: pixels a row, and the first column and row, which may have a fraction.
struct CollisionsZoom {
    float cell = 1;
    glm::vec2 first{0};
    static constexpr auto kForm =
        sceneForm("collisions-zoom", "show a part of the collisions", argument("pixels", &CollisionsZoom::cell),
                  argument("column row", &CollisionsZoom::first))
            .joining();
};
void apply(Session& session, const CollisionsZoom& command);

struct CollisionsFit {
    static constexpr auto kForm = sceneForm("collisions-fit", "show the most frequent collisions that have room");
};
void apply(Session& session, const CollisionsFit&);

/// Pins a view to accesses [from, to), whatever range is chosen.
struct ViewRange {
    ViewId view;
    Position from;
    Position to;
    static constexpr auto kForm =
        sceneForm("view-range", "pin a view to a range of its own", argument("view", &ViewRange::view),
                  argument("from", &ViewRange::from), argument("to", &ViewRange::to));
};
void apply(Session& session, const ViewRange& command);

struct ViewRangeOff {
    ViewId view;
    static constexpr auto kForm = sceneForm("view-range-off", "let a view follow the selected range again",
                                            argument("view", &ViewRangeOff::view));
};
void apply(Session& session, const ViewRangeOff& command);

using CellCommands = CommandList<CellMetric, CellBytes, CellColumns, CellGroups, CellCurve, CellOrder, CellLogarithmic,
                                 HalfLife, ConflictLines, CellBoundary, Interleaved, CellZoom, CellFit, CollisionsZoom,
                                 CollisionsFit, ViewRange, ViewRangeOff>;

}  // namespace command

}  // namespace whorl::app
