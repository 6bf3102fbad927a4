// Commands for the views of cells: what a cell is and shows, and which part of them is seen. Each names its view, as
// two panes may differ.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

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
    static constexpr auto kForm = sceneForm("cell-bytes", "the memory of a cell, a power of two; 0: a block of L1",
                                            argument("view", &CellBytes::view), argument("bytes", &CellBytes::bytes));
};
void apply(Session& session, const CellBytes& command);

struct CellColumns {
    ViewId view;
    std::uint32_t columns = 0;
    static constexpr auto kForm =
        sceneForm("cell-columns", "the cells of a row, a power of two; 0: fitting",
                  argument("view", &CellColumns::view), argument("columns", &CellColumns::columns));
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
                                            argument("x", &CellZoom::x), argument("y", &CellZoom::y));
};
void apply(Session& session, const CellZoom& command);

struct CellFit {
    ViewId view;
    static constexpr auto kForm = sceneForm("cell-fit", "show all cells", argument("view", &CellFit::view));
};
void apply(Session& session, const CellFit& command);

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
    static constexpr auto kForm =
        sceneForm("view-range-off", "a view follows the chosen range again", argument("view", &ViewRangeOff::view));
};
void apply(Session& session, const ViewRangeOff& command);

using CellCommands =
    CommandList<CellMetric, CellBytes, CellColumns, CellGroups, CellCurve, CellOrder, CellLogarithmic, HalfLife,
                ConflictLines, CellBoundary, Interleaved, CellZoom, CellFit, ViewRange, ViewRangeOff>;

}  // namespace command
}  // namespace whorl::app
