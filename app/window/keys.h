// Keys as the program knows them: what a person pressed, under a name that does not depend on the keyboard's layout.
// Knows neither a window library nor ImGui, so that tests can feed it by hand.
#pragma once

#include <bitset>
#include <optional>
#include <string>

namespace whorl::app {

// clang-format off
/// A key by the letter or the word on it, in the layout in use. The order is that of SFML's keyboard codes, one higher.
enum class Key : int {
    unknown,  ///< every key without a place in this list, such as the German sharp s
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

/// One thing that a person did at the window. A modifier's own key carries the modifiers as they are after it.
struct InputEvent {
    enum class Kind { keyDown, keyUp, text, mouseMove, mouseLeave, buttonDown, buttonUp, wheel, focus, blur };
    Kind kind = Kind::keyDown;
    Key key = Key::unknown;
    Modifiers modifiers{};  ///< keyDown, keyUp
    char32_t text = 0;      ///< text: one character, never a control character
    int button = 0;         ///< buttonDown, buttonUp: 0 left, 1 right, 2 middle, 3 and 4 the extra ones
    double seconds = 0;     ///< buttonDown: when it was noticed, since any fixed moment
    float x = 0;            ///< mouseMove: pixels from the left; wheel: notches to the left
    float y = 0;            ///< mouseMove: pixels from the top; wheel: notches up
};

/// A press that the program may act on.
struct KeyPress {
    /// "a" to "z" and "0" to "9"; "Space", "Enter", "Escape", "Tab", "Backspace", "Insert", "Delete", "Home", "End",
    /// "PageUp", "PageDown", "Left", "Right", "Up", "Down", "F1" to "F15", "Pause", "Menu"; every other character is
    /// its own name: "?", "+", "[".
    std::string name;
    bool ctrl = false;
    bool shift = false;  ///< never with a sign: "?" needs Shift on one keyboard and not on another
    bool alt = false;
    bool repeat = false;  ///< the key is held, and this is not its first press
    char32_t text = 0;    ///< the character it typed, 0 for none

    bool operator==(const KeyPress&) const = default;
};

/// The one spelling of a press: "Space", "a", "?", "Shift+Left", "Shift+A", "Ctrl+C", "Ctrl+Alt+Shift+F5", "Ctrl++".
/// A letter is a capital after a modifier and small without one.
std::string chord(const KeyPress& press);

/// Whether a text field that has the keyboard makes use of this press. Function keys and most letters with Ctrl are
/// left to the program even then.
bool isForTextField(const KeyPress& press);

/// Control, Shift, Alt or the system key itself.
bool isModifier(Key key);

/// Turns what the keyboard sends into presses under their names, each one once.
///
/// A window gets a key and, a moment later, the character that it typed. What types a character is named after the
/// character, because only that follows the layout ("?" is Shift+/ here and Shift+ß there, "[" is AltGr+8 there). What
/// types none, and everything together with Ctrl or Alt, is named after the key.
class KeyNamer {
  public:
    /// What the event means to the program, if anything.
    std::optional<KeyPress> take(const InputEvent& event);

  private:
    std::optional<KeyPress> fromKey(const InputEvent& event);
    std::optional<KeyPress> fromText(char32_t text) const;

    std::bitset<std::size_t(Key::count)> down_;
    Key last_ = Key::unknown;  ///< the latest key that went down, its modifiers, and what was made of it
    Modifiers lastModifiers_;
    bool lastRepeats_ = false;
    bool lastIsNamed_ = false;
};

}  // namespace whorl::app
