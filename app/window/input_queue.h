// Holds back input that ImGui could not distinguish within one frame. Independent of the window library and ImGui.
//
// ImGui 1.86 samples the state of keys and buttons once per frame. A click pressed and released between two samples is
// lost; so is Ctrl when it is released just after A, and the last movement of a drag that ends in the same frame.
// Frames of a software renderer are long enough for all of these.
#pragma once

#include <bitset>
#include <deque>
#include <vector>

#include "app/window/keys.h"

namespace whorl::app {

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
