// Programs that the tests compile, to record them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/capture/capture.h"
#include "sim/capture/instrumented_build.h"
#include "sim/trace/reader.h"
#include "support/folder.h"
#include "support/source_folder.h"
#include "support/threads.h"

namespace whorl::sim::test {

/// A folder that is removed at the end of the tests.
inline const std::string& workFolder() {
    static const Folder folder;
    static const std::string path = folder.path();
    return path;
}

/// Whether the compiler of such a command is installed.
inline bool isInstalled(const std::string& command) {
    const std::string compiler = command.substr(command.starts_with("whorl cc ") ? 9 : 0);
    return std::system(("command -v " + compiler.substr(0, compiler.find(' ')) + " > /dev/null 2>&1").c_str()) == 0;
}

/// The two ways in which a program is recorded: as it is, by the Valgrind tool; or compiled so that it records itself.
inline const std::vector<std::string> kWays = {"", "whorl cc "};

/// "whorl cc g++ -O2 -g": the command that compiles, as `whorl cc` makes it, or as it is without that.
inline std::string compileCommand(const std::string& command) {
    constexpr std::string_view kOwn = "whorl cc ";
    if (!command.starts_with(kOwn)) return command;
    std::istringstream text(command.substr(kOwn.size()));
    const std::vector<std::string> words(std::istream_iterator<std::string>(text), {});
    const auto folder = captureFolderWith("libwhorl_runtime.a");
    EXPECT_TRUE(folder.has_value());
    const bool isClang = words[0].find("clang") != std::string::npos;
    const auto more =
        instrumentedCompile(words, isClang ? CompilerKind::clang : CompilerKind::gcc, folder.value_or(""));
    EXPECT_TRUE(more.has_value());
    std::string out;
    for (const std::string& w : more.value_or(words)) out += w + ' ';
    return out;
}

/// The path of a program of tests/capture/programs, compiled by such a command ("g++ -O2", "whorl cc g++ -O2"), once.
inline std::string compiled(const std::string& source, const std::string& command) {
    static std::map<std::string, std::string> known;
    std::string& path = known[source + ' ' + command];
    if (!path.empty()) return path;
    path = workFolder() + "/program" + std::to_string(known.size());
    const std::string words = compileCommand(command + " -g -o " + path + ' ' + sourceFolder() +
                                             "/tests/capture/programs/" + source + " -pthread -ldl");
    EXPECT_EQ(std::system(words.c_str()), 0) << words;
    return path;
}

struct Recorded {
    Trace trace;
    int status = 0;
};

/// An access whose first or last byte is in no region, in words; empty: there is none.
inline std::string outsideRegions(const Trace& trace) {
    std::string found;
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        const std::size_t none = trace.regions().size();
        if (!found.empty() || (trace.regionAt(a.address) != none && trace.regionAt(a.last()) != none)) return;
        const Object* const object = trace.objectAt(a.address, t);
        found = fmt::format("{:#x}+{} at {}, {}", a.address.value, a.size, t.value,
                            object == nullptr ? "no block" : object->name);
    });
    return found;
}

/// Records a program, and reads what was recorded in the order of the recording; fails the test if that fails.
inline Recorded recorded(CaptureOptions options) {
    options.threads = inThreads;
    const std::string path = workFolder() + "/recorded.whorl";
    Progress progress;
    const auto captured = capture(
        options, path, [] { return 0; }, progress);
    EXPECT_TRUE(captured.has_value()) << captured.error().sentence();
    if (!captured) return {};
    ReadOptions reading;
    reading.order = AccessOrder::recorded;
    auto trace = readTrace(path, reading, progress);
    EXPECT_TRUE(trace.has_value()) << trace.error().sentence();
    if (!trace) return {};
    EXPECT_EQ(trace->size(), captured->accesses);
    EXPECT_EQ(trace->losses(), captured->losses);
    EXPECT_EQ(outsideRegions(*trace), "");
    return {std::move(*trace), captured->status};
}

inline Recorded recorded(std::vector<std::string> command) {
    CaptureOptions options;
    options.command = std::move(command);
    return recorded(options);
}

struct Bytes {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    bool operator==(const Bytes&) const = default;
};

/// What a trace reads and writes of the block of the heap of a name, while it is alive, or else of the region of a
/// name.
inline Bytes bytesOf(const Trace& trace, const std::string& name) {
    Bytes sum;
    const bool isOnHeap =
        std::any_of(trace.objects().begin(), trace.objects().end(), [&](const Object& o) { return o.name == name; });
    trace.forEach(Tick{0}, Tick{trace.size()}, [&](Tick t, const Access& a) {
        const Object* const object = trace.objectAt(a.address, t);
        const std::size_t r = trace.regionAt(a.address);
        const bool isIt = object != nullptr
                              ? object->name == name
                              : r < trace.regions().size() && trace.regions()[r].name == name && !isOnHeap;
        if (isIt) (a.isWrite() ? sum.written : sum.read) += a.size;
    });
    return sum;
}

inline const Region* regionNamed(const Trace& trace, const std::string& name) {
    for (const Region& r : trace.regions()) {
        if (r.name == name) return &r;
    }
    return nullptr;
}

}  // namespace whorl::sim::test
