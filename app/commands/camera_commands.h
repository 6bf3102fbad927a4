// Commands that choose the visible part of a picture. Those bound to keys apply to the active view: the rings, or a
// picture in space.
#pragma once

#include "app/session/command.h"

namespace whorl::app {

namespace command {

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
