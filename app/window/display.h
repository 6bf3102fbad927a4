// What the X server has to say before and beside SFML. Nothing here keeps a connection open.
#pragma once

#include <cstdint>
#include <string>

namespace whorl::app {

/// Whether a window can be opened at all. SFML aborts the process when it cannot, so ask here first. When not, `why`
/// (may be null) gets the reason in words.
bool displayAvailable(std::string* why);

/// How much larger than at 96 dots an inch everything should be, 0.5 to 4: WHORL_SCALE from the environment, else the
/// display's Xft.dpi, else 1.
float displayScale();

/// Asks the window manager to let nobody make the window smaller than this. Without one nothing happens.
void hintMinimumSize(std::uintptr_t window, int width, int height);

/// Asks the window manager to maximise the window. False when there is none that can.
bool askMaximised(std::uintptr_t window);

}  // namespace whorl::app
