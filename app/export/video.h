// Frames one after the other into a video, an animated picture, or a folder of stills.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// Takes frames until finish(). Without that no file is left behind.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    /// RGBA, rows from the top, of the size that the sink was opened with.
    virtual sim::Expected<void> add(std::span<const std::byte> rgba) = 0;
    /// Gives the result its name.
    virtual sim::Expected<void> finish() = 0;
};

struct VideoOptions {
    std::string path;  ///< ends in .mp4 or .gif; or a folder: ends in "/" or exists as one
    int width = 0;
    int height = 0;
    int framesPerSecond = 60;
};

/// Opens a sink by the path's ending. ffmpeg must be installed for .mp4 and .gif. A folder must be new or empty.
sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options);

}  // namespace whorl::app
