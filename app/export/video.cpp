#include "app/export/video.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "app/export/film/film_plan.h"
#include "app/export/png.h"
#include "app/export/yuv.h"
#include "app/system/child_process.h"
#include "app/system/threads.h"
#include "app/tasks/task.h"
#include "sim/base/byte_sink.h"
#include "sim/base/byte_source.h"
#include "sim/base/output_file.h"

namespace whorl::app {

// --- ffmpeg ---

namespace {

constexpr std::size_t kMaxSaid = 400;  ///< bytes kept of ffmpeg's messages
constexpr int kLookEvery = 50;         ///< milliseconds, for a cancellation or the end of ffmpeg
constexpr std::size_t kWordsAtATime = 4096;
constexpr int kPipe = 1 << 20;  ///< bytes: the two processes wake each other rarely

/// Processor time of a process in nanoseconds; 0 if unknown.
std::int64_t computedBy(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

sim::Expected<std::unique_ptr<Ffmpeg>> Ffmpeg::start(const std::vector<std::string>& arguments, const std::string& file,
                                                     const sim::Progress& progress,
                                                     std::chrono::milliseconds patience) {
    Pipe input;
    Pipe words;
    if (!input.open() || !words.open()) {
        return sim::fail(file, fmt::format("ffmpeg cannot be started: {}", std::strerror(errno)));
    }
    std::vector<std::string> all = {"ffmpeg"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    pid_t process = 0;
    if (const int error = spawnChild(process, std::move(all), input.ends[0], words.ends[1]); error != 0) {
        return sim::fail(file, fmt::format("ffmpeg cannot be started: {}", std::strerror(error)),
                         "install the package ffmpeg, or record into a folder of PNG files with -o DIR/");
    }
    for (const int end : {input.ends[1], words.ends[0]}) fcntl(end, F_SETFL, O_NONBLOCK);
    fcntl(input.ends[1], F_SETPIPE_SZ, kPipe);  // if the system allows it
    return std::unique_ptr<Ffmpeg>(new Ffmpeg(process, input.take(1), words.take(0), file, progress, patience));
}

Ffmpeg::Ffmpeg(pid_t process, int input, int words, std::string file, const sim::Progress& progress,
               std::chrono::milliseconds patience)
    : process_(process),
      input_(input),
      words_(words),
      file_(std::move(file)),
      progress_(progress),
      patience_(patience) {}

Ffmpeg::~Ffmpeg() {
    kill();
    if (words_ >= 0) close(words_);
}

void Ffmpeg::kill() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    if (process_ == 0) return;
    ::kill(-process_, SIGKILL);
    status_ = awaitChild(std::exchange(process_, 0));
}

bool Ffmpeg::hasEnded() {
    if (process_ == 0) return true;
    const pid_t ended = waitpid(process_, &status_, WNOHANG);
    if (ended == process_ || (ended < 0 && errno != EINTR)) process_ = 0;
    return process_ == 0;
}

/// Reads ffmpeg's messages, so that a full pipe does not block it; keeps the beginning. False at the end.
bool Ffmpeg::takeWords() {
    if (words_ < 0) return false;
    std::array<char, kWordsAtATime> buffer{};
    while (true) {
        const ssize_t n = read(words_, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno == EAGAIN) return true;
        if (n <= 0) break;
        movedAt_ = Clock::now();
        said_.append(buffer.data(), std::min(static_cast<std::size_t>(n), kMaxSaid - std::min(kMaxSaid, said_.size())));
    }
    close(std::exchange(words_, -1));
    return false;
}

/// Waits a little for these events on ffmpeg's input, and reads its messages meanwhile. Fails if cancelled, or if
/// ffmpeg stands still.
sim::Expected<void> Ffmpeg::wait(int events) {
    std::array<pollfd, 2> ends{pollfd{.fd = input_, .events = static_cast<short>(events), .revents = 0},
                               pollfd{.fd = words_, .events = POLLIN, .revents = 0}};
    poll(ends.data(), ends.size(), kLookEvery);
    takeWords();
    if (progress_.cancelled()) return tl::unexpected(sim::Error::byUser());
    if (!standsStill()) return {};
    kill();
    return complaint(
        fmt::format("ffmpeg has done nothing for {:.3g} seconds", std::chrono::duration<double>(patience_).count()));
}

bool Ffmpeg::standsStill() {
    const std::int64_t computed = process_ == 0 ? 0 : computedBy(process_);
    if (computed != std::exchange(computed_, computed)) movedAt_ = Clock::now();
    return Clock::now() - movedAt_ > patience_;
}

sim::Expected<void> Ffmpeg::write(std::span<const std::byte> bytes) {
    movedAt_ = Clock::now();
    while (!bytes.empty()) {
        const ssize_t n = ::write(input_, bytes.data(), bytes.size());
        if (n >= 0) {
            bytes = bytes.subspan(static_cast<std::size_t>(n));
            movedAt_ = Clock::now();
            takeWords();
        } else if (errno == EAGAIN) {
            if (auto waited = wait(POLLOUT); !waited) return waited;
        } else if (errno != EINTR) {
            // ffmpeg closed its input: it has ended or is about to end, and its output has the reason.
            auto ended = awaitEnd();
            return ended ? complaint("ffmpeg " + howItEnded(status_)) : ended;
        }
    }
    return {};
}

sim::Expected<void> Ffmpeg::awaitEnd() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    movedAt_ = Clock::now();
    while (!hasEnded()) {
        if (auto waited = wait(0); !waited) return waited;
    }
    takeWords();
    return {};
}

sim::Expected<void> Ffmpeg::finish() {
    if (auto ended = awaitEnd(); !ended) return ended;
    if (!WIFEXITED(status_) || WEXITSTATUS(status_) != 0) return complaint("ffmpeg " + howItEnded(status_));
    return {};
}

sim::Expected<void> Ffmpeg::complaint(const std::string& what) const {
    std::string said = said_;
    while (said.ends_with('\n') || said.ends_with('\r')) said.pop_back();
    std::replace_if(
        said.begin(), said.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return sim::fail(file_, "could not be recorded: " + what + (said.empty() ? "" : ": " + said));
}

// --- files ---

namespace {

/// Reads a big-endian number.
std::uint64_t numberAt(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
    return value;
}

/// The bytes at a position; fewer at the end of the file.
std::string bytesAt(std::ifstream& file, std::uint64_t at, std::size_t count) {
    std::string bytes(count, '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(at));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    return bytes;
}

bool hasWholeBoxes(std::ifstream& file, std::uint64_t end) {
    constexpr std::size_t kHead = 8;
    constexpr std::size_t kLongHead = 16;
    bool hasMovie = false;
    bool hasMedia = false;
    std::uint64_t at = 0;
    while (at < end) {
        const std::string head = bytesAt(file, at, kLongHead);
        if (head.size() < kHead) return false;
        std::uint64_t size = numberAt(head.substr(0, 4));
        hasMovie |= head.compare(4, 4, "moov") == 0;
        hasMedia |= head.compare(4, 4, "mdat") == 0;
        if (size == 1 && head.size() == kLongHead) size = numberAt(head.substr(kHead));
        if (size == 0) size = end - at;  // 0 means: up to the end of the file
        if (size < kHead || size > end - at) return false;
        at += size;
    }
    return hasMovie && hasMedia;
}

/// The length of a number of EBML by its first byte, 1 to 8; 0: it is none.
std::size_t ebmlLength(unsigned char first) {
    for (std::size_t length = 1; length <= 8; ++length) {
        if ((first & (0x100U >> length)) != 0) return length;
    }
    return 0;
}

/// The id, size and content offset of an EBML element, read from its head; none if the head is incomplete.
struct EbmlElement {
    std::uint64_t id = 0;
    std::uint64_t size = 0;
    std::uint64_t content = 0;
};
std::optional<EbmlElement> ebmlElementAt(std::ifstream& file, std::uint64_t at) {
    constexpr std::size_t kMax = 12;
    const std::string head = bytesAt(file, at, kMax);
    if (head.empty()) return std::nullopt;
    const std::size_t id = ebmlLength(static_cast<unsigned char>(head[0]));
    if (id == 0 || id > 4 || head.size() <= id) return std::nullopt;
    const std::size_t size = ebmlLength(static_cast<unsigned char>(head[id]));
    if (size == 0 || head.size() < id + size) return std::nullopt;
    // The length marker bit is not part of the number.
    const std::uint64_t mask = (std::uint64_t{1} << (7 * size)) - 1;
    return EbmlElement{numberAt(std::string_view(head).substr(0, id)),
                       numberAt(std::string_view(head).substr(id, size)) & mask, at + id + size};
}

bool isWholeWebm(std::ifstream& file, std::uint64_t end) {
    constexpr std::uint64_t kHead = 0x1A45DFA3;
    constexpr std::uint64_t kSegment = 0x18538067;
    const auto head = ebmlElementAt(file, 0);
    if (!head || head->id != kHead || head->size > end - head->content) return false;
    const auto segment = ebmlElementAt(file, head->content + head->size);
    return segment && segment->id == kSegment && segment->size > 0 && segment->size == end - segment->content;
}

/// Copies a file into a pipe or a device.
sim::Expected<void> copyFile(const std::string& from, const std::string& to, sim::Progress& progress) {
    auto source = WHORL_TRY(sim::openFile(from, progress));
    auto sink = WHORL_TRY(sim::createFile(to));
    std::array<char, 65536> buffer{};
    while (true) {
        const auto n = WHORL_TRY(source->read(buffer));
        if (n == 0) return sink->close();
        if (auto written = sink->write({buffer.data(), n}); !written) return written;
    }
}

/// How ffmpeg gets the frames of a film: as it encodes them, where that is possible, which are fewer bytes.
bool isPlanar(const VideoOptions& options, std::string_view format) {
    return format != "gif" && !options.transparent;
}

/// A video made by ffmpeg, which gets the raw frames: each in a thread of its own, while the next one is drawn.
class FfmpegSink final : public FrameSink {
  public:
    FfmpegSink(const VideoOptions& options, std::unique_ptr<Ffmpeg> process, std::unique_ptr<sim::PartFile> part,
               std::string format, std::string device, std::unique_ptr<TemporaryFolder> chapters)
        : width_(options.width),
          height_(options.height),
          isPlanar_(isPlanar(options, format)),
          chapters_(std::move(chapters)),
          process_(std::move(process)),
          part_(std::move(part)),
          format_(std::move(format)),
          device_(std::move(device)) {}
    ~FfmpegSink() override {
        awaitWritten();
        process_.reset();  // before its file is removed
    }

    sim::Expected<void> add(std::span<const std::byte> rgba) override {
        if (isPlanar_) {
            toYuv420(rgba, width_, height_, next_);
        } else {
            next_.assign(rgba.begin(), rgba.end());
        }
        if (auto written = awaitWritten(); !written) return written;
        next_.swap(writing_);
        written_.emplace(pool_, [this](sim::Progress&) -> sim::Expected<bool> {
            return process_->write(writing_).map([] { return true; });
        });
        return {};
    }
    sim::Expected<void> finish() override {
        if (auto written = awaitWritten(); !written) return written;
        if (auto done = process_->finish(); !done) return done;
        if (!isCompleteFilm(part_->path(), format_)) return process_->complaint("the file is not complete");
        sim::Progress copying;
        return device_.empty() ? part_->publish() : copyFile(part_->path(), device_, copying);
    }

  private:
    /// Waits until no frame is being written; the error if one was not.
    sim::Expected<void> awaitWritten() {
        while (!pool_.waitUntilIdle(std::chrono::seconds(1))) continue;
        if (!written_) return {};
        auto result = *written_->take();
        written_.reset();
        if (!result) return tl::unexpected(std::move(result.error()));
        return {};
    }

    int width_;
    int height_;
    bool isPlanar_;
    std::vector<std::byte> next_;
    std::vector<std::byte> writing_;             ///< the thread's, while it writes
    std::unique_ptr<TemporaryFolder> chapters_;  ///< a file that ffmpeg reads; null: there is none
    std::unique_ptr<Ffmpeg> process_;
    std::unique_ptr<sim::PartFile> part_;
    std::string format_;
    std::string device_;  ///< the pipe or device that the complete file is copied to; else empty
    ThreadPool pool_{1};
    std::optional<Task<bool>> written_;
};

/// An absolute path with its protocol: no name is taken for an option, a protocol or a pattern.
std::string asFile(const std::string& path) {
    return "file:" + std::filesystem::absolute(path).string();
}

/// Chapters and sound, and which of the inputs are used.
void addOtherInputs(std::vector<std::string>& a, const VideoOptions& o, const std::string& format,
                    const std::string& chapters) {
    if (format == "gif") return a.emplace_back("-an"), void();
    if (!chapters.empty()) a.insert(a.end(), {"-f", "ffmetadata", "-i", asFile(chapters)});
    if (!o.audio.empty()) a.insert(a.end(), {"-i", asFile(o.audio)});
    a.insert(a.end(), {"-map", "0:v", "-map_chapters", chapters.empty() ? "-1" : "1"});
    if (o.audio.empty()) return a.emplace_back("-an"), void();
    a.insert(a.end(), {"-map", chapters.empty() ? "1:a:0" : "2:a:0"});
    const bool isWebm = format == "webm";
    a.insert(a.end(), {"-c:a", isWebm ? "libopus" : "aac", "-b:a", isWebm ? "128k" : "192k"});
}

/// Always two threads, and no time or version in the file: the same frames give the same bytes everywhere.
/// `chapters`: a file with them; empty: none.
std::vector<std::string> arguments(const VideoOptions& o, const std::string& format, const std::string& part,
                                   const std::string& chapters) {
    std::vector<std::string> a = {"-v",       "error",
                                  "-nostdin", "-y",
                                  "-f",       "rawvideo",
                                  "-pix_fmt", isPlanar(o, format) ? "yuv420p" : "rgba",
                                  "-s",       fmt::format("{}x{}", o.width, o.height),
                                  "-r",       std::to_string(o.framesPerSecond),
                                  "-i",       "pipe:0"};
    addOtherInputs(a, o, format, chapters);
    if (format == "webm") {
        for (const char* s : {"-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4",
                              "-row-mt", "0", "-threads", "2", "-auto-alt-ref", "0", "-pix_fmt"}) {
            a.emplace_back(s);
        }
        a.emplace_back(o.transparent ? "yuva420p" : "yuv420p");
    } else if (format == "mp4") {
        for (const char* s : {"-c:v", "libx264", "-preset", "veryfast", "-crf", "18", "-pix_fmt", "yuv420p", "-threads",
                              "2", "-movflags", "+faststart"}) {
            a.emplace_back(s);
        }
    } else {
        a.emplace_back("-filter_complex");
        a.emplace_back("[0:v]split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none");
    }
    if (isPlanar(o, format)) {
        for (const char* s :
             {"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"}) {
            a.emplace_back(s);
        }
    }
    for (const char* s :
         // Drops only the global metadata, so that chapters keep their titles.
         {"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-map_metadata:g", "-1"})
        a.emplace_back(s);
    if (!o.title.empty()) a.insert(a.end(), {"-metadata", "title=" + o.title});
    a.insert(a.end(), {"-f", format});
    a.push_back(asFile(part));
    return a;
}

sim::Expected<void> checkFormat(const VideoOptions& options, std::string_view format) {
    if (format == "mp4" && (options.width % 2 != 0 || options.height % 2 != 0)) {
        return sim::fail(
            "", fmt::format("--size {}x{}: an .mp4 has an even width and height", options.width, options.height),
            fmt::format("use {}x{}", options.width + options.width % 2, options.height + options.height % 2));
    }
    if (options.transparent && (format == "mp4" || format == "gif")) {
        return sim::fail("", fmt::format("--transparent: an .{} has no transparency", format),
                         "record a .webm, or a folder of PNG files with -o DIR/");
    }
    if (!options.audio.empty() && format != "mp4" && format != "webm") {
        return sim::fail("", "--audio: only an .mp4 or a .webm has sound", "record one of them");
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
    const auto target = WHORL_TRY(sim::outputTarget(options.path));
    auto part = WHORL_TRY(sim::PartFile::forTarget(workplaceOf(target)));
    std::unique_ptr<TemporaryFolder> chapters;
    std::string chaptersFile;
    if (!options.chapters.empty() && format != "gif") {
        chapters = std::make_unique<TemporaryFolder>();
        WHORL_TRY(chapters->checked());
        chaptersFile = chapters->path() + "/chapters";
        if (auto written = sim::writeText(metadataOf(options.chapters), chaptersFile); !written) {
            return tl::unexpected(written.error());
        }
    }
    auto process =
        WHORL_TRY(Ffmpeg::start(arguments(options, format, part->path(), chaptersFile), options.path, progress));
    const bool isFile = target.kind == sim::OutputTarget::Kind::file;
    return std::make_unique<FfmpegSink>(options, std::move(process), std::move(part), format, isFile ? "" : target.path,
                                        std::move(chapters));
}

/// "mp4", "webm", "gif", "/" for a folder, or empty.
std::string formatOf(const std::string& path) {
    std::error_code error;
    if (path.ends_with('/') || std::filesystem::is_directory(path, error)) return "/";
    for (const char* const format : {"mp4", "webm", "gif"}) {
        if (path.ends_with(std::string(".") + format)) return format;
    }
    return {};
}

}  // namespace

bool isCompleteFilm(const std::string& path, std::string_view format) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff end = file.tellg();
    if (!file || end <= 0) return false;
    const auto size = static_cast<std::uint64_t>(end);
    if (format == "mp4") return hasWholeBoxes(file, size);
    if (format == "webm") return isWholeWebm(file, size);
    constexpr char kTrailer = 0x3b;
    return bytesAt(file, 0, 4) == "GIF8" && bytesAt(file, size - 1, 1) == std::string(1, kTrailer);
}

sim::Expected<void> checkVideo(const VideoOptions& options) {
    const std::string format = formatOf(options.path);
    if (format.empty()) {
        return sim::fail(options.path, "is not a kind of file that can be recorded",
                         "end it in .mp4, .webm or .gif, or in / for a folder of PNG files");
    }
    if (auto checked = checkFormat(options, format); !checked) return checked;
    return format == "/" ? checkStills(options) : sim::checkOutput(options.path);
}

sim::Expected<std::unique_ptr<FrameSink>> openVideo(const VideoOptions& options, const sim::Progress& progress) {
    WHORL_TRY(checkVideo(options));
    const std::string format = formatOf(options.path);
    return format == "/" ? openStills(options) : openFfmpeg(options, format, progress);
}

sim::Expected<double> soundLength(const std::string& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) return sim::fail(path, "no such file", "name a file with the sound");
    if (!std::filesystem::is_regular_file(status))
        return sim::fail(path, "is not a file", "name a file with the sound");
    sim::Progress progress;
    WHORL_TRY(sim::openFile(path, progress));
    std::string said;
    const std::string ask =
        "ffprobe -v quiet -select_streams a:0 -show_entries stream=codec_type:format=duration -of "
        "default=nokey=1:noprint_wrappers=1 -i " +
        shellQuoted(asFile(path));
    // "audio", and the seconds.
    const bool isRead = runInShell(ask, said);
    const double seconds = said.starts_with("audio\n") ? std::strtod(said.c_str() + 6, nullptr) : 0;
    if (isRead && std::isfinite(seconds) && seconds > 0) return seconds;
    return sim::fail(path, "has no sound that ffmpeg can read",
                     "use a .wav, for example; the package ffmpeg must be installed");
}

}  // namespace whorl::app
