#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "sim/base/output_file.h"
#include "sim/capture/capture.h"
#include "sim/capture/debug_info.h"
#include "sim/capture/program_names.h"
#include "sim/capture/program_recorder.h"

namespace whorl::sim {
namespace {

/// Valgrind's messages, kept apart from the program's output.
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

/// The functions of an executable whose frames, or what they return, the tool should record, as a file in memory (see
/// valgrind/frames.h).
class FrameList {
  public:
    FrameList(const std::string& program, const std::vector<std::string>& allocators) {
        std::error_code unknown;
        const std::string path = std::filesystem::canonical(program, unknown).string();
        const auto info = unknown ? nullptr : DebugInfo::of(path);
        if (info == nullptr) return;
        std::string text = path + '\n';
        for (const FunctionRange& f : info->functionsWithLocals(kMinLocal)) {
            text += fmt::format("{:x} {:x}\n", f.start, f.end);
        }
        for (const AllocatingFunction& f : info->allocators(allocators)) {
            text += fmt::format("+{:x} {:x} {:x} {:x}\n", f.start, f.first, f.second, f.unit);
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

    /// The path of the file; empty if there is none.
    std::string path() const { return fd_ < 0 ? std::string() : fmt::format("/proc/{}/fd/{}", getpid(), fd_); }

  private:
    int fd_ = -1;
};

std::vector<std::string> toolCommand(const CaptureOptions& options, const RingMemory& ring, int messages,
                                     const std::string& frames, bool isGo) {
    // Debian's "valgrind" is a script that starts valgrind.bin with variables for the program and its children.
    const bool hasBare = !findProgram("valgrind.bin").empty();
    // Without --vex-guest-chase=no, code could become a part of other code, and the beginning of main be missed.
    std::vector<std::string> words = {hasBare ? "valgrind.bin" : "valgrind",
                                      "--tool=whorl",
                                      "--sigill-diagnostics=yes",
                                      "--show-below-main=yes",  // prevents it from renaming the caller of main
                                      "--vgdb=no",
                                      "--vex-guest-chase=no",
                                      "--fair-sched=try",
                                      fmt::format("--log-fd={}", messages),
                                      (options.children ? "--pool=" : "--ring=") + ring.path()};
    if (options.children) words.emplace_back("--trace-children=yes");
    if (options.everything) {
        words.emplace_back("--begin=");
        words.emplace_back("--until-exit=no");
    } else if (options.startOff) {
        words.emplace_back("--begin=off");
    } else if (!options.startAt.empty()) {
        words.push_back("--begin=" + options.startAt);
    }
    if (!options.stopAt.empty()) words.push_back("--end=" + options.stopAt);
    if (isGo) words.emplace_back("--main=main.main");
    if (options.fetches) words.emplace_back("--fetches=yes");
    if (options.recordsCalls()) words.emplace_back("--calls=yes");
    if (!frames.empty()) words.push_back("--frames=" + frames);
    words.insert(words.end(), options.command.begin(), options.command.end());
    return words;
}

/// The messages of the process itself, not of those that it forked, without those at Valgrind's start and end.
std::vector<std::string> messagesOf(pid_t process, const std::string& text) {
    const std::string prefix = fmt::format("=={}== ", process);
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(prefix)) line.erase(0, prefix.size());
        if (!line.empty() && !line.starts_with("==")) lines.push_back(std::move(line));
    }
    return lines;
}

/// Fails in environments where Valgrind cannot start, without a message or with a long one.
Expected<void> checkSurroundings() {
    constexpr rlim_t kMinFiles = 16;  // Valgrind reserves 12 for itself
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < kMinFiles) {
        return fail({}, fmt::format("only {} files may be open at once (ulimit -n)", files.rlim_max),
                    fmt::format("Valgrind, which records programs, needs {}", kMinFiles));
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

class ValgrindRecorder final : public ProgramRecorder {
  public:
    ValgrindRecorder(RingMemory ring, const CaptureOptions& options, std::string tools, const std::string& program,
                     bool isGo)
        : ProgramRecorder(std::move(ring)),
          options_(options),
          tools_(std::move(tools)),
          isGo_(isGo),
          messages_(std::make_shared<ToolMessages>()),
          frames_(options.names ? program : std::string(), options.allocators) {}

    Expected<ChildProcess> start() override {
        auto started = ChildProcess::start(toolCommand(options_, ring_, messages_->descriptor(), frames_.path(), isGo_),
                                           {"VALGRIND_LIB=" + tools_}, {messages_->descriptor()});
        if (started) process_ = started->id();
        return started;
    }

    bool take(RecordReader& reader, bool hasEnded) override {
        if (ring_.isDamaged()) return false;
        auto records = ring_.full();
        if (!records && hasEnded) records = ring_.left();
        if (!records || (hasEnded && ++slotsLeft_ > kValgrindRing.slots)) return false;
        if (!reader.take(*records)) ring_.damage();
        ring_.release(reader.taken());
        return true;
    }

    std::unique_ptr<ProgramRecorder> ofOther(RingMemory ring) const override {
        auto other = std::make_unique<ValgrindRecorder>(std::move(ring), options_, tools_, std::string(), false);
        other->messages_ = messages_;
        return other;
    }

    int signalOfEnd() const override {
        constexpr std::string_view kEnd = "Process terminating with default action of signal ";
        for (const std::string& line : messages()) {
            if (line.starts_with(kEnd)) return std::atoi(line.c_str() + kEnd.size());
        }
        return 0;
    }

    std::string refusal() const override {
        for (const std::string& line : messages()) {
            if (line.starts_with("valgrind: ")) return "Valgrind cannot run it: " + line.substr(10);
            if (line.starts_with("whorl: ")) return line.substr(7);
        }
        return {};
    }

    std::vector<std::uint64_t> endedAt() const override {
        const std::vector<std::string> lines = messages();
        const auto isEnd = [](const std::string& line) { return line.starts_with("Process terminating"); };
        auto line = std::find_if(lines.begin(), lines.end(), isEnd);
        std::vector<std::uint64_t> calls;
        for (; line != lines.end(); ++line) {
            // Lines are like "   at 0x109198: down (crash.c:6)", with "by" for callers.
            const std::size_t number = line->find(" 0x");
            const bool isCall = line->starts_with("   at 0x") || line->starts_with("   by 0x");
            if (isCall) calls.push_back(std::strtoull(line->c_str() + number + 1, nullptr, 16));
        }
        return calls;
    }

    std::string obstacle(int status) const override {
        // A program that only probes for such an instruction catches the signal.
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGILL) return {};
        const std::vector<std::string> lines = messages();
        const auto isIt = [](const std::string& line) {
            return line.find("unhandled instruction bytes:") != line.npos;
        };
        const auto line = std::find_if(lines.begin(), lines.end(), isIt);
        if (line == lines.end()) return {};
        const bool isAvx512 = line->find("bytes: 0x62 ") != line->npos;
        return fmt::format("{}, which Valgrind cannot run: compile it with whorl cc, which records without Valgrind{}",
                           isAvx512 ? "an AVX-512 instruction" : "an instruction",
                           isAvx512 ? ", or for another processor (-mno-avx512f)" : "");
    }

  private:
    const CaptureOptions& options_;
    std::string tools_;
    bool isGo_;
    std::shared_ptr<ToolMessages> messages_;
    FrameList frames_;
    std::uint32_t slotsLeft_ = 0;  ///< slots taken after the program has ended

    std::vector<std::string> messages() const { return messagesOf(process_, messages_->text()); }
};

/// An error for a program that does not fit below Valgrind's own code, where Valgrind loads programs.
Expected<void> checkRoom(const std::string& name, const Executable& executable) {
    constexpr std::uint64_t kValgrind = 0x58000000;
    constexpr std::uint64_t kMovable = 0x108000;  // where it loads position-independent executables
    const std::uint64_t start = executable.isMovable ? kMovable : 0;
    if (executable.loadedEnd <= kValgrind - start || executable.zeroed < kValgrind / 2) return {};
    constexpr double kGiga = 1e9;
    return fail(name,
                fmt::format("its static variables take {:.1f} GB, and Valgrind has room for {:.1f} GB",
                            static_cast<double>(executable.zeroed) / kGiga, static_cast<double>(kValgrind) / kGiga),
                "compile it with whorl cc, which records without Valgrind, or allocate them (malloc)");
}

}  // namespace

Expected<std::unique_ptr<ProgramRecorder>> valgrindRecorder(const CaptureOptions& options, const std::string& program,
                                                            const Executable& executable,
                                                            const std::shared_ptr<ProcessPool>& pool) {
    WHORL_TRY(checkRoom(options.command[0], executable));
    auto tools = captureFolderWith("whorl-amd64-linux");
    if (!tools) {
        return fail({}, "the tool that records programs is not there",
                    "install Debian's package valgrind, and build Whorl again");
    }
    WHORL_TRY(checkSurroundings());
    auto ring = WHORL_TRY(pool ? pool->ring(0) : RingMemory::create(kValgrindRing.slots, kValgrindRing.slotBytes));
    return std::make_unique<ValgrindRecorder>(std::move(ring), options, *std::move(tools), program, executable.isGo);
}

}  // namespace whorl::sim
