// Commands that choose which views the window shows, the settings of the history views, and the visible part of a
// picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct View {
    ViewId view;
    static constexpr auto kForm = sceneForm("view", "show or hide a view", argument("view", &View::view));
};
void apply(Session& session, const View& command);

/// Shows one view and no other.
struct ViewOnly {
    ViewId view;
    static constexpr auto kForm = sceneForm("view-only", "show a view and no other", argument("view", &ViewOnly::view));
};
void apply(Session& session, const ViewOnly& command);

/// For per-level kinds: the views of all levels.
struct Views {
    ViewId::Kind kind = ViewId::Kind::rings;
    static constexpr auto kForm = sceneForm("views", "show all views of a kind, or hide them if they are all shown",
                                            argument("kind", &Views::kind));
};
void apply(Session& session, const Views& command);

struct ViewActive {
    ViewId view;
    static constexpr auto kForm = sceneForm("view-active", "make a view active", argument("view", &ViewActive::view));
};
void apply(Session& session, const ViewActive& command);

struct ViewNext {
    static constexpr auto kForm = sceneForm("view-next", "make the next view active");
};
void apply(Session& session, const ViewNext&);

struct ViewAlone {
    static constexpr auto kForm = sceneForm("view-alone", "show the active view alone, or all views");
};
void apply(Session& session, const ViewAlone&);

/// For the active view.
struct Order {
    static constexpr auto kForm = sceneForm("order", "sort by cost or by address");
};
void apply(Session& session, const Order&);

struct Words {
    Switch on;
    static constexpr auto kForm =
        sceneForm("words", "in the ObjectView: objects, or words", argument("on", &Words::on));
};
void apply(Session& session, const Words& command);

/// Sets the default of the ObjectView; sent by a panel, which knows the number of objects.
struct WordsFit {
    bool fit = false;
    static constexpr auto kForm =
        sceneForm("words-fit", "the ObjectView shows words by itself, or objects", argument("fit", &WordsFit::fit));
};
void apply(Session& session, const WordsFit& command);

/// For the active view.
struct GraphHeight {
    float height = 1;
    static constexpr auto kForm =
        sceneForm("graph-height", "the height of a folded graph", argument("height", &GraphHeight::height)).joining();
};
void apply(Session& session, const GraphHeight& command);

// Commands for BlockViews apply to the active BlockView, or to all if the active view is not a BlockView.

struct CpuPlane {
    std::uint32_t cpu = 0;
    static constexpr auto kForm =
        sceneForm("cpu-plane", "BlockViews: show or hide the lane of a CPU", argument("cpu", &CpuPlane::cpu));
};
void apply(Session& session, const CpuPlane& command);

struct CpuPlanesAll {
    static constexpr auto kForm = sceneForm("cpu-planes-all", "BlockViews: show the lanes of all CPUs");
};
void apply(Session& session, const CpuPlanesAll&);

/// Shares of all rows, counted from the top: 0 ≤ from < to ≤ 1; ignored otherwise.
struct BlockRows {
    ViewId view;
    double from = 0;
    double to = 1;
    static constexpr auto kForm =
        sceneForm("block-rows", "show a part of the rows of a BlockView", argument("view", &BlockRows::view),
                  argument("from", &BlockRows::from), argument("to", &BlockRows::to))
            .joining();
};
void apply(Session& session, const BlockRows& command);

struct RowsIn {
    static constexpr auto kForm = sceneForm("rows-in", "BlockViews: fewer rows, in more detail").joining();
};
void apply(Session& session, const RowsIn&);

struct RowsOut {
    static constexpr auto kForm = sceneForm("rows-out", "BlockViews: more rows").joining();
};
void apply(Session& session, const RowsOut&);

/// In cycles; ignored unless `from` is less than `to`.
struct Lens {
    sim::Cycles from = 0;
    sim::Cycles to = 0;
    static constexpr auto kForm = sceneForm("lens", "BlockViews: a lens over a range of time",
                                            argument("from", &Lens::from), argument("to", &Lens::to))
                                      .joining();
};
void apply(Session& session, const Lens& command);

struct LensView {
    static constexpr auto kForm = sceneForm("lens-view", "zoom all pictures over time to the lens");
};
void apply(Session& session, const LensView&);

