#include "app/window/keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace whorl::app {

namespace {

bool isBetween(Key key, Key first, Key last) {
    return key >= first && key <= last;
}

char letterOf(Key key) {
    return isBetween(key, Key::a, Key::z) ? static_cast<char>('a' + int(key) - int(Key::a)) : '\0';
}

/// Names of keys that type no character, or whose character would be a poor name.
std::string_view wordOf(Key key) {
    static constexpr std::array kFunction{"F1", "F2",  "F3",  "F4",  "F5",  "F6",  "F7", "F8",
                                          "F9", "F10", "F11", "F12", "F13", "F14", "F15"};
    if (isBetween(key, Key::f1, Key::f15)) return kFunction[std::size_t(key) - std::size_t(Key::f1)];
    switch (key) {
        case Key::escape:
            return "Escape";
        case Key::menu:
            return "Menu";
        case Key::space:
            return "Space";
        case Key::enter:
            return "Enter";
        case Key::backspace:
            return "Backspace";
        case Key::tab:
            return "Tab";
        case Key::pageUp:
            return "PageUp";
        case Key::pageDown:
            return "PageDown";
        case Key::end:
            return "End";
        case Key::home:
            return "Home";
        case Key::insert:
            return "Insert";
        case Key::del:
            return "Delete";
        case Key::left:
            return "Left";
        case Key::right:
            return "Right";
        case Key::up:
            return "Up";
        case Key::down:
            return "Down";
        case Key::pause:
            return "Pause";
        default:
            return {};
    }
}

/// In the row above the letters.
bool isDigitOfRow(Key key) {
    return isBetween(key, Key::num0, Key::num9);
}

std::string digitOf(Key key) {
    return std::to_string(int(key) - int(Key::num0));
}

/// Whether a digit with Shift has typed what names it as well: a control character, or a sign of the American layout.
bool isOfDigit(char32_t c) {
    return c < U' ' || std::u32string_view(U"!@#$%^&*()").find(c) != std::u32string_view::npos;
}

/// With Ctrl these keys type a control character or nothing, so that only the key can name them. Other symbols keep
/// their character even with Ctrl ("Ctrl++"), and the key would be the wrong name: "+" is Shift+= in one keyboard
/// layout, a key of its own in another, and Shift+3 in a third.
std::string nameWithControl(Key key) {
    if (char letter = letterOf(key)) return {letter};
    if (isDigitOfRow(key)) return digitOf(key);
    if (isBetween(key, Key::numpad0, Key::numpad9)) return std::to_string(int(key) - int(Key::numpad0));
    switch (key) {
        case Key::leftBracket:
            return "[";
        case Key::rightBracket:
            return "]";
        case Key::slash:
            return "/";
        case Key::backslash:
            return "\\";
        case Key::tilde:
            return "`";
        default:
            return {};
    }
}

bool isAsciiLetter(char32_t c) {
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

bool isSpace(char32_t c) {
    return c == U' ' || c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F;
}

/// Greek, Cyrillic, Hebrew, Arabic and others: alphabets whose keys also carry a Latin letter.
bool isOtherAlphabet(char32_t c) {
    return c >= 0x370 && c < 0x1E00;
}

std::string utf8(char32_t c) {
    const auto byte = [](char32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
    if (c < 0x80) return {byte(c)};
    if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 63))};
    if (c < 0x10000) return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
    return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 63)), byte(0x80 | (c >> 6 & 63)), byte(0x80 | (c & 63))};
}

}  // namespace

bool isModifier(Key key) {
    return isBetween(key, Key::leftControl, Key::rightSystem);
}

std::string chord(const KeyPress& press) {
    std::string spelling;
    if (press.ctrl) spelling += "Ctrl+";
    if (press.alt) spelling += "Alt+";
    if (press.shift) spelling += "Shift+";
    const bool isLetter = press.name.size() == 1 && press.name[0] >= 'a' && press.name[0] <= 'z';
    if (isLetter && !spelling.empty()) return spelling + static_cast<char>(press.name[0] - 'a' + 'A');
    return spelling + press.name;
}

bool isForTextField(const KeyPress& press, bool onStage) {
    if (onStage && (press.name == "PageDown" || press.name == "PageUp")) return false;
    if (press.name.size() >= 2 && press.name[0] == 'F' && press.name[1] >= '1' && press.name[1] <= '9') return false;
    const bool isShortcut = press.ctrl && !press.alt && press.name.size() == 1;
    return !isShortcut || std::string_view("acvxyz").find(press.name[0]) != std::string_view::npos;
}

bool isForList(const KeyPress& press) {
    static constexpr std::array<std::string_view, 10> kKeys = {"Up",  "Down",   "Left",     "Right", "Home",
                                                               "End", "PageUp", "PageDown", "Enter", "Space"};
    return !press.ctrl && !press.alt && std::find(kKeys.begin(), kKeys.end(), press.name) != kKeys.end();
}

std::optional<KeyPress> KeyNamer::take(const InputEvent& event) {
    switch (event.kind) {
        case InputEvent::Kind::keyDown:
            return fromKey(event);
        case InputEvent::Kind::text:
            return fromText(event.text);
        case InputEvent::Kind::keyUp:
            down_.reset(std::size_t(event.key));
            break;
        case InputEvent::Kind::blur:
            *this = {};
            break;  // releases are from now on sent to another window
        default:
            break;
    }
    return {};
}

std::optional<KeyPress> KeyNamer::fromKey(const InputEvent& event) {
    if (isModifier(event.key)) return {};
    last_ = event.key;
    lastModifiers_ = event.modifiers;
    lastRepeats_ = down_.test(std::size_t(event.key));
    down_.set(std::size_t(event.key));

    const Modifiers& mods = event.modifiers;
    std::string name{wordOf(event.key)};
    // A digit with Shift is named by what it types: "+" in the Hungarian layout.
    const bool isToBeTyped = mods.shift && isDigitOfRow(event.key);
    if (name.empty() && (mods.ctrl || mods.alt) && !isToBeTyped) name = nameWithControl(event.key);
    lastIsNamed_ = !name.empty();
    if (name.empty() || mods.system) return {};
    return KeyPress{.name = std::move(name),
                    .ctrl = mods.ctrl,
                    .shift = mods.shift,
                    .alt = mods.alt,
                    .repeat = lastRepeats_,
                    .text = event.key == Key::space ? U' ' : U'\0'};
}

std::optional<KeyPress> KeyNamer::fromText(char32_t text) const {
    const bool chorded = lastModifiers_.ctrl || lastModifiers_.alt;
    if ((chorded && lastIsNamed_) || lastModifiers_.system || isSpace(text)) return {};
    KeyPress press{.name = {},
                   .ctrl = lastModifiers_.ctrl,
                   .shift = false,
                   .alt = lastModifiers_.alt,
                   .repeat = lastRepeats_,
                   .text = text};
    const char latin = isOtherAlphabet(text) ? letterOf(last_) : '\0';
    if (chorded && lastModifiers_.shift && isDigitOfRow(last_) && isOfDigit(text)) {
        press.name = digitOf(last_);
        press.shift = true;
    } else if (isAsciiLetter(text)) {
        press.name = {static_cast<char>(text | 0x20)};
        press.shift = lastModifiers_.shift;
    } else if (latin) {
        press.name = {latin};
        press.shift = lastModifiers_.shift;
    } else {
        press.name = utf8(text);
    }
    return press;
}

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
