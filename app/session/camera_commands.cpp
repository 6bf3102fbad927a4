#include "app/session/camera_commands.h"

#include <algorithm>

namespace whorl::app {

namespace {

constexpr float kZoomStep = 1.5f;

/// Size of a picture in space, for calculations that use only fractions of its height.
constexpr glm::vec2 kSquare{1, 1};

/// The sight of the active view, if that is a picture in space that has been shown.
Sight* spaceSight(Session& session) {
    if (!session.viewSettings.active.isSpace()) return nullptr;
    const auto sight = session.viewSettings.sights.find(session.viewSettings.active.withoutRun());
    return sight == session.viewSettings.sights.end() ? nullptr : &sight->second;
}

/// The settings of the active view, if that has cells.
CellChoice* activeCells(Session& session) {
    const ViewId& active = session.viewSettings.active;
    return active.cells() ? &session.viewSettings.cells[active.withoutRun()] : nullptr;
}

void zoom(Session& session, float factor) {
    if (CellChoice* const cells = activeCells(session)) {
        cells->wantedZoom += factor > 1 ? 1 : -1;
        return;
    }
    if (Sight* sight = spaceSight(session)) {
        sight->camera.zoom(factor, kSquare / 2.0f, kSquare);
        sight->byHand = true;
    } else {
        session.camera.zoomAt(factor, {0, 0});
    }
}

}  // namespace

namespace command {

void apply(Session& session, const ZoomIn&) {
    zoom(session, kZoomStep);
}

void apply(Session& session, const ZoomOut&) {
    zoom(session, 1 / kZoomStep);
}

void apply(Session& session, const ZoomReset&) {
    if (CellChoice* const cells = activeCells(session)) {
        cells->sight.reset();
        return;
    }
    if (Sight* sight = spaceSight(session)) {
        sight->byHand = false;
    } else {
        session.camera.glideTo({});
    }
}

void apply(Session& session, const Pan& command) {
    if (CellChoice* const cells = activeCells(session)) {
        cells->wantedPan += command.by / 2.0f;
        return;
    }
    if (Sight* sight = spaceSight(session)) {
        sight->camera.pan(-command.by / 2.0f, kSquare);
        sight->byHand = true;
    } else {
        session.camera.pan(command.by);
    }
}

void apply(Session& session, const Turn& command) {
    Sight* sight = spaceSight(session);
    if (sight == nullptr) return;
    sight->camera.turn(command.by / 16.0f, kSquare);
    sight->byHand = true;
}

void apply(Session& session, const Face& command) {
    Sight* sight = spaceSight(session);
    if (sight == nullptr) return;
    sight->camera.face(command.plane);
    sight->byHand = true;
}

void apply(Session& session, const Perspective& command) {
    const auto sight = session.viewSettings.sights.find(session.viewSettings.active.withoutRun());
    if (sight == session.viewSettings.sights.end()) return;
    sight->second.camera.perspective = std::clamp(command.share, 0.0f, 1.0f);
    sight->second.byHand = true;
}

void apply(Session& session, const Camera& command) {
    session.viewSettings.sights[command.view.withoutRun()] = {command.camera, command.byHand};
}

void apply(Session& session, const ZoomAt& command) {
    session.camera.zoomAt(command.factor, command.at);
}

void apply(Session& session, const Drag& command) {
    session.camera.drag(command.by);
}

void apply(Session& session, const LookAt& command) {
    session.camera.glideTo({session.camera.target().zoom, command.place});
}

std::vector<CommandType> typesOf(CameraCommands) {
    return CameraCommands::types();
}

}  // namespace command
}  // namespace whorl::app
