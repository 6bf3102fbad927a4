// Commands that choose which views the window shows, and the settings of the history views.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct View {
    ViewId view;
    static constexpr auto kForm = form("view", "show or hide a view", argument("view", &View::view));
};
void apply(Session& session, const View& command);

/// Shows one view and no other.
struct ViewOnly {
    ViewId view;
    static constexpr auto kForm = form("view-only", "show a view and no other", argument("view", &ViewOnly::view));
};
void apply(Session& session, const ViewOnly& command);

/// For per-level kinds: the views of all levels.
struct Views {
    ViewId::Kind kind = ViewId::Kind::rings;
    static constexpr auto kForm =
        form("views", "show all views of a kind, or hide them if they are all shown", argument("kind", &Views::kind));
};
void apply(Session& session, const Views& command);

struct ViewActive {
    ViewId view;
    static constexpr auto kForm = form("view-active", "make a view active", argument("view", &ViewActive::view));
};
void apply(Session& session, const ViewActive& command);

struct ViewNext {
    static constexpr auto kForm = form("view-next", "make the next view active");
};
void apply(Session& session, const ViewNext&);

struct ViewAlone {
    static constexpr auto kForm = form("view-alone", "show the active view alone, or all views");
};
void apply(Session& session, const ViewAlone&);

struct Recorded {
    Switch on;
    static constexpr auto kForm =
        form("recorded", "a trace with events of its own as it was recorded, or simulated again",
             argument("on", &Recorded::on));
};
void apply(Session& session, const Recorded& command);

struct CriticalPath {
    Switch on;
    static constexpr auto kForm = form("critical-path", "light the critical path, which determined when the run ended",
                                       argument("on", &CriticalPath::on));
};
void apply(Session& session, const CriticalPath& command);

/// For the active view.
struct Order {
    static constexpr auto kForm = form("order", "sort by cost or by address");
};
void apply(Session& session, const Order&);

struct Words {
    Switch on;
    static constexpr auto kForm = form("words", "in the ObjectView: objects, or words", argument("on", &Words::on));
};
void apply(Session& session, const Words& command);

/// Sets the default of the ObjectView; sent by a panel, which knows the number of objects.
struct WordsFit {
    bool fit = false;
    static constexpr auto kForm =
        form("words-fit", "the ObjectView shows words by itself, or objects", argument("fit", &WordsFit::fit));
};
void apply(Session& session, const WordsFit& command);

/// For the active view.
struct GraphHeight {
    float height = 1;
    static constexpr auto kForm =
        form("graph-height", "the height of a folded graph", argument("height", &GraphHeight::height));
};
void apply(Session& session, const GraphHeight& command);

struct DragMoves {
    Switch on;
    static constexpr auto kForm =
        form("drag-moves", "dragging turns or pans the picture", argument("on", &DragMoves::on));
};
void apply(Session& session, const DragMoves& command);

// Those of BlockViews are for the active one, or for all if the active view is none.

struct BlockDraw {
    std::optional<scene::BlockLook::Draw> draw;
    static constexpr auto kForm =
        form("block-draw", "BlockViews: points, lines, faces, boxes, or automatic", argument("draw", &BlockDraw::draw));
};
void apply(Session& session, const BlockDraw& command);

struct BlockColours {
    std::optional<scene::BlockLook::Colour> by;
    static constexpr auto kForm =
        form("block-colours", "BlockViews: coloured by CPU, by state, or by class", argument("by", &BlockColours::by));
};
void apply(Session& session, const BlockColours& command);

struct StaysInvalidated {
    Switch on;
    static constexpr auto kForm = form("stays-invalidated", "BlockViews: show or hide stays that ended by invalidation",
                                       argument("on", &StaysInvalidated::on));
};
void apply(Session& session, const StaysInvalidated& command);

struct StaysReplaced {
    Switch on;
    static constexpr auto kForm = form("stays-replaced", "BlockViews: show or hide stays that ended by replacement",
                                       argument("on", &StaysReplaced::on));
};
void apply(Session& session, const StaysReplaced& command);

struct StaysOther {
    Switch on;
    static constexpr auto kForm =
        form("stays-other", "BlockViews: show or hide the other stays", argument("on", &StaysOther::on));
};
void apply(Session& session, const StaysOther& command);

