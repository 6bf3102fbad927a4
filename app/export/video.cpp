#include "app/export/video.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/export/ffmpeg.h"
#include "app/export/png.h"

namespace whorl::app {

namespace {

namespace fs = std::filesystem;

/// Stills in a folder, which gets its final name when all are written.
class StillsSink final : public FrameSink {
  public:
    StillsSink(VideoOptions options, fs::path folder)
        : options_(std::move(options)), folder_(std::move(folder)), part_(folder_.string() + ".part") {}
    ~StillsSink() override {
        std::error_code ignored;
        if (!finished_) fs::remove_all(part_, ignored);
    }

    sim::Expected<void> begin() {
        std::error_code error;
        fs::remove_all(part_, error);
        fs::create_directories(part_, error);
        if (error)
            return sim::fail(folder_.string(), "cannot be made: " + error.message(), "choose another folder with -o");
        return {};
    }
    sim::Expected<void> add(std::span<const std::byte> rgba) override {
        const fs::path file = part_ / fmt::format("{:05}.png", count_++);
        return writePng(file.string(), options_.width, options_.height, rgba);
    }
    sim::Expected<void> finish() override {
        std::error_code error;
        fs::remove(folder_, error);  // an empty one may already exist
        fs::rename(part_, folder_, error);
        if (error)
            return sim::fail(folder_.string(), "cannot be made: " + error.message(), "choose another folder with -o");
        finished_ = true;
        return {};
    }

  private:
    VideoOptions options_;
    fs::path folder_;
    fs::path part_;
    int count_ = 0;
    bool finished_ = false;
};

/// A video made by ffmpeg, which gets the raw frames.
class FfmpegSink final : public FrameSink {
  public:
    FfmpegSink(std::unique_ptr<Ffmpeg> process, std::string path, std::string part)
        : process_(std::move(process)), path_(std::move(path)), part_(std::move(part)) {}
    ~FfmpegSink() override {
        process_.reset();
        std::error_code ignored;
        fs::remove(part_, ignored);
    }

    sim::Expected<void> add(std::span<const std::byte> rgba) override { return process_->write(rgba); }
    sim::Expected<void> finish() override {
        if (auto done = process_->finish(); !done) return done;
        std::error_code error;
        fs::rename(part_, path_, error);
        if (error) return sim::fail(path_, "cannot be written: " + error.message(), "choose another file with -o");
        return {};
    }

  private:
    std::unique_ptr<Ffmpeg> process_;
    std::string path_;
    std::string part_;
};

/// Always two threads, and no time or version in the file: the same frames give the same bytes everywhere.
std::vector<std::string> arguments(const VideoOptions& o, const std::string& format, const std::string& part) {
    std::vector<std::string> a = {"-v",
                                  "error",
                                  "-y",
                                  "-f",
                                  "rawvideo",
                                  "-pix_fmt",
                                  "rgba",
                                  "-s",
                                  fmt::format("{}x{}", o.width, o.height),
                                  "-r",
                                  std::to_string(o.framesPerSecond),
                                  "-i",
                                  "-",
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
    a.push_back(part);
    return a;
}

sim::Expected<std::unique_ptr<FrameSink>> openStills(const VideoOptions& options) {
    fs::path folder(options.path);
    if (!folder.has_filename()) folder = folder.parent_path();
    std::error_code error;
    if (fs::exists(folder, error) && (!fs::is_directory(folder, error) || !fs::is_empty(folder, error))) {
        return sim::fail(folder.string(), "is there already and not an empty folder", "name a new folder");
    }
    auto sink = std::make_unique<StillsSink>(options, folder);
    if (auto begun = sink->begin(); !begun) return tl::unexpected(begun.error());
    return sink;
}

sim::Expected<std::unique_ptr<FrameSink>> openFfmpeg(const VideoOptions& options, const std::string& format) {
    if (format == "mp4" && (options.width % 2 != 0 || options.height % 2 != 0)) {
        return sim::fail(
            "", fmt::format("--size {}x{}: an .mp4 has an even width and height", options.width, options.height),
            fmt::format("use {}x{}", options.width + options.width % 2, options.height + options.height % 2));
    }
    if (format == "gif" && options.framesPerSecond > 50) {
        return sim::fail("", fmt::format("--fps {}: a .gif shows at most 50 frames a second", options.framesPerSecond),
                         "use --fps 25");
    }
    std::error_code error;
    const fs::path parent = fs::absolute(options.path, error).parent_path();
    if (!fs::is_directory(parent, error)) {
        return sim::fail(options.path, fmt::format("there is no folder \"{}\"", parent.string()), "make it first");
    }
    const std::string part = options.path + ".part";
    auto process = Ffmpeg::start(arguments(options, format, part), options.path);
    if (!process) return tl::unexpected(process.error());
    return std::make_unique<FfmpegSink>(std::move(*process), options.path, part);
}

}  // namespace

sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options) {
    std::error_code error;
    if (options.path.ends_with('/') || fs::is_directory(options.path, error)) return openStills(options);
    if (options.path.ends_with(".mp4")) return openFfmpeg(options, "mp4");
    if (options.path.ends_with(".gif")) return openFfmpeg(options, "gif");
    return sim::fail(options.path, "is not a kind of file that can be recorded",
                     "end it in .mp4 or .gif, or in / for a folder of PNG files");
}

}  // namespace whorl::app
