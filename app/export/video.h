// Writes a sequence of frames to a video, an animated picture (both with ffmpeg), or a folder of stills.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// An ffmpeg process that is fed through a pipe.
class Ffmpeg {
  public:
    /// Recording fails if ffmpeg has neither read input nor used the CPU for this long.
    static constexpr std::chrono::milliseconds kPatience{60'000};

    /// Starts ffmpeg. Errors name the result as `file`. All waiting ends when `progress`, which must outlive this, is
    /// cancelled.
    static sim::Expected<std::unique_ptr<Ffmpeg>> start(const std::vector<std::string>& arguments,
                                                        const std::string& file, const sim::Progress& progress,
                                                        std::chrono::milliseconds patience = kPatience);
    /// Kills ffmpeg if it is still running.
    ~Ffmpeg();
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;

    /// Writes bytes to ffmpeg. If it has ended or stands still, the error contains its first messages.
    sim::Expected<void> write(std::span<const std::byte> bytes);
    /// Closes the pipe and waits for ffmpeg to end.
    sim::Expected<void> finish();
    /// An error of the recording, with ffmpeg's messages so far.
    sim::Expected<void> complaint(const std::string& what) const;

  private:
    using Clock = std::chrono::steady_clock;

    Ffmpeg(pid_t process, int input, int words, std::string file, const sim::Progress& progress,
           std::chrono::milliseconds patience);
    bool takeWords();
    sim::Expected<void> wait(int events);
    sim::Expected<void> awaitEnd();
    bool standsStill();
    bool hasEnded();
    void kill();

    pid_t process_;  ///< also the number of its process group; 0 when it has ended
    int input_;      ///< -1 when closed
    int words_;      ///< its standard error; -1 when it has ended
    int status_ = 0;
    std::string file_;
    const sim::Progress& progress_;
    std::chrono::milliseconds patience_;
    std::string said_;  ///< the beginning of ffmpeg's messages
    std::int64_t computed_ = 0;
    Clock::time_point movedAt_ = Clock::now();
};

}  // namespace whorl::app
