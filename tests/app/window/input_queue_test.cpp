#include "app/window/keys.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "app/window/keyboard.h"

namespace whorl::app {
namespace {

using namespace test;
using Kind = InputEvent::Kind;

/// The number of events that each frame takes until none is left.
std::vector<std::size_t> frames(InputQueue& queue, std::initializer_list<InputEvent> events) {
    for (const InputEvent& event : events) queue.push(event);
    std::vector<std::size_t> sizes;
    while (!queue.empty()) sizes.push_back(queue.takeFrame().size());
    return sizes;
}

std::vector<std::size_t> frames(std::initializer_list<InputEvent> events) {
    InputQueue queue;
    return frames(queue, events);
}

using Sizes = std::vector<std::size_t>;

TEST(InputQueue, KeepsTheOrderAndLosesNothing) {
    InputQueue queue;
    const std::vector<InputEvent> events{down(Key::a), text(U'a'), up(Key::a), down(Key::left), press(),
                                         release(),    move(1, 1), wheel(1),   text(U'b')};
    for (const InputEvent& event : events) queue.push(event);
    std::size_t next = 0;
    while (!queue.empty()) {
        const auto frame = queue.takeFrame();
        ASSERT_FALSE(frame.empty()) << "the first event always fits, or the queue would stand for ever";
        for (const InputEvent& event : frame) EXPECT_EQ(event.kind, events.at(next++).kind);
    }
    EXPECT_EQ(next, events.size());
    EXPECT_TRUE(queue.takeFrame().empty());
}

TEST(InputQueue, AFastKeyIsSeenDownAndThenUp) {
    EXPECT_EQ(frames({down(Key::left), up(Key::left), down(Key::left), up(Key::left)}), (Sizes{1, 1, 1, 1}));
}

TEST(InputQueue, FiveFastClicksAreTenFrames) {
    EXPECT_EQ(
        frames({press(), release(), press(), release(), press(), release(), press(), release(), press(), release()}),
        Sizes(10, 1));
    EXPECT_EQ(frames({press(0), press(1), release(0), release(1)}), (Sizes{2, 2}));
}

TEST(InputQueue, AModifierWaitsUntilItsChordIsSeen) {
    // As xdotool sends Ctrl+A: Ctrl is released first.
    EXPECT_EQ(frames({down(Key::leftControl, kCtrl), down(Key::a, kCtrl), up(Key::leftControl), up(Key::a)}),
              (Sizes{2, 2}));
    EXPECT_EQ(frames({down(Key::leftControl, kCtrl), press(), release(), up(Key::leftControl)}), (Sizes{2, 1, 1}));
    EXPECT_EQ(frames({down(Key::leftControl, kCtrl), wheel(1), up(Key::leftControl)}), (Sizes{2, 1}));
    EXPECT_EQ(frames({down(Key::x), text(U'x'), down(Key::leftControl, kCtrl)}), (Sizes{2, 1}));
}

TEST(InputQueue, ModifiersThatWereMissedCountAsAChange) {
    // Ctrl was pressed in another window.
    EXPECT_EQ(frames({down(Key::b), down(Key::a, kCtrl)}), (Sizes{1, 1}));
}

TEST(InputQueue, AHeldKeyMayRepeatWithinAFrame) {
    InputQueue queue;
    EXPECT_EQ(frames(queue, {down(Key::left)}), Sizes{1});
    EXPECT_EQ(frames(queue, {down(Key::left), down(Key::left), down(Key::left)}), Sizes{3});
    EXPECT_EQ(frames(queue, {up(Key::left), down(Key::left)}), (Sizes{1, 1}));
}

TEST(InputQueue, UnknownKeysAreNeverHeldBackAsTheSameOne) {
    EXPECT_EQ(frames({down(Key::unknown), text(U'\u00E4'), up(Key::unknown), down(Key::unknown), text(U'\u00F6')}),
              Sizes{5});
}

TEST(InputQueue, FastTypingKeepsItsOrderWithKeysThatEdit) {
    EXPECT_EQ(frames({down(Key::a), text(U'a'), down(Key::b), text(U'b')}), Sizes{4});
    EXPECT_EQ(frames({down(Key::a), text(U'a'), down(Key::left)}), (Sizes{2, 1}));
    EXPECT_EQ(frames({down(Key::backspace), down(Key::a), text(U'a')}), (Sizes{2, 1}));
}

TEST(InputQueue, APointerMovesOrItsButtonsChangeButNotBoth) {
    EXPECT_EQ(frames({press(), move(9, 9), release()}), (Sizes{1, 1, 1}));  // a whole drag in one go
    EXPECT_EQ(frames({move(9, 9), press()}), (Sizes{1, 1}));
    EXPECT_EQ(frames({move(1, 1), move(2, 2), move(3, 3)}), Sizes{1});
}

TEST(InputQueue, AClickAndAKeyAreNeverInOneFrame) {
    // The click may be the one that gives a text field the keyboard focus.
    EXPECT_EQ(frames({press(), down(Key::a), text(U'a')}), (Sizes{1, 2}));
    EXPECT_EQ(frames({down(Key::a), text(U'a'), press()}), (Sizes{2, 1}));
}

TEST(InputQueue, TheWheelTurnsWhatItStoodOn) {
    EXPECT_EQ(frames({move(10, 10), wheel(1), wheel(1), move(200, 10)}), (Sizes{3, 1}));
    EXPECT_EQ(frames({move(10, 10), wheel(1), move(12, 11), wheel(1)}), Sizes{4});  // a trembling hand
    EXPECT_EQ(frames({wheel(1), {.kind = Kind::mouseLeave}}), (Sizes{1, 1}));
}

TEST(InputQueue, LosingTheFocusHasAFrameOfItsOwn) {
    EXPECT_EQ(frames({down(Key::a), text(U'a'), blur(), down(Key::a)}), (Sizes{2, 1, 1}));
    EXPECT_EQ(frames({press(), blur()}), (Sizes{1, 1}));
    // Held keys are up afterwards, although no release was reported.
    EXPECT_EQ(frames({down(Key::a), blur(), down(Key::a), up(Key::a)}), (Sizes{1, 1, 1, 1}));
}

}  // namespace
}  // namespace whorl::app