struct LensOff {
    static constexpr auto kForm = sceneForm("lens-off", "BlockViews: no lens");
};
void apply(Session& session, const LensOff&);

struct ClassColoured {
    std::string name;
    static constexpr auto kForm =
        sceneForm("class-coloured", "colour or uncolour a class", argument("class", &ClassColoured::name));
};
void apply(Session& session, const ClassColoured& command);

struct ClassColour {
    std::string name;
    scene::Rgba colour;
    static constexpr auto kForm =
        sceneForm("class-colour", "the colour of a class", argument("class", &ClassColour::name),
                  argument("colour", &ClassColour::colour))
            .joining();
};
void apply(Session& session, const ClassColour& command);

using ViewCommands =
    CommandList<View, ViewOnly, Views, ViewActive, ViewNext, ViewAlone, Order, Words, WordsFit, GraphHeight, CpuPlane,
                CpuPlanesAll, BlockRows, RowsIn, RowsOut, Lens, LensView, LensOff, ClassColoured, ClassColour>;

// Commands that choose the visible part of a picture. Those bound to keys apply to the active view: the rings, or a
// picture in space.

struct ZoomIn {
    static constexpr auto kForm = form("zoom-in", "zoom in").joining();
};
void apply(Session& session, const ZoomIn&);

struct ZoomOut {
    static constexpr auto kForm = form("zoom-out", "zoom out").joining();
};
void apply(Session& session, const ZoomOut&);

struct ZoomReset {
    static constexpr auto kForm = form("zoom-reset", "show the whole picture");
};
void apply(Session& session, const ZoomReset&);

/// In fractions of half the picture, to the right and down.
struct Pan {
    glm::vec2 by{0};
    static constexpr auto kForm = form("pan", "pan the picture", argument("right down", &Pan::by)).joining();
};
void apply(Session& session, const Pan& command);

/// In eighths of a half turn, to the right and down; only for pictures in space.
struct Turn {
    glm::vec2 by{0};
    static constexpr auto kForm = form("turn", "turn a picture in space", argument("right down", &Turn::by)).joining();
};
void apply(Session& session, const Turn& command);

struct Face {
    scene::Plane plane = scene::Plane::xy;
    static constexpr auto kForm = form("face", "look along an axis", argument("plane", &Face::plane));
};
void apply(Session& session, const Face& command);

struct Perspective {
    float share = 0;
    static constexpr auto kForm =
        form("perspective", "from orthographic (0) to perspective (1)", argument("share", &Perspective::share))
            .joining();
};
void apply(Session& session, const Perspective& command);

/// Sets the camera of a picture in space; the same view of all runs shares one camera.
struct Camera {
    ViewId view;
    bool byHand = false;  ///< moved by the user; otherwise the camera shows everything
    scene::SpaceCamera camera;
    static constexpr auto kForm = form("camera", "set the camera of a picture in space",
                                       argument("view", &Camera::view), argument("by-hand", &Camera::byHand),
                                       argument("x y z azimuth elevation span perspective", &Camera::camera))
                                      .joining();
};
void apply(Session& session, const Camera& command);

/// Lengths in the rings are fractions of half the picture's smaller side, measured from its centre.
struct ZoomAt {
    float factor = 1;
    glm::vec2 at{0};
    static constexpr auto kForm = form("zoom-at", "zoom by a factor at a point of the rings",
                                       argument("factor", &ZoomAt::factor), argument("x y", &ZoomAt::at))
                                      .joining();
};
void apply(Session& session, const ZoomAt& command);

struct Drag {
    glm::vec2 by{0};
    static constexpr auto kForm = form("drag", "pan the rings with the mouse", argument("x y", &Drag::by)).joining();
};
void apply(Session& session, const Drag& command);

struct LookAt {
    glm::vec2 place{0};
    static constexpr auto kForm =
        form("look-at", "centre the rings on a point", argument("x y", &LookAt::place)).joining();
};
void apply(Session& session, const LookAt& command);

using CameraCommands =
    CommandList<ZoomIn, ZoomOut, ZoomReset, Pan, Turn, Face, Perspective, Camera, ZoomAt, Drag, LookAt>;

}  // namespace command

}  // namespace whorl::app
