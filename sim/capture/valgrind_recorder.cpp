#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "sim/base/output_target.h"
#include "sim/capture/debug_info.h"
#include "sim/capture/program_names.h"
#include "sim/capture/program_recorder.h"

namespace whorl::sim {
namespace {

/// Slots that fit into the second cache of both processors, so that records need not go through memory.
constexpr std::uint32_t kValgrindSlots = 16;
constexpr std::uint32_t kValgrindSlotBytes = 256 * 1024;

/// What Valgrind says, apart from what the program says.
class ToolMessages {
  public:
    ToolMessages() : fd_(memfd_create("whorl-messages", 0)) {}
    ~ToolMessages() {
        if (fd_ >= 0) close(fd_);
    }
    ToolMessages(const ToolMessages&) = delete;
    ToolMessages& operator=(const ToolMessages&) = delete;

    int descriptor() const { return fd_; }
    std::string text() const {
        std::string all;
        std::array<char, 4096> part{};
        lseek(fd_, 0, SEEK_SET);
        for (ssize_t n = 0; (n = read(fd_, part.data(), part.size())) > 0;) {
            all.append(part.data(), static_cast<std::size_t>(n));
        }
        return all;
    }

  private:
    int fd_;
};

/// The functions of an executable whose frames the tool should record, in a file in memory (see valgrind/frames.h).
class FrameList {
  public:
    explicit FrameList(const std::string& program) {
        std::error_code unknown;
        const std::string path = std::filesystem::canonical(program, unknown).string();
        const auto info = unknown ? nullptr : DebugInfo::of(path);
        if (info == nullptr) return;
        std::string text = path + '\n';
        for (const FunctionRange& f : info->functionsWithLocals(kLeastLocal)) {
            text += fmt::format("{:x} {:x}\n", f.start, f.end);
        }
        fd_ = memfd_create("whorl-frames", MFD_CLOEXEC);
        if (fd_ >= 0 && write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            close(std::exchange(fd_, -1));
    }
    ~FrameList() {
        if (fd_ >= 0) close(fd_);
    }
    FrameList(const FrameList&) = delete;
    FrameList& operator=(const FrameList&) = delete;

    /// Empty if there is none.
    std::string path() const { return fd_ < 0 ? std::string() : fmt::format("/proc/{}/fd/{}", getpid(), fd_); }

  private:
    int fd_ = -1;
};

std::vector<std::string> toolCommand(const CaptureOptions& options, const std::string& ring, int messages,
                                     const std::string& frames) {
    // Code must not be made a part of other code (chasing), or the beginning of main could be missed.
    std::vector<std::string> words = {"valgrind",
                                      "--quiet",
                                      "--tool=whorl",
                                      "--vgdb=no",
                                      "--vex-guest-chase=no",
                                      "--fair-sched=try",
                                      fmt::format("--log-fd={}", messages),
                                      "--ring=" + ring};
    if (options.everything) {
        words.emplace_back("--begin=");
        words.emplace_back("--until-exit=no");
    } else if (options.startOff) {
        words.emplace_back("--begin=off");
    } else if (!options.startAt.empty()) {
        words.push_back("--begin=" + options.startAt);
    }
    if (!options.stopAt.empty()) words.push_back("--end=" + options.stopAt);
    if (options.fetches) words.emplace_back("--fetches=yes");
    if (!frames.empty()) words.push_back("--frames=" + frames);
    words.insert(words.end(), options.command.begin(), options.command.end());
    return words;
}

/// Fails where Valgrind cannot begin, and does not say why, or at length.
Expected<void> checkSurroundings() {
    constexpr rlim_t kLeastFiles = 16;  // it reserves 12 for itself
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < kLeastFiles) {
        return fail({}, fmt::format("only {} files may be open at once (ulimit -n)", files.rlim_max),
                    fmt::format("Valgrind, which records programs, needs {}", kLeastFiles));
    }
    const char* const named = std::getenv("TMPDIR");
    const std::string folder = named == nullptr || named[0] == '\0' ? "/tmp" : named;
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        return fail(folder,
                    fmt::format("Valgrind, which records programs, can write no temporary files there: {}",
                                whyNotWritten(errno)),
                    "set TMPDIR to another folder");
    }
    return {};
}

/// What went wrong in the program, if Valgrind was the cause.
std::string unsupported(int status, const std::string& messages) {
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGILL) return {};
    if (messages.find("unhandled instruction bytes: 0x62") != std::string::npos) {
        return "it ended at an AVX-512 instruction, which Valgrind cannot run; compile it for another processor "
               "(-mno-avx512f)";
    }
    if (messages.find("unhandled instruction") != std::string::npos) {
        return "it ended at an instruction that Valgrind cannot run";
    }
    return {};
}

std::string firstLine(const std::string& text) {
    std::string line = text.substr(0, text.find('\n'));
    if (line.starts_with("==")) line.erase(0, std::min(line.find("== ") + 3, line.size()));
    return line;
}

class ValgrindRecorder final : public ProgramRecorder {
  public:
    ValgrindRecorder(RingMemory ring, const CaptureOptions& options, std::string tools, const std::string& program)
        : ProgramRecorder(std::move(ring)),
          options_(options),
          tools_(std::move(tools)),
          frames_(options.names ? program : std::string()) {}

    Expected<ChildProcess> start() override {
        return ChildProcess::start(toolCommand(options_, ring_.path(), messages_.descriptor(), frames_.path()),
                                   {"VALGRIND_LIB=" + tools_}, {messages_.descriptor()});
    }

    bool take(RecordReader& reader, bool hasEnded) override {
        if (ring_.isDamaged()) return false;
        auto records = ring_.full();
        if (!records && hasEnded) records = ring_.left();
        if (!records || (hasEnded && ++slotsLeft_ > kValgrindSlots)) return false;
        if (!reader.take(*records)) ring_.damage();
        ring_.release();
        return true;
    }

    std::string refusal() const override {
        const std::string said = firstLine(messages_.text());
        return said.empty() ? said : "Valgrind cannot run it: " + said;
    }
    std::string failure(int status) const override { return unsupported(status, messages_.text()); }

  private:
    const CaptureOptions& options_;
    std::string tools_;
    ToolMessages messages_;
    FrameList frames_;
    std::uint32_t slotsLeft_ = 0;  ///< that the program left, of those that were taken
};

}  // namespace

Expected<std::unique_ptr<ProgramRecorder>> valgrindRecorder(const CaptureOptions& options, const std::string& program) {
    auto tools = captureFolderWith("whorl-amd64-linux");
    if (!tools) {
        return fail({}, "the tool that records programs is not there",
                    "install Debian's package valgrind, and build Whorl again");
    }
    if (auto sound = checkSurroundings(); !sound) return tl::unexpected(sound.error());
    auto ring = RingMemory::create(kValgrindSlots, kValgrindSlotBytes);
    if (!ring) return tl::unexpected(ring.error());
    return std::make_unique<ValgrindRecorder>(std::move(*ring), options, *std::move(tools), program);
}

}  // namespace whorl::sim
