// Takes the frames of a recording.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

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

/// A part of a video that players list; seconds.
struct FilmChapter {
    double begin = 0;
    double end = 0;
    std::string title;
};

struct VideoOptions {
    std::string path;  ///< ends in .mp4, .webm or .gif; or a folder: ends in "/" or exists as a folder
    int width = 0;
    int height = 0;
    int framesPerSecond = 60;
    bool transparent = false;  ///< frames have alpha
    // For .mp4 and .webm:
    std::string title = {};  ///< empty: none
    std::vector<FilmChapter> chapters = {};
    std::string audio = {};  ///< a file with sound that begins with the film; empty: none
};

}  // namespace whorl::app
