// Writes a sequence of frames to a video, an animated picture, or a folder of stills.
#pragma once

#include <memory>

#include "app/export/frame_sink.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Fails, before any work is done, if nothing can be recorded under this name and with these options. Creates nothing.
sim::Expected<void> checkVideo(const VideoOptions& options);

/// Opens a sink by the path's ending. ffmpeg must be installed for .mp4, .webm and .gif. A folder must be new or empty,
/// or hold an earlier recording and nothing else. Waiting for ffmpeg ends when `progress`, which must outlive the sink,
/// is cancelled.
sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options, const sim::Progress& progress);

/// How long the sound of a file is, in seconds. An error if it is not there, cannot be read, or has no sound.
sim::Expected<double> soundLength(const std::string& path);

}  // namespace whorl::app
