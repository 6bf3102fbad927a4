// Programs that the window runs in the background: what makes films and slides of tours, and checks them; and a source
// that is compiled and recorded whenever it is saved.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/file_commands.h"
#include "app/tasks/task.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

// A program's source file that is compiled and recorded anew whenever it, or a file that it includes, is saved.

struct WatchedSource {
    std::string file;
    std::string compiler;                ///< the command to which source and output are added; empty: the usual one
    std::vector<std::string> arguments;  ///< arguments of the program
    std::vector<std::string> functions;  ///< only what these access is recorded; empty: all
    std::string folder;                  ///< folder for the compiled program and its trace
};

/// What was made of a source.
struct RecordedSource {
    std::string trace;                           ///< path
    std::vector<std::filesystem::path> sources;  ///< source files that were compiled
    std::vector<std::string> losses;             ///< what could not be recorded, a sentence each
    int status = 0;                              ///< exit status of the program
};

/// The usual command to compile a file; an error if its name does not tell the language.
sim::Expected<std::string> usualCompiler(const std::string& file);

/// Compiles and records a source. Files in the folder are named after `number`. If compilation fails, the error has the
/// compiler's output. Cancelling a recording ends the program.
sim::Expected<RecordedSource> compileAndRecord(const WatchedSource& watched, unsigned number, sim::Progress& progress);

class WatchedProgram {
  public:
    /// `first`: what was made of it last.
    WatchedProgram(TaskRunner& runner, WatchedSource watched, const RecordedSource& first);

    /// Call often: looks for changes, and starts the work. Returns each result once: the recording, or the error.
    std::optional<sim::Expected<RecordedSource>> update();
    bool working() const { return task_.has_value(); }

  private:
    struct Seen {
        std::filesystem::file_time_type time;
        std::uintmax_t size = 0;
        bool operator==(const Seen&) const = default;
    };
    using Sources = std::map<std::filesystem::path, Seen>;

    TaskRunner& runner_;
    WatchedSource watched_;
    Sources sources_;  ///< as they were when work on them began
    unsigned number_ = 1;
    std::optional<Task<RecordedSource>> task_;

    static std::optional<Seen> look(const std::filesystem::path& path);
    bool changed();
    void watch(const std::vector<std::filesystem::path>& paths);
    void forgetBefore(const std::string& trace);
};

// What is made of a tour beside the window, by a process of its own: the window goes on, and its pictures need a
// context of their own.

/// A film or slides are a new file in the current folder, NAME.mp4 or NAME-2.mp4 and so on, whose name is returned; a
/// check gives its findings, a line each. Progress is in hundredths. When cancelled, nothing is left of it. `program`:
/// the whorl to run.
sim::Expected<std::string> makeOfTour(const TourWish& wish, const std::string& program, sim::Progress& progress);

}  // namespace whorl::app
