// Holds back input that ImGui could not tell apart if it came within one frame. Knows neither a window library nor
// ImGui.
//
// ImGui 1.86 looks once a frame at which keys and buttons are down. A click that goes down and up between two looks is
// lost; so is Ctrl when it is let go just after A, and the last step of a drag that ends in the same frame. Frames of a
// software renderer are long enough for all of that.
#pragma once

#include <bitset>
#include <deque>
#include <vector>

#include "app/window/keys.h"

namespace whorl::app {

class InputQueue {
  public:
    /// Adds what happened last. Moves in a row count as one.
    void push(const InputEvent& event);

    /// The next events, in order, as many as one frame can take; the others wait for the next frames.
    std::vector<InputEvent> takeFrame();

    bool empty() const { return waiting_.empty(); }

  private:
    /// What the frame under way holds already.
    struct Frame {
        std::bitset<std::size_t(Key::count)> keys;  ///< went down or up, modifiers aside
        unsigned buttons = 0;                       ///< went down or up, a bit each
        bool moved = false;
        bool typed = false;   ///< holds text
        bool edited = false;  ///< holds a key that moves the caret, deletes, confirms
        bool keyed = false;   ///< holds a press other than a modifier's
        bool wheeled = false;
        bool blurred = false;
        bool acted() const { return keyed || typed || wheeled || buttons != 0; }
    };

    bool fits(const InputEvent& event, const Frame& frame) const;
    bool keyFits(const InputEvent& event, const Frame& frame) const;
    bool moveFits(const InputEvent& event, const Frame& frame) const;
    void note(const InputEvent& event, Frame& frame);

    std::deque<InputEvent> waiting_;
    std::bitset<std::size_t(Key::count)> down_;  ///< as of the events given out
    Modifiers modifiers_;
    float x_ = 0;
    float y_ = 0;
};

}  // namespace whorl::app
