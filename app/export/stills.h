// Writes a sequence of frames as PNG files into a folder: 00000.png, 00001.png and so on.
#pragma once

#include <memory>

#include "app/export/frame_sink.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Fails, before any work is done, if the folder cannot be made or holds anything but an earlier recording.
sim::Expected<void> checkStills(const VideoOptions& options);

/// Opens a sink for a folder, which appears, or takes the place of the earlier recording, once all frames are written.
sim::Expected<std::unique_ptr<FrameSink>> openStills(const VideoOptions& options);

}  // namespace whorl::app
