// Writes a sequence of frames to a video, an animated picture, or a folder of stills.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/export/frame_sink.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Whether a file is complete as far as its structure tells: an "mp4" consists of whole boxes (ISO/IEC 14496-12, 4.2),
/// among them the movie's and its media; a "webm" is a head and one segment that reaches to its end (RFC 8794); a "gif"
/// begins with its signature and ends with its trailer. ffmpeg may report success although the disk was full.
bool isCompleteFilm(const std::string& path, std::string_view format);

/// Fails, before any work is done, if nothing can be recorded under this name and with these options. Creates nothing.
sim::Expected<void> checkVideo(const VideoOptions& options);

/// Opens a sink by the path's ending. ffmpeg must be installed for .mp4, .webm and .gif. A folder must be new or empty,
/// or hold an earlier recording and nothing else. Waiting for ffmpeg ends when `progress`, which must outlive the sink,
/// is cancelled.
sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options, const sim::Progress& progress);

/// The length of a file's sound, in seconds. An error if the file is missing, cannot be read, or has no sound.
sim::Expected<double> soundLength(const std::string& path);

}  // namespace whorl::app
