#include "app/tasks/new_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/byte_sink.h"

namespace whorl::app {

sim::Expected<std::string> writeNewFile(const std::string& name, const std::string& suffix, const std::string& text) {
    constexpr int kMost = 10'000;
    std::error_code unknown;
    std::string path = name + suffix;
    for (int n = 2; n < kMost && std::filesystem::exists(path, unknown); ++n) {
        path = fmt::format("{}-{}{}", name, n, suffix);
    }
    auto file = sim::createFile(path);
    if (!file) return tl::unexpected(file.error());
    if (auto written = (*file)->write(text); !written) return tl::unexpected(written.error());
    if (auto closed = (*file)->close(); !closed) return tl::unexpected(closed.error());
    return path;
}

}  // namespace whorl::app
