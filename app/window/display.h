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

/// The scale for a screen of this height in pixels and millimetres, in steps of a quarter, 1.5 to 4. It is 1 below
/// 144 dpi, because many servers report 96 dpi for any screen, and because text of the usual size is readable on
/// laptops. It is also 1 if the height is missing or implausible.
float scaleOfScreen(int pixels, int millimetres);

/// Asks the window manager to enforce a minimum window size. Without a window manager this has no effect.
void hintMinimumSize(std::uintptr_t window, int width, int height);

/// Asks the window manager to maximise the window. False if there is no window manager that supports it.
bool askMaximised(std::uintptr_t window);

/// Asks the window manager to enter or leave full-screen mode. False if there is no window manager that supports it.
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

/// Keeps errors of the X server from ending the program, as they do by default. The code that made a request notices
/// that it got nothing.
void tolerateDisplayErrors();

}  // namespace whorl::app
