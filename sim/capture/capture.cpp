#include "sim/capture/capture.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/capture/debug_info.h"
#include "sim/capture/dynamic_arrays.h"
#include "sim/capture/process_recording.h"
#include "sim/capture/program_names.h"
#include "sim/capture/program_recorder.h"
#include "sim/capture/record_reader.h"
#include "sim/capture/traced_process.h"
#include "sim/trace/formats/whorl_writer.h"

namespace whorl::sim {
namespace {

constexpr unsigned kPause = 100;      ///< microseconds between checks for records
constexpr unsigned kSlotPauses = 10;  ///< about the time that recording a slot takes, in pauses
constexpr const char* kDamaged =
    "it wrote over the memory through which it is recorded: what it did from then on is not recorded";
constexpr const char* kBecameOther = "it called exec: the program that took its place is not recorded";

/// The path of a program; an error if Valgrind cannot run it.
Expected<std::string> checkedProgram(const std::string& name) {
    const std::string path = findProgram(name);
    if (path.empty()) {
        const bool exists = access(name.c_str(), F_OK) == 0;
        return fail(name, exists ? "this is not a program that may be executed" : "there is no such program",
                    exists ? "compile it, or make it executable with chmod +x" : "give its path, such as ./prog");
    }
    std::array<char, 20> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    if (std::string_view(head.data(), 2) == "#!") return path;
    if (std::string_view(head.data(), 4) !=
        "\x7f"
        "ELF") {
        return fail(name, "this is neither an executable of Linux nor a script",
                    "give a compiled program, or the interpreter and its script: python3 prog.py");
    }
    constexpr unsigned char kAmd64 = 62;
    if (head[4] != 2 || static_cast<unsigned char>(head[18]) != kAmd64) {
        return fail(name, "this is not a program for 64-bit x86", "compile it for x86-64");
    }
    return path;
}

bool isOneOf(const std::string& file, const std::vector<std::string>& wanted) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const std::string& w) {
        if (!file.ends_with(w)) return false;
        return file.size() == w.size() || file[file.size() - w.size() - 1] == '/';
    });
}

/// The error if nothing was recorded.
tl::unexpected<Error> nothing(const CaptureOptions& options, const CaptureLog& log, const Executable& executable,
                              int status, const std::string& refusal) {
    const std::string& name = options.command[0];
    if (!log.begun && !options.startAt.empty()) {
        return fail(name,
                    fmt::format("its function \"{}\" was never called, so that nothing was recorded", options.startAt),
                    "give the name of a function as it is in the source, of a program that is not stripped");
    }
    if (!log.begun && options.startOff) {
        return fail(name, "it never asked for recording",
                    "call WHORL_ON() of whorl.h where recording should begin, or send SIGUSR1 to whorl");
    }
    if (!refusal.empty() && !log.begun) return fail(name, refusal);
    if (!log.begun && executable.isStatic && !executable.hasSymbols) {
        return fail(name, "it is static and has no symbols, so that it cannot be seen where its main begins",
                    "--all records it from its first instruction; linked without -s it is recorded from main");
    }
    if (!log.begun) {
        return fail(name, "it did not get as far as main, so that nothing was recorded",
                    "--all records it from its first instruction");
    }
    return fail(name,
                fmt::format("it made no access that is to be recorded (it ended with status {})", shellStatus(status)));
}

class CaptureSession final : public ProcessRecording {
  public:
    CaptureSession(const CaptureOptions& options, std::shared_ptr<WhorlStream> file, ProgramRecorder& recorder,
                   ChildProcess program)
        : options_(options),
          file_(std::move(file)),
          recorder_(recorder),
          program_(program),
          builder_(options.command[0]),
          reader_(builder_, options.most, use(), news()),
          names_(reader_.log()),
          arrays_(names_) {
        builder_.keepIn(file_);
        reader_.log().hasAllocators = recorder.recordsLibraries();
        builder_.machine(options.machine);
        reader_.keepWindows(options.windows, hasLimits() || hasFilters());
    }

    // For a process beside others, see process_recording.h.
    void isOf(ChildProcess process) override { program_ = process; }
    bool take(bool hasEnded) override {
        passSwitches();
        return takeRecords(hasEnded);
    }
    void inherit(const ProcessRecording& parent) override {
        reader_.inherit(static_cast<const CaptureSession&>(parent).reader_);
        switches_ = reader_.switches();
    }
    RecordReader& reader() override { return reader_; }
    std::uint64_t accesses() const override { return builder_.size(); }
    void askedToEnd() override { wasAsked_ = true; }
    void leave() override {
        recorder_.close();
        runsOn_ = true;
    }
    Expected<Captured> conclude(int status, const Executable& executable, const std::string& path) override {
        if (const std::string why = obstacle(status); !why.empty() && !options_.evenIfCut) {
            return fail(options_.command[0], why);
        }
        if (builder_.size() == 0) return nothingRecorded(executable, status);
        // The libraries of the program are known only now: check that the output is none of them.
        WHORL_TRY(checkOutput(path, modules()));
        return finish(status);
    }

