#include "sim/capture/runtime_recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/capture/capture.h"
#include "sim/capture/merged_records.h"
#include "sim/capture/program_recorder.h"

namespace whorl::sim {

namespace {

using Words = std::vector<std::string>;

bool has(const Words& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Whether the command compiles or links a file, rather than only querying the compiler.
bool hasInput(const Words& command) {
    for (std::size_t i = wordsOfCompiler(command); i < command.size(); ++i) {
        if (command[i].empty() || command[i] == "-o") {
            ++i;
        } else if (command[i].front() != '-' || command[i].starts_with("-l")) {
            return true;
        }
    }
    return false;
}

bool makesExecutable(const Words& command) {
    static constexpr std::array<std::string_view, 10> kOther = {
        "-c", "-S", "-E", "-M", "-MM", "-shared", "-r", "-fsyntax-only", "-###", "--version"};
    return hasInput(command) &&
           std::none_of(kOther.begin(), kOther.end(), [&](std::string_view o) { return has(command, o); });
}

}  // namespace

std::size_t wordsOfCompiler(const Words& command) {
    static constexpr std::array<std::string_view, 4> kWrappers = {"ccache", "sccache", "distcc", "icecc"};
    if (command.size() < 2) return command.size();
    const std::string_view name = std::string_view(command[0]).substr(command[0].rfind('/') + 1);
    return std::find(kWrappers.begin(), kWrappers.end(), name) != kWrappers.end() ? 2 : 1;
}

Expected<Words> instrumentedCompile(const Words& command, CompilerKind kind, const std::string& folder) {
    for (const std::string& word : command) {
        if (word.starts_with("-fsanitize=")) {
            return fail(word, "a program cannot be recorded and checked by a sanitizer at once",
                        "leave it out; whorl cc uses the compiler's own for recording");
        }
    }
    Words words = command;
    words.push_back(kind == CompilerKind::gcc ? "-specs=" + folder + "/gcc.specs" : "@" + folder + "/clang.options");
    words.emplace_back("-fno-lto");
    if (!makesExecutable(command)) return words;
    for (const char* const option : {"-static", "-static-pie"}) {
        if (!has(command, option)) continue;
        return fail(option, "a static executable cannot be recorded this way",
                    "leave it out, or compile without whorl cc: whorl capture records static executables, too");
    }
    words.push_back("@" + folder + "/link.options");
    words.push_back("-Wl,--whole-archive," + folder + "/libwhorl_runtime.a,--no-whole-archive");
    return words;
}

namespace {

/// Takes records when a slot is full, or else after this number of calls.
constexpr unsigned kLooks = 100;

class RuntimeRecorder final : public ProgramRecorder {
  public:
    RuntimeRecorder(RingMemory ring, const CaptureOptions& options)
        : ProgramRecorder(std::move(ring)), options_(options), merged_(ring_) {}

    Expected<ChildProcess> start() override {
        const char* const begin = options_.everything ? "all" : options_.startOff ? "off" : "main";
        Words environment{(options_.children ? "WHORL_POOL=" : "WHORL_RING=") + ring_.path(),
                          std::string("WHORL_BEGIN=") + begin};
        if (options_.recordsCalls()) environment.emplace_back("WHORL_CALLS=1");
        return ChildProcess::start(options_.command, environment, {});
    }

    bool take(RecordReader& reader, bool hasEnded) override {
        if (!hasBegun_ && !options_.startAt.empty()) reader.waitForBegin();
        hasBegun_ = true;
        if (hasTakenLast_ || ring_.isDamaged()) return false;
        if (!hasEnded && !merged_.anyFull() && ++looks_ < kLooks) return false;
        looks_ = 0;
        hasTakenLast_ = hasEnded;
        const bool any = merged_.take(hasEnded, [&](std::uint32_t thread, std::span<const whorl_record> records) {
            if (ring_.isDamaged()) return;
            reader.ofThread(thread);
            if (!reader.take(records)) ring_.damage();
        });
        ring_.checkHead();
        return any;
    }

    std::unique_ptr<ProgramRecorder> ofOther(RingMemory ring) const override {
        return std::make_unique<RuntimeRecorder>(std::move(ring), options_);
    }

    bool knowsFunctions() const override { return false; }
    bool recordsLibraries() const override { return false; }

  private:
    const CaptureOptions& options_;
    MergedRecords merged_;
    bool hasBegun_ = false;
    bool hasTakenLast_ = false;  ///< the last records were taken; forked processes that go on writing are ignored
    unsigned looks_ = 0;
};

}  // namespace

Expected<std::unique_ptr<ProgramRecorder>> runtimeRecorder(const CaptureOptions& options,
                                                           const std::shared_ptr<ProcessPool>& pool) {
    if (options.fetches) {
        return fail(options.command[0], "instruction fetches of a program that whorl cc compiled cannot be recorded",
                    "leave --fetches out, or compile the program without whorl cc");
    }
    auto ring = WHORL_TRY(pool ? pool->ring(0) : RingMemory::create(kRuntimeRing.slots, kRuntimeRing.slotBytes));
    return std::make_unique<RuntimeRecorder>(std::move(ring), options);
}

}  // namespace whorl::sim
