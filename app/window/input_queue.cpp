#include "app/window/input_queue.h"

#include <cmath>

namespace whorl::app {
namespace {

using InputKind = InputEvent::Kind;

/// Editing keys of a text field, which handles the characters of a frame first and these keys afterwards.
bool editsText(Key key) {
    switch (key) {
        case Key::left:
        case Key::right:
        case Key::up:
        case Key::down:
        case Key::home:
        case Key::end:
        case Key::pageUp:
        case Key::pageDown:
        case Key::insert:
        case Key::del:
        case Key::backspace:
        case Key::enter:
        case Key::escape:
        case Key::tab:
            return true;
        default:
            return false;
    }
}

}  // namespace

void InputQueue::push(const InputEvent& event) {
    const bool isMove = event.kind == InputKind::mouseMove;
    if (isMove && !waiting_.empty() && waiting_.back().kind == InputKind::mouseMove) waiting_.pop_back();
    waiting_.push_back(event);
}

std::vector<InputEvent> InputQueue::takeFrame() {
    std::vector<InputEvent> taken;
    Frame frame;
    while (!waiting_.empty() && fits(waiting_.front(), frame)) {
        note(waiting_.front(), frame);
        taken.push_back(waiting_.front());
        waiting_.pop_front();
    }
    return taken;
}

bool InputQueue::fits(const InputEvent& event, const Frame& frame) const {
    if (frame.blurred) return false;
    switch (event.kind) {
        case InputKind::keyDown:
        case InputKind::keyUp:
            return keyFits(event, frame);
        // A preceding click or key may have moved the keyboard focus to or from a text field.
        case InputKind::text:
            return frame.buttons == 0 && !frame.edited;
        case InputKind::mouseMove:
        case InputKind::mouseLeave:
            return moveFits(event, frame);
        // A press needs its position hovered in the previous frame; a release ends a drag where the pointer was then.
        case InputKind::buttonDown:
        case InputKind::buttonUp:
            return !frame.moved && !frame.keyed && !frame.typed && (frame.buttons & 1u << event.button) == 0;
        case InputKind::wheel:
        case InputKind::focus:
            return true;
        case InputKind::blur:
            return !frame.acted() && !frame.moved && frame.keys.none();  // it releases all keys and buttons
    }
    return true;
}

bool InputQueue::keyFits(const InputEvent& event, const Frame& frame) const {
    if (frame.buttons != 0) return false;
    if (event.modifiers != modifiers_ && frame.acted()) return false;
    const bool turns = (event.kind == InputKind::keyDown) != down_.test(std::size_t(event.key));
    if (event.key != Key::unknown && turns && frame.keys.test(std::size_t(event.key))) return false;
    return event.kind == InputKind::keyUp || !frame.typed || !editsText(event.key);
}

bool InputQueue::moveFits(const InputEvent& event, const Frame& frame) const {
    if (frame.buttons != 0) return false;
    // The wheel scrolls what is under the pointer. A trembling hand must not limit it to one notch per frame.
    constexpr float kTremble = 8;
    const bool isFar = event.kind == InputKind::mouseLeave || std::hypot(event.x - x_, event.y - y_) > kTremble;
    return !frame.wheeled || !isFar;
}

void InputQueue::note(const InputEvent& event, Frame& frame) {
    switch (event.kind) {
        case InputKind::keyDown:
        case InputKind::keyUp: {
            const bool isDown = event.kind == InputKind::keyDown;
            // A modifier alone does not count: Ctrl and Shift may go down in the same frame as a following C.
            if (!isModifier(event.key) && down_.test(std::size_t(event.key)) != isDown) {
                frame.keys.set(std::size_t(event.key));
            }
            frame.keyed |= isDown && !isModifier(event.key);
            frame.edited |= isDown && editsText(event.key);
            down_.set(std::size_t(event.key), isDown);
            modifiers_ = event.modifiers;
            break;
        }
        case InputKind::text:
            frame.typed = true;
            break;
        case InputKind::mouseMove:
            x_ = event.x;
            y_ = event.y;
            frame.moved = true;
            break;
        case InputKind::mouseLeave:
            frame.moved = true;
            break;
        case InputKind::buttonDown:
        case InputKind::buttonUp:
            frame.buttons |= 1u << event.button;
            break;
        case InputKind::wheel:
            frame.wheeled = true;
            break;
        case InputKind::focus:
            break;
        case InputKind::blur:
            frame.blurred = true;
            down_.reset();
            modifiers_ = {};
            break;
    }
}

}  // namespace whorl::app
