// Takes the frames of a recording.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace whorl::app {

/// Takes frames until finish(). Without finish(), nothing remains of them, and what was there before stays.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    /// Adds a frame: RGBA, rows from the top, of the size given when the sink was opened.
    virtual sim::Expected<void> add(std::span<const std::byte> rgba) = 0;
    /// Flushes the result to the disk and gives it its final name.
    virtual sim::Expected<void> finish() = 0;
};

struct VideoOptions {
    std::string path;  ///< ends in .mp4 or .gif; or a folder: ends in "/" or exists as a folder
    int width = 0;
    int height = 0;
    int framesPerSecond = 60;
};

}  // namespace whorl::app