    /// Takes records until the program has ended. Returns its wait status.
    int run(const AskedToStop& asked, Progress& progress) {
        constexpr std::size_t kAhead = 48;
        if (!options_.threads) return takeAll(asked, progress);
        int status = 0;
        inTwoThreads<AccessPiece>(
            options_.threads, kAhead,
            [&](Handover<AccessPiece>& packer) {
                builder_.packElsewhere(packer);
                status = takeAll(asked, progress);
                builder_.flush();
            },
            [&](AccessPiece& piece) { builder_.pack(piece); });
        builder_.packHere();
        return status;
    }

    int takeAll(const AskedToStop& asked, Progress& progress) {
        std::optional<int> ended;
        std::optional<unsigned> pausesLeft;  // set once the program was asked to end
        for (;;) {
            const int signal = asked();
            wasAsked_ = wasAsked_ || signal != 0;
            passSwitches();
            // The terminal sends Ctrl+C to the program, too.
            if (signal != 0 && !pausesLeft && signal != SIGINT) program_.send(signal);
            if (signal != 0 && !pausesLeft) pausesLeft = options_.patience;
            if (takeRecords(ended.has_value())) {
                progress.setAccesses(builder_.size());
                if (pausesLeft) *pausesLeft -= std::min(*pausesLeft, kSlotPauses);
            } else {
                if (ended) return *ended;
                ended = program_.ended();
                if (ended) continue;
                usleep(kPause);
                if (pausesLeft) *pausesLeft -= std::min(*pausesLeft, 1u);
            }
            if (ended || pausesLeft != 0u) continue;
            recorder_.close();
            runsOn_ = true;
            return signal;
        }
    }

    /// How the way of recording ended the program, in a sentence; empty if it did not.
    std::string obstacle(int status) {
        const std::string what = recorder_.obstacle(status);
        const std::string place = what.empty() ? std::string() : placeOfEnd();
        return what.empty() ? what : fmt::format("it ended {}{}at {}", place, place.empty() ? "" : ", ", what);
    }

    /// The events that ended the recording before the program ended, one sentence each.
    std::vector<std::string> endings() {
        std::vector<std::string> said;
        if (recorder_.isDamaged()) said.emplace_back(kDamaged);
        if (reader_.log().becameOther && !options_.children) said.emplace_back(kBecameOther);
        if (runsOn_) {
            said.push_back(fmt::format(
                "it did not end when it was asked to: process {} runs on, and what it does is no longer recorded",
                program_.id()));
        }
        return said;
    }

    /// Gives the trace its names, and completes the file.
    Expected<Captured> finish(int status) {
        sayEnd(status);
        builder_.flush();
        reader_.finish();
        if (options_.names) {
            nameSites(builder_, names_, options_.sources);
            nameMemory(builder_, names_, reader_.log(), arrays_.found());
        }
        nameThreads();
        addModules();
        sayLosses();
        if (builder_.cpus() > 1) builder_.keep(std::move(reader_.log().syncs));
        if (reader_.gate().hasWindows()) builder_.keep(reader_.gate().takenWindows());
        const Trace trace = builder_.finish();
        return file_->finish(trace).map([&](std::uint64_t kept) {
            Captured captured{.accesses = kept, .status = shellStatus(status), .losses = trace.losses()};
            if (kept < trace.size()) captured.losses.push_back(fullDisk());
            captured.busiest = busiestFunction(trace);
            return captured;
        });
    }

    /// The files of all modules whose code ran.
    std::vector<std::string> modules() {
        std::vector<std::string> paths;
        for (const CapturedModule& m : reader_.log().modules) paths.push_back(m.path);
        return paths;
    }

  private:
    tl::unexpected<Error> nothingRecorded(const Executable& executable, int status) {
        const std::vector<std::string> said = endings();
        if (!said.empty()) return fail(options_.command[0], said.front());
        return nothing(options_, reader_.log(), executable, status, recorder_.refusal());
    }

    const CaptureOptions& options_;
    std::shared_ptr<WhorlStream> file_;
    ProgramRecorder& recorder_;
    ChildProcess program_;
    TraceBuilder builder_;
    RecordReader reader_;
    ProgramNames names_;
    DynamicArrays arrays_;
    std::unordered_map<std::string, std::uint32_t> functions_;  ///< that call others
    unsigned switches_ = 0;                                     ///< passed on to the program
    bool runsOn_ = false;                                       ///< the program runs on although it was asked to end
    bool wasAsked_ = false;                                     ///< the program was asked to end

