// Files on disk that the window reads and writes: those that are written again are noticed, new ones get free names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/tasks/task.h"
#include "sim/base/error.h"

namespace whorl::app {

// Notices when a file that has been read is written again. Looks at it about once a second, in a task: a file system
// may be slow.

/// The properties of a file that are compared to detect a change.
struct FileStamp {
    bool exists = false;
    std::int64_t time = 0;  ///< time of the last change, nanoseconds of the file system's clock
    std::uint64_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};
FileStamp stampOf(const std::string& path);

class FileChange {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kBetweenLooks{1000};

    explicit FileChange(TaskRunner& runner) : runner_(runner) {}

    /// Watches this file from its present state on; watches nothing if the path is empty.
    void watch(const std::string& path);
    /// Call once per frame. Returns true once for each change, when the file is the same in two successive looks: it is
    /// then no longer being written. A file that has vanished has not changed.
    bool update(Clock::time_point now);

  private:
    TaskRunner& runner_;
    std::string path_;
    std::optional<Task<FileStamp>> look_;
    std::optional<FileStamp> known_;
    std::optional<FileStamp> last_;
    Clock::time_point next_;
};

/// "NAME.csv", or "NAME-2.csv" if that is there, and so on.
std::string newName(const std::string& name, const std::string& suffix);

/// Writes a text into a new file in the current folder: "NAME.csv", or "NAME-2.csv" if that is there, and so on.
/// Returns its name.
sim::Expected<std::string> writeNewFile(const std::string& name, const std::string& suffix, const std::string& text);

}  // namespace whorl::app
