#include "app/system/watched_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "app/system/child_process.h"
#include "sim/base/small_file.h"
#include "sim/capture/capture.h"

namespace whorl::app {

namespace {

constexpr std::uint64_t kLargestList = 1u << 20;
constexpr std::size_t kMaxWords = 2000;  ///< bytes of a compiler's output; longer output is cut at the next line end

bool isOfC(const std::string& file) {
    static constexpr std::array<std::string_view, 6> kEndings = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view e) { return file.ends_with(e); });
}

/// The files that a compiler lists as those that it read: "out: a.cpp a.h \", but not the system's.
std::vector<std::filesystem::path> listed(const std::string& list, const std::string& file) {
    std::vector<std::filesystem::path> paths{file};
    const auto text = sim::readSmallFile(list, kLargestList, "a list of files");
    if (!text) return paths;
    std::string word;
    const auto take = [&] {
        if (!word.empty() && word != file && !word.ends_with(':')) paths.emplace_back(word);
        word.clear();
    };
    for (std::size_t i = 0; i < text->size(); ++i) {
        const char c = (*text)[i];
        if (c == '\\' && i + 1 < text->size() && (*text)[i + 1] == ' ') {
            word += (*text)[++i];
        } else if (c == '\\' || c == ' ' || c == '\n') {
            take();
        } else {
            word += c;
        }
    }
    take();
    return paths;
}

sim::Expected<void> compile(const WatchedSource& watched, const std::string& program) {
    std::string command = watched.compiler;
    if (command.empty()) {
        auto usual = WHORL_TRY(usualCompiler(watched.file));
        command = usual;
        if (isOfC(watched.file)) command += " -MMD -MF " + shellQuoted(program + ".d");
    }
    command += fmt::format(" {} -o {}", shellQuoted(watched.file), shellQuoted(program));
    if (watched.compiler.empty() && isOfC(watched.file)) command += " -pthread -lm";
    std::string said;
    if (runInShell(command, said)) return {};
    if (said.size() > kMaxWords) said = said.substr(0, said.find('\n', kMaxWords)) + "\n…";
    return sim::fail(watched.file, said.empty() ? "it cannot be compiled" : "it cannot be compiled:\n" + said);
}

}  // namespace

sim::Expected<std::string> usualCompiler(const std::string& file) {
    if (file.ends_with(".c")) return "cc -O2 -g";
    if (isOfC(file)) return "c++ -O2 -g";
    if (file.ends_with(".rs")) return "rustc -O -g";
    if (file.ends_with(".f") || file.ends_with(".f90") || file.ends_with(".f95")) return "gfortran -O2 -g";
    return sim::fail(file, "its name does not tell how it is compiled", "say it: --compile \"g++ -O2 -g -x c++\"");
}

sim::Expected<RecordedSource> compileAndRecord(const WatchedSource& watched, unsigned number, sim::Progress& progress) {
    const std::string stem = std::filesystem::path(watched.file).stem().string();
    const std::string program = fmt::format("{}/{}-{}", watched.folder, stem, number);
    WHORL_TRY(compile(watched, program));
    sim::CaptureOptions options;
    options.command = {program};
    options.command.insert(options.command.end(), watched.arguments.begin(), watched.arguments.end());
    const std::string trace = program + ".whorl";
    auto captured = sim::capture(
        options, trace, [&progress] { return progress.cancelled() ? SIGTERM : 0; }, progress);
    if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
    if (!captured) return tl::unexpected(captured.error());
    return RecordedSource{
        .trace = trace, .sources = listed(program + ".d", watched.file), .losses = std::move(captured->losses)};
}

WatchedProgram::WatchedProgram(TaskRunner& runner, WatchedSource watched, const RecordedSource& first)
    : runner_(runner), watched_(std::move(watched)) {
    watch(first.sources);
}

std::optional<WatchedProgram::Seen> WatchedProgram::look(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto time = std::filesystem::last_write_time(path, unknown);
    if (unknown) return std::nullopt;
    const auto size = std::filesystem::file_size(path, unknown);
    if (unknown) return std::nullopt;
    return Seen{time, size};
}

/// Files are gone for a moment while an editor replaces them.
bool WatchedProgram::changed() {
    bool any = false;
    for (auto& [path, seen] : sources_) {
        const auto now = look(path);
        if (!now || *now == seen) continue;
        seen = *now;
        any = true;
    }
    return any;
}

void WatchedProgram::watch(const std::vector<std::filesystem::path>& paths) {
    Sources next;
    for (const std::filesystem::path& path : paths) {
        // What changed while it was compiled counts as changed.
        const auto known = sources_.find(path);
        next[path] = known != sources_.end() ? known->second : look(path).value_or(Seen{});
    }
    sources_ = std::move(next);
}

/// Removes the results of earlier recordings from the folder.
void WatchedProgram::forgetBefore(const std::string& trace) {
    std::error_code ignored;
    const std::string kept = std::filesystem::path(trace).stem().string();
    for (const auto& entry : std::filesystem::directory_iterator(watched_.folder, ignored)) {
        if (entry.path().stem() != kept) std::filesystem::remove(entry.path(), ignored);
    }
}

std::optional<sim::Expected<RecordedSource>> WatchedProgram::update() {
    if (changed()) {
        task_.emplace(runner_, [watched = watched_, number = ++number_](sim::Progress& progress) {
            return compileAndRecord(watched, number, progress);
        });
    }
    if (!task_ || !task_->done()) return std::nullopt;
    auto result = *task_->take();
    task_.reset();
    if (result) {
        watch(result->sources);
        forgetBefore(result->trace);
    }
    return result;
}

}  // namespace whorl::app
