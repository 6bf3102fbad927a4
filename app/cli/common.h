// What the subcommands share: naming an input and a machine, sizes and times, progress in the terminal, errors.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/tasks/opening.h"
#include "render/scene/scene.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// Exit statuses: all is well; something that the person can cure; stopped by the person.
inline constexpr int kFine = 0;
inline constexpr int kWrong = 2;
inline constexpr int kInterrupted = 130;

struct InputOptions {
    std::string input;
    std::string machine;
    std::vector<std::string> settings;  ///< of --set
    std::string format;
    std::string chironSources;
    bool lenient = false;
    bool instructions = false;
    std::vector<std::string> only;
    bool simulateUnrecorded = false;
    std::vector<std::string> changes;  ///< of --map
};

/// The options that name an input. Words that are left over may be a program's options ("matmul --n 32"). `record` and
/// `stats` need the name --from for a moment, so that they know only --format.
void addInputOptions(CLI::App& command, InputOptions& options, bool required, bool fromIsFormat = true);

/// The request that the options make; the words left over on the command become the program's options.
sim::Expected<OpenRequest> requestOf(const InputOptions& options, const CLI::App& command);

/// Says on standard error what a trace has lost or left out, if anything.
void warnOf(const sim::Trace& trace, const std::string& input);
void warnOf(const std::vector<std::string>& losses, std::uint64_t skippedLines, const std::string& input);

/// Opens an input and builds its run, with progress.
sim::Expected<Opened> openWhole(const OpenRequest& request);

/// "1280x720".
struct PixelSize {
    int width = 1280;
    int height = 720;
};
sim::Expected<PixelSize> parseSize(const std::string& text);

/// A moment: a number of accesses, which may have a fraction, or "end"; at most the trace's length.
sim::Expected<double> parseMoment(const std::string& option, const std::string& text, std::uint64_t end);

/// A moment between two accesses: a whole number of accesses, or "end"; at most the trace's length.
sim::Expected<sim::Tick> parseTick(const std::string& option, const std::string& text, std::uint64_t end);

/// Writes a text to a file, which appears when it is whole, or to standard output for "-".
sim::Expected<void> writeText(const std::string& text, const std::string& path);

/// Adds --ground dark|light.
void addGroundOption(CLI::App& command, scene::Ground& ground);

/// Does a long job while the terminal shows how far it is, from 0.3 s on. An interrupt (Ctrl+C) cancels it.
void withProgress(const std::string& words, sim::Progress& progress, const std::function<void()>& job);

/// Says an error on standard error, unless it was the person who stopped; gives the exit status.
int report(const sim::Error& error);

// One function a subcommand: declares its options and, as its callback, does the work. `status` gets the exit status.
void addFrameCommand(CLI::App& app, int& status);
void addRecordCommand(CLI::App& app, int& status);
void addStatsCommand(CLI::App& app, int& status);
void addCollisionsCommand(CLI::App& app, int& status);
void addSharingCommand(CLI::App& app, int& status);
void addWhatIfCommand(CLI::App& app, int& status);
void addMergeCommand(CLI::App& app, int& status);
void addProgramsCommand(CLI::App& app, int& status);
void addScenesCommand(CLI::App& app, int& status);
void addTraceCommand(CLI::App& app, int& status);
/// Without a subcommand: the window; without a display: a demonstration video.
void addWindowCommand(CLI::App& app, int& status);

}  // namespace whorl::app
