// An ffmpeg process that is fed through a pipe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

class Ffmpeg {
  public:
    /// Starts ffmpeg. Errors name the result as `file`.
    static sim::Expected<std::unique_ptr<Ffmpeg>> start(const std::vector<std::string>& arguments,
                                                        const std::string& file);
    /// Stops it if it is still running.
    ~Ffmpeg();
    Ffmpeg(const Ffmpeg&) = delete;
    Ffmpeg& operator=(const Ffmpeg&) = delete;

    /// Writes bytes to ffmpeg. If ffmpeg has ended, the error contains its last output.
    sim::Expected<void> write(std::span<const std::byte> bytes);
    /// Closes the pipe and waits for ffmpeg to end.
    sim::Expected<void> finish();

  private:
    Ffmpeg(pid_t process, int input, int words, std::string file)
        : process_(process), input_(input), words_(words), file_(std::move(file)) {}
    sim::Expected<void> complaint();
    int wait();

    pid_t process_;
    int input_;
    int words_;  ///< its standard error
    std::string file_;
};

}  // namespace whorl::app
