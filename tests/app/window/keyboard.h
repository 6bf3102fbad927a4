// A keyboard for tests: the events that a window reports when keys are pressed.
#pragma once

#include "app/window/keys.h"

namespace whorl::app::test {

inline InputEvent down(Key key, Modifiers modifiers = {}) {
    return {.kind = InputEvent::Kind::keyDown, .key = key, .modifiers = modifiers};
}
inline InputEvent up(Key key, Modifiers modifiers = {}) {
    return {.kind = InputEvent::Kind::keyUp, .key = key, .modifiers = modifiers};
}
inline InputEvent text(char32_t character) {
    return {.kind = InputEvent::Kind::text, .text = character};
}
inline InputEvent blur() {
    return {.kind = InputEvent::Kind::blur};
}
inline InputEvent press(int button = 0) {
    return {.kind = InputEvent::Kind::buttonDown, .button = button};
}
inline InputEvent release(int button = 0) {
    return {.kind = InputEvent::Kind::buttonUp, .button = button};
}
inline InputEvent move(float x, float y) {
    return {.kind = InputEvent::Kind::mouseMove, .x = x, .y = y};
}
inline InputEvent wheel(float notches) {
    return {.kind = InputEvent::Kind::wheel, .y = notches};
}

inline constexpr Modifiers kNone{};
inline constexpr Modifiers kCtrl{.ctrl = true};
inline constexpr Modifiers kShift{.shift = true};
inline constexpr Modifiers kAlt{.alt = true};
inline constexpr Modifiers kCtrlShift{.ctrl = true, .shift = true};

}  // namespace whorl::app::test
