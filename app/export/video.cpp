#include "app/export/video.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "app/export/ffmpeg.h"
#include "app/export/film_check.h"
#include "app/export/stills.h"
#include "sim/base/byte_sink.h"
#include "sim/base/byte_source.h"
#include "sim/base/output_target.h"
#include "sim/base/part_file.h"

namespace whorl::app {

namespace {

/// Copies a file into a pipe or a device.
sim::Expected<void> copyFile(const std::string& from, const std::string& to, sim::Progress& progress) {
    auto source = sim::openFile(from, progress);
    if (!source) return tl::unexpected(source.error());
    auto sink = sim::createFile(to);
    if (!sink) return tl::unexpected(sink.error());
    std::array<char, 65536> buffer{};
    while (true) {
        const auto n = (*source)->read(buffer);
        if (!n) return tl::unexpected(n.error());
        if (*n == 0) return (*sink)->close();
        if (auto written = (*sink)->write({buffer.data(), *n}); !written) return written;
    }
}

/// A video made by ffmpeg, which gets the raw frames.
class FfmpegSink final : public FrameSink {
  public:
    FfmpegSink(std::unique_ptr<Ffmpeg> process, std::unique_ptr<sim::PartFile> part, std::string format,
               std::string device)
        : process_(std::move(process)),
          part_(std::move(part)),
          format_(std::move(format)),
          device_(std::move(device)) {}
    ~FfmpegSink() override { process_.reset(); }  // before its file is removed

    sim::Expected<void> add(std::span<const std::byte> rgba) override { return process_->write(rgba); }
    sim::Expected<void> finish() override {
        if (auto done = process_->finish(); !done) return done;
        if (!isCompleteFilm(part_->path(), format_)) return process_->complaint("the file is not complete");
        sim::Progress copying;
        return device_.empty() ? part_->publish() : copyFile(part_->path(), device_, copying);
    }

  private:
    std::unique_ptr<Ffmpeg> process_;
    std::unique_ptr<sim::PartFile> part_;
    std::string format_;
    std::string device_;  ///< the pipe or device that the complete file is copied to; else empty
};

/// Always two threads, and no time or version in the file: the same frames give the same bytes everywhere.
std::vector<std::string> arguments(const VideoOptions& o, const std::string& format, const std::string& part) {
    std::vector<std::string> a = {"-v",       "error",
                                  "-nostdin", "-y",
                                  "-f",       "rawvideo",
                                  "-pix_fmt", "rgba",
                                  "-s",       fmt::format("{}x{}", o.width, o.height),
                                  "-r",       std::to_string(o.framesPerSecond),
                                  "-i",       "pipe:0",
                                  "-an"};
    if (format == "mp4") {
        for (const char* s : {"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads",
                              "2", "-movflags", "+faststart"}) {
            a.emplace_back(s);
        }
    } else {
        a.emplace_back("-filter_complex");
        a.emplace_back("[0:v]split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none");
    }
    for (const char* s : {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-f"})
        a.emplace_back(s);
    a.push_back(format);
    // An absolute path with its protocol: no name is taken for an option, a protocol or a pattern.
    a.push_back("file:" + std::filesystem::absolute(part).string());
    return a;
}

sim::Expected<void> checkFormat(const VideoOptions& options, std::string_view format) {
    if (format == "mp4" && (options.width % 2 != 0 || options.height % 2 != 0)) {
        return sim::fail(
            "", fmt::format("--size {}x{}: an .mp4 has an even width and height", options.width, options.height),
            fmt::format("use {}x{}", options.width + options.width % 2, options.height + options.height % 2));
    }
    if (format == "gif" && options.framesPerSecond > 50) {
        return sim::fail("", fmt::format("--fps {}: a .gif shows at most 50 frames a second", options.framesPerSecond),
                         "use --fps 25");
    }
    return {};
}

/// A video needs a file in which one can go back: a pipe or a device gets it when it is complete.
sim::OutputTarget workplaceOf(const sim::OutputTarget& target) {
    if (target.kind == sim::OutputTarget::Kind::file) return target;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    return {.path = (error ? "/tmp" : folder) / "whorl-recording", .name = target.name, .present = {}};
}

sim::Expected<std::unique_ptr<FrameSink>> openFfmpeg(const VideoOptions& options, const std::string& format,
                                                     const sim::Progress& progress) {
    const auto target = sim::outputTarget(options.path);
    if (!target) return tl::unexpected(target.error());
    auto part = sim::PartFile::beside(workplaceOf(*target));
    if (!part) return tl::unexpected(part.error());
    auto process = Ffmpeg::start(arguments(options, format, (*part)->path()), options.path, progress);
    if (!process) return tl::unexpected(process.error());
    const bool isFile = target->kind == sim::OutputTarget::Kind::file;
    return std::make_unique<FfmpegSink>(std::move(*process), *std::move(part), format, isFile ? "" : target->path);
}

/// "mp4", "gif", "/" for a folder, or empty.
std::string formatOf(const std::string& path) {
    std::error_code error;
    if (path.ends_with('/') || std::filesystem::is_directory(path, error)) return "/";
    for (const char* const format : {"mp4", "gif"}) {
        if (path.ends_with(std::string(".") + format)) return format;
    }
    return {};
}

}  // namespace

sim::Expected<void> checkVideo(const VideoOptions& options) {
    const std::string format = formatOf(options.path);
    if (format.empty()) {
        return sim::fail(options.path, "is not a kind of file that can be recorded",
                         "end it in .mp4 or .gif, or in / for a folder of PNG files");
    }
    if (auto sound = checkFormat(options, format); !sound) return sound;
    return format == "/" ? checkStills(options) : sim::checkOutput(options.path);
}

sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options, const sim::Progress& progress) {
    if (auto sound = checkVideo(options); !sound) return tl::unexpected(sound.error());
    const std::string format = formatOf(options.path);
    return format == "/" ? openStills(options) : openFfmpeg(options, format, progress);
}

}  // namespace whorl::app
