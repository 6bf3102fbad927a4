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
    const std::string path = newName(name, suffix);
    auto file = sim::createFile(path);
    if (!file) return tl::unexpected(file.error());
    if (auto written = (*file)->write(text); !written) return tl::unexpected(written.error());
    if (auto closed = (*file)->close(); !closed) return tl::unexpected(closed.error());
    return path;
}

}  // namespace whorl::app
