// Writes a sequence of frames to a video, an animated picture, or a folder of stills.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// Takes frames until finish(). Without finish(), no file remains.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    /// Adds a frame: RGBA, rows from the top, of the size given when the sink was opened.
    virtual sim::Expected<void> add(std::span<const std::byte> rgba) = 0;
    /// Renames the result to its final name.
    virtual sim::Expected<void> finish() = 0;
};

struct VideoOptions {
    std::string path;  ///< ends in .mp4 or .gif; or a folder: ends in "/" or exists as a folder
    int width = 0;
    int height = 0;
    int framesPerSecond = 60;
};

/// Opens a sink by the path's extension. ffmpeg must be installed for .mp4 and .gif. A folder must be new or empty.
sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options);

}  // namespace whorl::app
