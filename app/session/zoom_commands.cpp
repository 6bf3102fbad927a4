// The actions that choose which part of the rings is seen.
#include <algorithm>
#include <sstream>

#include "app/session/commands.h"

namespace whorl::app {

namespace {

constexpr float kStep = 1.5f;   ///< of a key
constexpr float kShare = 0.5f;  ///< of the picture's half that a key moves by

glm::vec2 pointIn(const std::string& words) {
    glm::vec2 point{0};
    std::istringstream(words) >> point.x >> point.y;
    return point;
}

/// A picture in space of which only shares of its height matter.
constexpr glm::vec2 kSquare{1, 1};

/// Of the view that a person works in, if that is a picture in space that was seen.
Sight* spaceSight(Session& s) {
    if (!s.viewSettings.active.isSpace()) return nullptr;
    const auto sight = s.viewSettings.sights.find(s.viewSettings.active.withoutRun());
    return sight == s.viewSettings.sights.end() ? nullptr : &sight->second;
}

/// The same key does the same in every view.
void zoom(Session& s, float factor) {
    Sight* sight = spaceSight(s);
    if (sight == nullptr) {
        s.camera.zoomAt(factor, {0, 0});
        return;
    }
    sight->camera.zoom(factor, kSquare / 2.0f, kSquare);
    sight->byHand = true;
}

void showAll(Session& s) {
    if (Sight* sight = spaceSight(s)) {
        sight->byHand = false;
    } else {
        s.camera.glideTo({});
    }
}

Action pan(std::string_view id, std::string_view words, std::string_view key, glm::vec2 by) {
    return {id, "Zoom", words, {key}, [by](Session& s, const Command&) {
                Sight* sight = spaceSight(s);
                if (sight == nullptr) {
                    s.camera.pan(by);
                    return;
                }
                sight->camera.pan(-by / 2.0f, kSquare);
                sight->byHand = true;
            }};
}

/// A picture in space turns by an eighth of a half turn.
Action turn(std::string_view id, std::string_view words, std::string_view key, glm::vec2 by) {
    return {id, "Zoom", words, {key}, [by](Session& s, const Command&) {
                Sight* sight = spaceSight(s);
                if (sight == nullptr) return;
                sight->camera.turn(by / 16.0f, kSquare);
                sight->byHand = true;
            }};
}

/// Straight at two axes; "face" takes the plane's number.
void face(Session& s, const Command& c) {
    Sight* sight = spaceSight(s);
    if (sight == nullptr) return;
    sight->camera.face(static_cast<scene::Plane>(std::clamp(static_cast<int>(c.number), 0, 2)));
    sight->byHand = true;
}

}  // namespace

std::vector<Action> zoomActions() {
    return {
        {"zoom-in", "Zoom", "nearer, or farther away", {"+", "="}, [](Session& s, const Command&) { zoom(s, kStep); }},
        {"zoom-out", "Zoom", "… away", {"-"}, [](Session& s, const Command&) { zoom(s, 1 / kStep); }},
        {"zoom-reset", "Zoom", "all of it", {"0"}, [](Session& s, const Command&) { showAll(s); }},
        pan("pan-left", "look to the left, right, up, down", "Shift+Left", {-kShare, 0}),
        pan("pan-right", "… right", "Shift+Right", {kShare, 0}),
        pan("pan-up", "… up", "Shift+Up", {0, -kShare}),
        pan("pan-down", "… down", "Shift+Down", {0, kShare}),
        turn("turn-left", "turn a picture in space to the left, right, up, down", "Ctrl+Left", {-1, 0}),
        turn("turn-right", "… right", "Ctrl+Right", {1, 0}),
        turn("turn-up", "… up", "Ctrl+Up", {0, -1}),
        turn("turn-down", "… down", "Ctrl+Down", {0, 1}),
        {"face", "", "look straight at two axes", {}, face},
        {"zoom-at",
         "",
         "nearer to a point of the picture by a factor",
         {},
         [](Session& s, const Command& c) { s.camera.zoomAt(static_cast<float>(c.number), pointIn(c.text)); }},
        {"drag-picture",
         "",
         "the picture goes along with the mouse",
         {},
         [](Session& s, const Command& c) { s.camera.drag(pointIn(c.text)); }},
        {"look-at",
         "",
         "a place in the middle",
         {},
         [](Session& s, const Command& c) {
             s.camera.glideTo({s.camera.target().zoom, pointIn(c.text)});
         }},
    };
}

}  // namespace whorl::app
