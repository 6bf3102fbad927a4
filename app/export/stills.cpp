#include "app/export/stills.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/export/png.h"
#include "sim/base/file_handle.h"
#include "sim/base/part_folder.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

constexpr std::size_t kMinDigits = 5;

/// The files of a recorded folder are 00000.png and so on, written by us.
bool isStill(int folder, const std::string& name) {
    constexpr std::string_view kEnding = ".png";
    const std::string_view number =
        std::string_view(name).substr(0, name.size() - std::min(name.size(), kEnding.size()));
    const bool isNumbered = name.ends_with(kEnding) && number.size() >= kMinDigits && sim::wholeNumber(number);
    if (!isNumbered) return false;
    const sim::FileHandle file(openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    struct stat info {};
    std::array<char, kPngBeginning> beginning{};
    if (!file.open() || fstat(file.fd(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
    const ssize_t n = read(file.fd(), beginning.data(), beginning.size());
    return n > 0 && isOwnPng({beginning.data(), static_cast<std::size_t>(n)});
}

/// Stills in a folder, which gets its final name when all are written.
class StillsSink final : public FrameSink {
  public:
    StillsSink(VideoOptions options, std::unique_ptr<sim::PartFolder> folder)
        : options_(std::move(options)), folder_(std::move(folder)) {}

    sim::Expected<void> add(std::span<const std::byte> rgba) override {
        const auto file = WHORL_TRY(folder_->create(fmt::format("{:0{}}.png", count_++, kMinDigits)));
        const PngPixels pixels = options_.transparent ? PngPixels::rgba : PngPixels::rgb;
        if (auto written = writePng(*file, options_.width, options_.height, rgba, pixels); !written) return written;
        return file->close();
    }
    sim::Expected<void> finish() override { return folder_->publish(); }

  private:
    VideoOptions options_;
    std::unique_ptr<sim::PartFolder> folder_;
    int count_ = 0;
};

}  // namespace

sim::Expected<void> checkStills(const VideoOptions& options) {
    return sim::PartFolder::check(options.path, isStill);
}

sim::Expected<std::unique_ptr<FrameSink>> openStills(const VideoOptions& options) {
    return std::make_unique<StillsSink>(options, WHORL_TRY(sim::PartFolder::forTarget(options.path, isStill)));
}

}  // namespace whorl::app
