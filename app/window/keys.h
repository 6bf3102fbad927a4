// Input events, key presses by a name that does not depend on the keyboard layout, and a queue of input. Independent of
// the window library and ImGui, so that tests can construct the events.
#pragma once

#include <bitset>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace whorl::app {

// clang-format off
/// A key by its letter or label in the current layout. The order is that of SFML's keyboard codes, plus one.
enum class Key : int {
    unknown,  ///< every key missing from this list, such as the German sharp s
    a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,
    num0, num1, num2, num3, num4, num5, num6, num7, num8, num9,
    escape, leftControl, leftShift, leftAlt, leftSystem, rightControl, rightShift, rightAlt, rightSystem, menu,
    leftBracket, rightBracket, semicolon, comma, period, quote, slash, backslash, tilde, equal, hyphen, space, enter,
    backspace, tab, pageUp, pageDown, end, home, insert, del, add, subtract, multiply, divide, left, right, up, down,
    numpad0, numpad1, numpad2, numpad3, numpad4, numpad5, numpad6, numpad7, numpad8, numpad9,
    f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, pause,
    count
};
// clang-format on

struct Modifiers {
    bool ctrl = false;
    bool shift = false;
    bool alt = false;
    bool system = false;
    bool operator==(const Modifiers&) const = default;
};

/// One user action in the window. A modifier key's own event has the modifiers as they are after it.
struct InputEvent {
    enum class Kind { keyDown, keyUp, text, mouseMove, mouseLeave, buttonDown, buttonUp, wheel, focus, blur };
    Kind kind = Kind::keyDown;
    Key key = Key::unknown;
    Modifiers modifiers{};  ///< keyDown, keyUp
    char32_t text = 0;      ///< text: one character, never a control character
    int button = 0;         ///< buttonDown, buttonUp: 0 left, 1 right, 2 middle, 3 and 4 the extra ones
    double seconds = 0;     ///< buttonDown: time of arrival, since any fixed point in time
    float x = 0;            ///< mouseMove: pixels from the left; wheel: notches to the left
    float y = 0;            ///< mouseMove: pixels from the top; wheel: notches up
};

/// A key press that the program may handle.
struct KeyPress {
    /// "a" to "z" and "0" to "9"; "Space", "Enter", "Escape", "Tab", "Backspace", "Insert", "Delete", "Home", "End",
    /// "PageUp", "PageDown", "Left", "Right", "Up", "Down", "F1" to "F15", "Pause", "Menu"; every other character is
    /// its own name: "?", "+", "[".
    std::string name;
    bool ctrl = false;
    bool shift =
        false;  ///< not set for symbols that are typed: "?" needs Shift in one keyboard layout and not in another
    bool alt = false;
    bool repeat = false;  ///< the key is held down and this is a repeat
    char32_t text = 0;    ///< the character it typed, 0 for none

    bool operator==(const KeyPress&) const = default;
};

/// The unique spelling of a press: "Space", "a", "?", "Shift+Left", "Shift+A", "Ctrl+C", "Ctrl+Alt+Shift+F5", "Ctrl++".
/// A letter is uppercase after a modifier and lowercase without one.
std::string chord(const KeyPress& press);

/// Whether a focused text field uses this press. Function keys and most letters with Ctrl are always left to the
/// program; on stage, so are the keys of clickers.
bool isForTextField(const KeyPress& press, bool onStage);

/// Whether a list that is open, such as a drop-down, uses this press.
bool isForList(const KeyPress& press);

/// Whether the key is Control, Shift, Alt or the system key.
bool isModifier(Key key);

/// Converts keyboard events into named presses, each reported once.
///
/// A window receives a key and then the character that it typed. A press that types a character is named after the
/// character, because only that follows the layout ("?" is Shift+/ in one and Shift+ß in another, "[" may be AltGr+8).
/// A press that types none, or that has Ctrl or Alt, is named after the key.
class KeyNamer {
  public:
    /// The press that the event stands for, if any.
    std::optional<KeyPress> take(const InputEvent& event);

  private:
    std::optional<KeyPress> fromKey(const InputEvent& event);
    std::optional<KeyPress> fromText(char32_t text) const;

    std::bitset<std::size_t(Key::count)> down_;
    Key last_ = Key::unknown;  ///< the last key pressed, its modifiers, and how it was interpreted
    Modifiers lastModifiers_;
    bool lastRepeats_ = false;
    bool lastIsNamed_ = false;
};

/// Holds back input that ImGui could not distinguish within one frame. Independent of the window library and ImGui.
///
/// ImGui 1.86 samples the state of keys and buttons once per frame. A click pressed and released between two samples is
/// lost; so is Ctrl when it is released just after A, and the last movement of a drag that ends in the same frame.
/// Frames of a software renderer are long enough for all of these.
class InputQueue {
  public:
    /// Appends an event. Consecutive moves are merged.
    void push(const InputEvent& event);

    /// Returns the next events in order, as many as one frame can take; the rest stay queued for the next frames.
    std::vector<InputEvent> takeFrame();

    bool empty() const { return waiting_.empty(); }

  private:
    /// What the current frame already contains.
    struct Frame {
        std::bitset<std::size_t(Key::count)> keys;  ///< pressed or released, except modifiers
        unsigned buttons = 0;                       ///< pressed or released, one bit per button
        bool moved = false;
        bool typed = false;   ///< contains text
        bool edited = false;  ///< contains a key that moves the caret, deletes or confirms
        bool keyed = false;   ///< contains a key press other than a modifier's
        bool wheeled = false;
        bool blurred = false;
        bool acted() const { return keyed || typed || wheeled || buttons != 0; }
    };

    bool fits(const InputEvent& event, const Frame& frame) const;
    bool keyFits(const InputEvent& event, const Frame& frame) const;
    bool moveFits(const InputEvent& event, const Frame& frame) const;
    void note(const InputEvent& event, Frame& frame);

    std::deque<InputEvent> waiting_;
    std::bitset<std::size_t(Key::count)> down_;  ///< after the events returned so far
    Modifiers modifiers_;
    float x_ = 0;
    float y_ = 0;
};

}  // namespace whorl::app
