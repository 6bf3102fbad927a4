// X server queries that SFML does not provide. Uses a connection of its own; for one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace whorl::app {

/// Whether a window can be opened. SFML aborts the process if not, so call this first. On failure the reason is stored
/// in `why` (may be null).
bool displayAvailable(std::string* why);

/// The scale of the interface relative to 96 dpi, 0.5 to 4: WHORL_SCALE from the environment, else the display's
/// Xft.dpi, else scaleOfScreen() of the display's screen.
float displayScale();

/// The scale for a screen so many pixels and millimetres high, in steps of a quarter, 1.5 to 4; but 1 below 144 dpi, as
/// many servers say 96 whatever is connected, and text of its usual size can be read on laptops. Also 1 where there is
/// no height, or one that no screen has.
float scaleOfScreen(int pixels, int millimetres);

/// Asks the window manager to enforce a minimum window size. Without a window manager this has no effect.
void hintMinimumSize(std::uintptr_t window, int width, int height);

/// Asks the window manager to maximise the window. False if there is no window manager that supports it.
bool askMaximised(std::uintptr_t window);

/// Asks the window manager to let the window fill the screen, or no longer. False likewise.
bool askFullScreen(std::uintptr_t window, bool on);

/// While one exists, the loss of the display calls a function, which must not use the display, and then ends the
/// program with an error.
class DisplayLoss {
  public:
    explicit DisplayLoss(std::function<void()> last);
    ~DisplayLoss();
    DisplayLoss(const DisplayLoss&) = delete;
    DisplayLoss& operator=(const DisplayLoss&) = delete;
};

/// Makes refusals by the X server no reason to end the program, as they are otherwise. What asked notices that nothing
/// was given.
void tolerateDisplayErrors();

}  // namespace whorl::app