    /// The source line at which a signal ended the program: "at a.c:6, in down"; empty: unknown.
    std::string placeOfEnd() {
        for (const std::uint64_t pc : recorder_.endedAt()) {
            const CodePlace place = names_.placeOf(pc);
            if (place.line > 0) return fmt::format("at {}:{}, in {}", place.file, place.line, place.function);
        }
        const CodePlace place = names_.placeOf(reader_.lastPc());
        if (place.line == 0 || !recorder_.endedAt().empty()) return {};
        return fmt::format("after its last access, at {}:{}, in {}", place.file, place.line, place.function);
    }

    /// Records that a signal ended the program, unless it was asked to end.
    void sayEnd(int status) {
        if (!WIFSIGNALED(status) || wasAsked_) return;
        if (std::string why = obstacle(status); !why.empty()) return builder_.lost(std::move(why));
        const int signal = WTERMSIG(status);
        const char* const name = sigabbrev_np(signal);
        const char* const words = sigdescr_np(signal);
        const std::string called =
            name == nullptr ? std::to_string(signal) : fmt::format("SIG{} ({})", name, words == nullptr ? "" : words);
        const std::string place = placeOfEnd();
        builder_.lost(fmt::format("signal {} ended it{}{}", called, place.empty() ? "" : " ", place));
    }

    bool isWanted(std::uint64_t pc) {
        const auto& functions = options_.functions;
        const bool isIn = functions.empty() || std::any_of(functions.begin(), functions.end(),
                                                           [&](const auto& f) { return names_.isIn(pc, f); });
        return isIn && (options_.files.empty() || isOneOf(names_.placeOf(pc).file, options_.files));
    }

    /// Whether recording starts and stops at the first accesses by functions, as the recorder does not see them begin.
    bool hasLimits() const {
        return !recorder_.knowsFunctions() && !(options_.startAt.empty() && options_.stopAt.empty());
    }
    bool hasFilters() const { return !options_.functions.empty() || !options_.files.empty(); }

    RecordReader::Use use() {
        if (!hasFilters() && !hasLimits() && !options_.names) return {};
        return [this, hasLimits = hasLimits(), hasFilters = hasFilters()](std::uint64_t pc) {
            const auto isAt = [&](const std::string& f) { return hasLimits && !f.empty() && names_.isIn(pc, f); };
            return RecordReader::SiteUse{.isWanted = !hasFilters || isWanted(pc),
                                         .begins = isAt(options_.startAt),
                                         .ends = isAt(options_.stopAt),
                                         .array = options_.names ? arrays_.numberOf(pc) : 0};
        };
    }

    /// Announces memory that will get a name before it is accessed.
    RecordReader::News news() {
        if (!options_.names) return {};
        const auto expect = [this](const std::vector<Region>& regions) {
            for (const Region& r : regions) builder_.expectRegion(r.base, r.size);
        };
        return {
            .module = [this, expect](const CapturedModule& m) { expect(names_.globalsOf(m)); },
            .main = [this, expect] { expect(names_.localsOfMain()); },
            .array = [this](std::uint32_t array, ByteAddress address, std::uint32_t size,
                            std::uint64_t stack) { arrays_.take(array, address, size, stack, Tick{builder_.size()}); },
            .function = options_.recordsCalls() ? [this](std::uint64_t pc) { return functionsAt(pc); }
                                                : CallStacks::FunctionOf()};
    }

    /// The functions of an instruction; one without a name is a function of its own.
    std::vector<CallStacks::Function> functionsAt(std::uint64_t pc) {
        std::vector<CallStacks::Function> found;
        for (CodePlace& place : names_.inlinedPlacesOf(pc)) {
            const SiteId inlinedAt = found.empty() ? SiteId{} : builder_.site(place.file, place.line, place.function);
            if (place.function.empty()) place.function = fmt::format("{:#x}", pc);
            const auto number = static_cast<std::uint32_t>(functions_.size());
            found.push_back({.number = functions_.try_emplace(std::move(place.function), number).first->second,
                             .inlinedAt = inlinedAt,
                             .hasLines = place.line > 0});
        }
        return found;
    }

    void passSwitches() {
        const unsigned wanted = options_.switches ? options_.switches() : switches_;
        if (wanted != switches_) recorder_.askToSwitch(wanted - switches_);
        switches_ = wanted;
    }

    bool takeRecords(bool hasEnded) {
        const bool any = recorder_.take(reader_, hasEnded);
        if (reader_.isFull() || builder_.isStoreFull() || recorder_.isDamaged()) recorder_.close();
        return any;
    }

