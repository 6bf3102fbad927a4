// An ffmpeg process that is fed through a pipe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

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
