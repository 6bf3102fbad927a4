// Writes a frame as a file of the kind that its name says.
#pragma once

#include <cstdint>
#include <string>

#include "app/export/offscreen_renderer.h"

namespace whorl::app {

/// Fails if no picture can be written there: its name must end in .png, .svg or .pdf; a pipe, a device and standard
/// output, unless that is a terminal, take a PNG.
sim::Expected<void> checkPicture(const std::string& path);

/// Draws a frame as OffscreenRenderer::draw does, into a file that checkPicture() accepts.
sim::Expected<void> writePicture(const std::string& path, OffscreenRenderer& renderer, const Session& session,
                                 double moveTicks);

}  // namespace whorl::app
