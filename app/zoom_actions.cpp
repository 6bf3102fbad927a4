// The actions that choose which part of the rings is seen.
#include <sstream>

#include "app/actions.h"

namespace whorl::app {

namespace {

constexpr float kStep = 1.5f;   ///< of a key
constexpr float kShare = 0.5f;  ///< of the picture's half that a key moves by

glm::vec2 pointIn(const std::string& words) {
    glm::vec2 point{0};
    std::istringstream(words) >> point.x >> point.y;
    return point;
}

Action pan(std::string_view id, std::string_view words, std::string_view key, glm::vec2 by) {
    return {id, "Zoom", words, {key}, [by](Session& s, const Command&) { s.camera.pan(by); }};
}

}  // namespace

std::vector<Action> zoomActions() {
    return {
        {"zoom-in",
         "Zoom",
         "nearer, or farther away",
         {"+", "="},
         [](Session& s, const Command&) {
             s.camera.zoomAt(kStep, {0, 0});
         }},
        {"zoom-out",
         "Zoom",
         "… away",
         {"-"},
         [](Session& s, const Command&) {
             s.camera.zoomAt(1 / kStep, {0, 0});
         }},
        {"zoom-reset", "Zoom", "all of it", {"0"}, [](Session& s, const Command&) { s.camera.glideTo({}); }},
        pan("pan-left", "look to the left, right, up, down", "Shift+Left", {-kShare, 0}),
        pan("pan-right", "… right", "Shift+Right", {kShare, 0}),
        pan("pan-up", "… up", "Shift+Up", {0, -kShare}),
        pan("pan-down", "… down", "Shift+Down", {0, kShare}),
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
