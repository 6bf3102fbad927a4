#include "app/tasks/file_change.h"

#include <filesystem>
#include <system_error>
#include <utility>

namespace whorl::app {

namespace fs = std::filesystem;

FileStamp stampOf(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return {};
    FileStamp stamp{.exists = true};
    stamp.bytes = fs::file_size(path, error);
    stamp.time = fs::last_write_time(path, error).time_since_epoch().count();
    return error ? FileStamp{} : stamp;
}

void FileChange::watch(const std::string& path) {
    path_ = path;
    look_.reset();
    known_.reset();
    last_.reset();
    next_ = {};
}

bool FileChange::update(Clock::time_point now) {
    if (path_.empty()) return false;
    if (!look_) {
        if (now < next_) return false;
        next_ = now + kBetweenLooks;
        look_.emplace(runner_, [path = path_](sim::Progress&) { return sim::Expected<FileStamp>(stampOf(path)); });
    }
    if (!look_->done()) return false;
    const auto taken = *look_->take();
    look_.reset();
    if (!taken || !taken->exists) return false;
    const auto before = std::exchange(last_, *taken);
    if (!known_) known_ = *taken;
    if (*taken == *known_ || before != last_) return false;
    known_ = *taken;
    return true;
}

}  // namespace whorl::app
