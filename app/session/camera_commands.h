// Commands that choose which part of a picture is seen. Those of keys work on the active view: the rings, or a picture
// in space.
#pragma once

#include <vector>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct ZoomIn {
    static constexpr auto kForm = form("zoom-in", "zoom in");
};
void apply(Session& session, const ZoomIn&);

struct ZoomOut {
    static constexpr auto kForm = form("zoom-out", "zoom out");
};
void apply(Session& session, const ZoomOut&);

struct ZoomReset {
    static constexpr auto kForm = form("zoom-reset", "show the whole picture");
};
void apply(Session& session, const ZoomReset&);

/// Shares of half the picture, to the right and down.
struct Pan {
    glm::vec2 by{0};
    static constexpr auto kForm = form("pan", "pan the picture", argument("right down", &Pan::by));
};
void apply(Session& session, const Pan& command);

/// Eighths of a half turn, to the right and down; of a picture in space only.
struct Turn {
    glm::vec2 by{0};
    static constexpr auto kForm = form("turn", "turn a picture in space", argument("right down", &Turn::by));
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
        form("perspective", "from orthographic (0) to perspective (1)", argument("share", &Perspective::share));
};
void apply(Session& session, const Perspective& command);

/// Where a picture in space is looked at from; the same view of every run has one camera.
struct Camera {
    ViewId view;
    bool byHand = false;  ///< a person has moved it; else it shows all
    scene::SpaceCamera camera;
    static constexpr auto kForm = form("camera", "set the camera of a picture in space",
                                       argument("view", &Camera::view), argument("by-hand", &Camera::byHand),
                                       argument("x y z azimuth elevation span perspective", &Camera::camera));
};
void apply(Session& session, const Camera& command);

/// Lengths of the rings: shares of half the picture's smaller side, from its middle.
struct ZoomAt {
    float factor = 1;
    glm::vec2 at{0};
    static constexpr auto kForm = form("zoom-at", "zoom by a factor at a point of the rings",
                                       argument("factor", &ZoomAt::factor), argument("x y", &ZoomAt::at));
};
void apply(Session& session, const ZoomAt& command);

struct Drag {
    glm::vec2 by{0};
    static constexpr auto kForm = form("drag", "pan the rings with the mouse", argument("x y", &Drag::by));
};
void apply(Session& session, const Drag& command);

struct LookAt {
    glm::vec2 place{0};
    static constexpr auto kForm = form("look-at", "centre the rings on a point", argument("x y", &LookAt::place));
};
void apply(Session& session, const LookAt& command);

using CameraCommands =
    CommandList<ZoomIn, ZoomOut, ZoomReset, Pan, Turn, Face, Perspective, Camera, ZoomAt, Drag, LookAt>;
std::vector<CommandType> typesOf(CameraCommands);

}  // namespace command
}  // namespace whorl::app
