// Records a program's memory references while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/capture/recording_gate.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

struct Executable;

struct CaptureOptions {
    std::vector<std::string> command;     ///< the program and its arguments
    bool everything = false;              ///< record from the first instruction to the last, not only from main to exit
    bool startOff = false;                ///< start at the program's own request (WHORL_ON of whorl.h)
    std::string startAt;                  ///< a function: start at its first call; empty: at main
    std::string stopAt;                   ///< a function: stop at its first call; empty: when main returns
    std::vector<std::string> functions;   ///< record only accesses by these functions; empty: all
    std::vector<std::string> files;       ///< record only accesses by lines of these source files; empty: all
    std::vector<std::string> allocators;  ///< functions that hand out memory; empty: those whose names say so
    std::uint64_t most = ~std::uint64_t{0};  ///< maximum number of accesses; later ones are dropped
    WindowLengths windows;                   ///< record only these; none: all accesses
    bool fetches = false;                    ///< also record instruction fetches, as reads
    bool names = true;                       ///< give names to code and data
    bool calls = true;                       ///< record the calls that lead to accesses, if names are given
    bool sources = true;                     ///< embed the texts of source files
    bool children = false;                   ///< also all processes that come from it, each into a file of its own
    unsigned rings = 64;                     ///< how many processes can be recorded at the same time
    std::function<unsigned()> switches;      ///< how often recording was to be stopped or begun; null: never
    bool evenIfCut = false;                  ///< keep the trace even if the way of recording ended the program
    /// The time that the program may take to end after it was asked to, in pauses of a tenth of a millisecond. Then its
    /// recording ends.
    unsigned patience = 30'000;
    std::string machine;   ///< the machine on which the file opens, as JSON; empty: none
    ThreadRunner threads;  ///< accesses are packed in a second thread, but for `children`; empty: in this one

    bool recordsCalls() const { return calls && names; }
};

/// One of the processes that were recorded together.
struct CapturedProcess {
    int process = 0;     ///< 0: unknown
    unsigned depth = 0;  ///< 0: the program itself; its children are at 1
    std::string name;    ///< the program, with its arguments
    std::string file;    ///< empty: nothing was recorded
    std::string why;     ///< why nothing was
    std::string end;     ///< "exit status 3"; empty: unknown
    std::uint64_t accesses = 0;
    std::vector<std::string> losses;
};

struct Captured {
    std::uint64_t accesses = 0;       ///< accesses in the file
    int status = 0;                   ///< exit status of the program, as a shell reports it
    std::vector<std::string> losses;  ///< data that could not be recorded, one sentence each; also stored in the file
    BusyFunction busiest;             ///< of what was recorded
    /// Of CaptureOptions::children: all processes, each after its parent. All else is of the first one.
    std::vector<CapturedProcess> processes;
};

/// Whether a name stands for a recordable program: the path of an executable or script, or a name found in PATH.
bool isRecordable(const std::string& name);

/// Fails if the output of recording a program cannot be written, or is a file that the program consists of: the program
/// itself, its source, a script or another file that its arguments name, or its standard input.
Expected<void> checkOutputOf(const std::vector<std::string>& command, const std::string& output);

/// Returns a signal to send to the program if something else requests the end of the recording, or 0.
using AskedToStop = std::function<int()>;

/// Runs a program and records it into a .whorl file while it runs: by its own run-time library, if `whorl cc` compiled
/// it, or else by the Valgrind tool. The program gets this program's input, output and terminal. Fails if it cannot be
/// run, nothing was recorded, the way of recording ended it (unless `evenIfCut`), or the file cannot be written.
Expected<Captured> capture(const CaptureOptions& options, const std::string& path, const AskedToStop& asked,
                           Progress& progress);

/// As capture(), of a program whose path and properties are known, with all processes that come from it. The first one
/// is recorded into `path`, the others into files beside that: x.2.whorl, x.3.whorl and so on, in the order in which
/// they begin. Lasts until all recorded processes have ended. Fails only if none of them could be recorded.
Expected<Captured> captureTree(const CaptureOptions& options, const std::string& program, const Executable& executable,
                               const std::string& path, const AskedToStop& asked, Progress& progress);

/// The folder with the parts of Whorl that record programs; fails if `file` is in no such folder.
Expected<std::string> captureFolderWith(const std::string& file);

}  // namespace whorl::sim
