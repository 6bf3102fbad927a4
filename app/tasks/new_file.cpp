#include "app/tasks/new_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/byte_sink.h"

namespace whorl::app {

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