struct CpuPlane {
    std::uint32_t cpu = 0;
    static constexpr auto kForm =
        form("cpu-plane", "BlockViews: show or hide the lane of a CPU", argument("cpu", &CpuPlane::cpu));
};
void apply(Session& session, const CpuPlane& command);

struct CpuPlanesAll {
    static constexpr auto kForm = form("cpu-planes-all", "BlockViews: show the lanes of all CPUs");
};
void apply(Session& session, const CpuPlanesAll&);

struct LitOnly {
    Switch on;
    static constexpr auto kForm = form("lit-only", "BlockViews: only the blocks that go with what is picked, or all",
                                       argument("on", &LitOnly::on));
};
void apply(Session& session, const LitOnly& command);

struct Solid {
    Switch on;
    static constexpr auto kForm =
        form("solid", "BlockViews: seen face on, or from aside with a plane for each CPU", argument("on", &Solid::on));
};
void apply(Session& session, const Solid& command);

/// Shares of all rows, counted from the top: 0 ≤ from < to ≤ 1; ignored otherwise.
struct BlockRows {
    ViewId view;
    double from = 0;
    double to = 1;
    static constexpr auto kForm =
        form("block-rows", "show a part of the rows of a BlockView", argument("view", &BlockRows::view),
             argument("from", &BlockRows::from), argument("to", &BlockRows::to));
};
void apply(Session& session, const BlockRows& command);

struct RowsIn {
    static constexpr auto kForm = form("rows-in", "BlockViews: fewer rows, in more detail");
};
void apply(Session& session, const RowsIn&);

struct RowsOut {
    static constexpr auto kForm = form("rows-out", "BlockViews: more rows");
};
void apply(Session& session, const RowsOut&);

/// In cycles; ignored unless `from` is less than `to`.
struct Lens {
    sim::Cycles from = 0;
    sim::Cycles to = 0;
    static constexpr auto kForm = form("lens", "BlockViews: a lens over a range of time", argument("from", &Lens::from),
                                       argument("to", &Lens::to));
};
void apply(Session& session, const Lens& command);

struct LensView {
    static constexpr auto kForm = form("lens-view", "zoom all pictures over time to the lens");
};
void apply(Session& session, const LensView&);

struct LensOff {
    static constexpr auto kForm = form("lens-off", "BlockViews: no lens");
};
void apply(Session& session, const LensOff&);

struct ClassColours {
    Switch on;
    static constexpr auto kForm =
        form("class-colours", "colour objects by their classes", argument("on", &ClassColours::on));
};
void apply(Session& session, const ClassColours& command);

struct ClassColoured {
    std::string name;
    static constexpr auto kForm =
        form("class-coloured", "colour or uncolour a class", argument("class", &ClassColoured::name));
};
void apply(Session& session, const ClassColoured& command);

struct ClassColour {
    std::string name;
    scene::Rgba colour;
    static constexpr auto kForm = form("class-colour", "the colour of a class", argument("class", &ClassColour::name),
                                       argument("colour", &ClassColour::colour));
};
void apply(Session& session, const ClassColour& command);

struct CollisionsOf {
    sim::CollisionsOf things = sim::CollisionsOf::region;
    static constexpr auto kForm = form("collisions-of", "collisions among regions, objects or classes",
                                       argument("things", &CollisionsOf::things));
};
void apply(Session& session, const CollisionsOf& command);

struct CollisionsLevel {
    std::uint8_t level = 0;
    static constexpr auto kForm =
        form("collisions-level", "collisions in a level", argument("level", &CollisionsLevel::level));
};
void apply(Session& session, const CollisionsLevel& command);

using ViewCommands =
    CommandList<View, ViewOnly, Views, ViewActive, ViewNext, ViewAlone, Recorded, CriticalPath, Order, Words, WordsFit,
                GraphHeight, DragMoves, BlockDraw, BlockColours, StaysInvalidated, StaysReplaced, StaysOther, CpuPlane,
                CpuPlanesAll, LitOnly, Solid, BlockRows, RowsIn, RowsOut, Lens, LensView, LensOff, ClassColours,
                ClassColoured, ClassColour, CollisionsOf, CollisionsLevel>;
std::vector<CommandType> typesOf(ViewCommands);

}  // namespace command
}  // namespace whorl::app
