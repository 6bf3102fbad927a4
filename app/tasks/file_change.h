// Notices when a file that has been read is written again. Looks at it about once a second, in a task: a file system
// may be slow.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/tasks/task.h"

namespace whorl::app {

/// What is compared of a file.
struct FileStamp {
    bool exists = false;
    std::int64_t time = 0;  ///< of the last change, nanoseconds of the file system's clock
    std::uint64_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(const std::string& path);

class FileChange {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kBetweenLooks{1000};

    explicit FileChange(TaskRunner& runner) : runner_(runner) {}

    /// From now on this file, as it is now; nothing if the path is empty.
    void watch(const std::string& path);
    /// Once per frame. True once for each change, when the file has rested from one look to the next: it is not being
    /// written any more. A file that has vanished has not changed.
    bool update(Clock::time_point now);

  private:
    TaskRunner& runner_;
    std::string path_;
    std::optional<Task<FileStamp>> look_;
    std::optional<FileStamp> known_;
    std::optional<FileStamp> last_;
    Clock::time_point next_;
};

}  // namespace whorl::app