    void nameThreads() {
        if (reader_.log().threads.size() < 2) return;
        for (const auto& [number, thread] : reader_.log().threads) {
            std::string name = thread.name;
            if (name.empty()) name = number == 1 ? "main" : fmt::format("thread {}", number);
            if (thread.cpu >= builder_.cpus()) continue;
            const bool isShared = number > kMaxCpus;
            if (!isShared) builder_.nameCpu(thread.cpu, std::move(name));
        }
    }

    void addModules() {
        for (const CapturedModule& m : reader_.log().modules) {
            builder_.addModule({.path = m.path, .base = ByteAddress{m.start}, .size = m.size});
        }
    }

    std::string fullDisk() const {
        const std::string why = file_->failure() ? file_->failure()->what : "the disk is full";
        return fmt::format("{}: what came after the accesses in the file is not recorded", why);
    }

    void sayLosses() {
        const CaptureLog& log = reader_.log();
        for (const std::string& note : log.notes) builder_.lost(note);
        for (std::string& ending : endings()) builder_.lost(std::move(ending));
        if (builder_.isStoreFull()) builder_.lost(fullDisk());
        if (log.threads.size() > kMaxCpus) {
            builder_.lost(fmt::format("it had {} threads, but there are {} CPUs: some threads share one",
                                      log.threads.size(), kMaxCpus));
        }
        if (log.unnamedAllocations > 0) {
            builder_.lost(fmt::format("only the first {} blocks of the heap have names; {} more have none",
                                      kMaxAllocations, log.unnamedAllocations));
        }
        if (log.unnamedFrames > 0) {
            builder_.lost(
                fmt::format("only the variables of the first {} calls of functions have names; those of {} "
                            "more have none",
                            kMaxStackFrames, log.unnamedFrames));
        }
        if (log.unkeptSyncs > 0) {
            builder_.lost(fmt::format(
                "{} uses of locks and the like are not in the file: the accesses stay in the order of the recording",
                log.unkeptSyncs));
        }
        if (log.mergedCalls > 0) {
            builder_.lost(
                fmt::format("its functions call each other in more than {} ways: for the others, only the "
                            "outer calls are known",
                            CallStacks::kMaxCalls));
        }
        if (recorder_.hasLost() && !recorder_.isDamaged()) {
            builder_.lost(
                "more threads were alive than can be recorded, or signals came within signals: their accesses are "
                "missing");
        }
        if (reader_.isFull()) {
            builder_.lost(fmt::format("recording ended after {} accesses, as --max asked", options_.most));
        }
    }
};

}  // namespace

bool isRecordable(const std::string& name) {
    return checkedProgram(name).has_value();
}

Expected<void> checkOutputOf(const std::vector<std::string>& command, const std::string& output) {
    // Only an existing file can be replaced.
    if (access(output.c_str(), F_OK) != 0) return checkOutput(output);
    std::vector<std::string> files = command;
    files[0] = findProgram(command[0]);
    if (const auto info = DebugInfo::of(files[0])) {
        for (std::string& source : info->sources()) files.push_back(std::move(source));
    }
    files.emplace_back("-");
    return checkOutput(output, files);
}

Expected<std::string> captureFolderWith(const std::string& file) {
    std::error_code ignored;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    for (const std::filesystem::path& folder :
         {self.parent_path() / "capture", self.parent_path().parent_path() / "capture",
          self.parent_path().parent_path() / "lib" / "whorl"}) {
        if (std::filesystem::exists(folder / file, ignored)) return folder.string();
    }
    return fail({}, fmt::format("{}, a part of Whorl, is not there", file), "build or install Whorl again");
}

Expected<Captured> capture(const CaptureOptions& options, const std::string& path, const AskedToStop& asked,
                           Progress& progress) {
    const auto program = WHORL_TRY(checkedProgram(options.command[0]));
    WHORL_TRY(checkOutputOf(options.command, path));
    const Executable executable = executableAt(program);
    if (options.children) return captureTree(options, program, executable, path, asked, progress);
    auto recorder =
        WHORL_TRY(executable.hasRuntime ? runtimeRecorder(options) : valgrindRecorder(options, program, executable));
    auto file = WHORL_TRY(WhorlStream::create(path, options.windows.any()));
    auto started = WHORL_TRY((recorder)->start());
    CaptureSession recording(options, std::move(file), *recorder, started);
    const int status = recording.run(asked, progress);
    return recording.conclude(status, executable, path);
}

std::unique_ptr<ProcessRecording> recordingOf(const CaptureOptions& options, std::shared_ptr<WhorlStream> file,
                                              ProgramRecorder& recorder) {
    return std::make_unique<CaptureSession>(options, std::move(file), recorder, ChildProcess::ofOther(0));
}

}  // namespace whorl::sim
