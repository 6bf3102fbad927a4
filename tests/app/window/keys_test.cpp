#include "app/window/keys.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "app/window/keyboard.h"

namespace whorl::app {
namespace {

using namespace test;

/// What the program receives, chord by chord; "*" marks a repeat.
std::vector<std::string> told(KeyNamer& namer, std::initializer_list<InputEvent> events) {
    std::vector<std::string> chords;
    for (const InputEvent& event : events) {
        if (const auto press = namer.take(event)) chords.push_back(chord(*press) + (press->repeat ? "*" : ""));
    }
    return chords;
}

std::vector<std::string> told(std::initializer_list<InputEvent> events) {
    KeyNamer namer;
    return told(namer, events);
}

using Chords = std::vector<std::string>;

TEST(Keys, LettersAreReportedOnce) {
    EXPECT_EQ(told({down(Key::a), text(U'a'), up(Key::a)}), Chords{"a"});
    EXPECT_EQ(told({down(Key::leftShift, kShift), down(Key::a, kShift), text(U'A')}), Chords{"Shift+A"});
}

TEST(Keys, CapsLockIsNotShift) {
    EXPECT_EQ(told({down(Key::a), text(U'A')}), Chords{"a"});
}

TEST(Keys, NamedKeysAreReportedOnce) {
    EXPECT_EQ(told({down(Key::space), text(U' '), up(Key::space)}), Chords{"Space"});
    EXPECT_EQ(told({down(Key::left, kShift)}), Chords{"Shift+Left"});
    EXPECT_EQ(told({down(Key::enter), down(Key::tab), down(Key::f12), down(Key::del), down(Key::pageUp)}),
              (Chords{"Enter", "Tab", "F12", "Delete", "PageUp"}));
}

TEST(Keys, AChordIsReportedOnceWithOrWithoutText) {
    EXPECT_EQ(told({down(Key::leftControl, kCtrl), down(Key::c, kCtrl), up(Key::c, kCtrl)}), Chords{"Ctrl+C"});
    EXPECT_EQ(told({down(Key::c, kCtrlShift)}), Chords{"Ctrl+Shift+C"});
    EXPECT_EQ(told({down(Key::a, kAlt), text(U'a')}), Chords{"Alt+A"});       // X types the letter all the same
    EXPECT_EQ(told({down(Key::num1, kCtrl), text(U'1')}), Chords{"Ctrl+1"});  // and this digit, too
    EXPECT_EQ(told({down(Key::num2, kCtrl)}), Chords{"Ctrl+2"});              // but not this one
    EXPECT_EQ(told({down(Key::num1, kCtrlShift), text(U'!')}), Chords{"Ctrl+Shift+1"});
    EXPECT_EQ(told({down(Key::space, kCtrl)}), Chords{"Ctrl+Space"});
}

TEST(Keys, SignsFollowTheAmericanLayout) {
    EXPECT_EQ(told({down(Key::slash, kShift), text(U'?')}), Chords{"?"});
    EXPECT_EQ(told({down(Key::equal, kShift), text(U'+')}), Chords{"+"});
    EXPECT_EQ(told({down(Key::equal, kCtrlShift), text(U'+')}), Chords{"Ctrl++"});
    EXPECT_EQ(told({down(Key::hyphen), text(U'-'), up(Key::hyphen), down(Key::hyphen, kCtrl), text(U'-')}),
              (Chords{"-", "Ctrl+-"}));
    EXPECT_EQ(told({down(Key::leftBracket), text(U'['), down(Key::rightBracket, kCtrl)}), (Chords{"[", "Ctrl+]"}));
    EXPECT_EQ(told({down(Key::comma), text(U','), down(Key::period), text(U'.')}), (Chords{",", "."}));
}

TEST(Keys, SignsFollowTheGermanLayout) {
    EXPECT_EQ(told({down(Key::unknown, kShift), text(U'?')}), Chords{"?"});  // Shift+ß
    EXPECT_EQ(told({down(Key::unknown), text(U'+')}), Chords{"+"});
    EXPECT_EQ(told({down(Key::unknown, kCtrl), text(U'+')}), Chords{"Ctrl++"});
    EXPECT_EQ(told({down(Key::unknown), down(Key::num8), text(U'[')}), Chords{"["});  // AltGr+8
    EXPECT_EQ(told({down(Key::unknown), down(Key::q), text(U'@')}), Chords{"@"});     // AltGr+Q
    EXPECT_EQ(told({down(Key::unknown), down(Key::e), text(U'\u20AC')}), Chords{"\u20AC"});
    EXPECT_EQ(told({down(Key::num7, kShift), text(U'/')}), Chords{"/"});
    EXPECT_EQ(told({down(Key::unknown), text(U'\u00F6')}), Chords{"\u00F6"});
}

TEST(Keys, SignsFollowTheHungarianLayout) {
    EXPECT_EQ(told({down(Key::num3, kShift), text(U'+')}), Chords{"+"});
    EXPECT_EQ(told({down(Key::num3, kCtrlShift), text(U'+')}), Chords{"Ctrl++"});
    EXPECT_EQ(told({down(Key::num3, {.shift = true, .alt = true}), text(U'+')}), Chords{"Alt++"});
    EXPECT_EQ(told({down(Key::num6, kCtrlShift), text(U'/'), down(Key::num3, kCtrl)}), (Chords{"Ctrl+/", "Ctrl+3"}));
}

TEST(Keys, DigitsAreDigitsWhereverTheyLie) {
    EXPECT_EQ(told({down(Key::num7), text(U'7')}), Chords{"7"});
    EXPECT_EQ(told({down(Key::numpad7), text(U'7')}), Chords{"7"});
    EXPECT_EQ(told({down(Key::num7, kShift), text(U'7')}), Chords{"7"});  // French: digits need Shift
    EXPECT_EQ(told({down(Key::num9, kCtrlShift), text(U'9')}), Chords{"Ctrl+9"});
    EXPECT_EQ(told({down(Key::num3, kCtrlShift), text(U'\x1B')}), Chords{"Ctrl+Shift+3"});
    EXPECT_EQ(told({down(Key::add), text(U'+'), down(Key::subtract), text(U'-')}), (Chords{"+", "-"}));
}

TEST(Keys, AnotherAlphabetKeepsTheLatinNameOfItsKeys) {
    EXPECT_EQ(told({down(Key::a), text(U'\u0444')}), Chords{"a"});
    EXPECT_EQ(told({down(Key::a, kShift), text(U'\u0424')}), Chords{"Shift+A"});
    EXPECT_EQ(told({down(Key::c, kCtrl), text(U'\u0441')}), Chords{"Ctrl+C"});
}

TEST(Keys, RepeatsAreMarked) {
    EXPECT_EQ(told({down(Key::left), down(Key::left), up(Key::left), down(Key::left)}),
              (Chords{"Left", "Left*", "Left"}));
    EXPECT_EQ(told({down(Key::a), text(U'a'), down(Key::a), text(U'a')}), (Chords{"a", "a*"}));
    EXPECT_EQ(told({down(Key::unknown), text(U'+'), down(Key::unknown), text(U'+'), up(Key::unknown),
                    down(Key::unknown), text(U'+')}),
              (Chords{"+", "+*", "+"}));
}

TEST(Keys, LosingTheFocusForgetsWhatIsHeld) {
    EXPECT_EQ(told({down(Key::left), blur(), down(Key::left)}), (Chords{"Left", "Left"}));
    EXPECT_EQ(told({down(Key::c, kCtrl), blur(), text(U'c')}), (Chords{"Ctrl+C", "c"}));
}

TEST(Keys, ModifiersAloneAndTheSystemKeySayNothing) {
    const Modifiers system{.system = true};
    EXPECT_EQ(told({down(Key::leftShift, kShift), down(Key::leftControl, kCtrlShift), up(Key::leftShift, kCtrl)}),
              Chords{});
    EXPECT_EQ(told({down(Key::l, system), text(U'l'), down(Key::left, system)}), Chords{});
}

TEST(Keys, TextIsPassedOn) {
    KeyNamer namer;
    namer.take(down(Key::a, kShift));
    EXPECT_EQ(namer.take(text(U'A')), (KeyPress{.name = "a", .shift = true, .text = U'A'}));
    EXPECT_EQ(namer.take(down(Key::space)), (KeyPress{.name = "Space", .text = U' '}));
    EXPECT_EQ(namer.take(down(Key::home)), (KeyPress{.name = "Home"}));
}

TEST(Keys, ATextFieldLeavesFunctionKeysAndOtherShortcuts) {
    const auto isFor = [](std::string name, bool ctrl = false, bool alt = false) {
        return isForTextField(KeyPress{.name = std::move(name), .ctrl = ctrl, .alt = alt}, false);
    };
    EXPECT_TRUE(isFor("a"));
    EXPECT_TRUE(isFor("f"));
    EXPECT_TRUE(isFor("F"));
    EXPECT_TRUE(isFor("?"));
    EXPECT_TRUE(isFor("Left"));
    EXPECT_TRUE(isFor("Escape"));
    for (const char* name : {"a", "c", "v", "x", "y", "z", "Left", "Backspace"}) EXPECT_TRUE(isFor(name, true)) << name;
    EXPECT_FALSE(isFor("s", true));
    EXPECT_FALSE(isFor("q", true));
    EXPECT_FALSE(isFor("F1"));
    EXPECT_FALSE(isFor("F12"));
    EXPECT_TRUE(isFor("q", true, true));  // how Windows sends AltGr
}

TEST(Keys, AChordHasOneSpelling) {
    EXPECT_EQ(chord({.name = "a"}), "a");
    EXPECT_EQ(chord({.name = "a", .ctrl = true, .shift = true, .alt = true}), "Ctrl+Alt+Shift+A");
    EXPECT_EQ(chord({.name = "Left", .shift = true}), "Shift+Left");
    EXPECT_EQ(chord({.name = "+", .ctrl = true}), "Ctrl++");
}

}  // namespace
}  // namespace whorl::app
