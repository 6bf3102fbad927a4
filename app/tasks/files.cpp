#include "app/tasks/files.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/base/byte_sink.h"

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

std::string newName(const std::string& name, const std::string& suffix) {
    std::error_code unknown;
    std::string path = name + suffix;
    for (int n = 2; std::filesystem::exists(std::filesystem::symlink_status(path, unknown)); ++n) {
        path = fmt::format("{}-{}{}", name, n, suffix);
    }
    return path;
}

sim::Expected<std::string> writeNewFile(const std::string& name, const std::string& suffix, const std::string& text) {
    std::string path = newName(name, suffix);
    return sim::writeText(text, path).map([&] { return path; });
}

}  // namespace whorl::app
