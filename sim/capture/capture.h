// Records a program's memory references while it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::sim {

struct CaptureOptions {
    std::vector<std::string> command;        ///< the program and its arguments
    bool everything = false;                 ///< from its first instruction to its last, not only from main to exit
    bool startOff = false;                   ///< only from the program's own request on (WHORL_ON of whorl.h)
    std::string startAt;                     ///< a function: from its first call on; empty: from main
    std::string stopAt;                      ///< a function: until its first call; empty: until main returns
    std::vector<std::string> functions;      ///< only accesses by these; empty: all
    std::vector<std::string> files;          ///< only those by lines of these source files; empty: all
    std::uint64_t most = ~std::uint64_t{0};  ///< accesses; those after them are left out
    bool fetches = false;                    ///< instruction fetches, too, as reads
    bool names = true;                       ///< give names to code and data
    bool sources = true;                     ///< embed the texts of source files
    bool evenIfCut = false;                  ///< keep what was recorded before the way of recording ended the program
    /// How many pauses of a tenth of a millisecond the program may take to end when it was asked to; then it is
    /// recorded no longer.
    unsigned patience = 30'000;
    std::string machine;  ///< JSON: on which the file opens; empty: it names none
};

struct Captured {
    std::uint64_t accesses = 0;       ///< in the file
    int status = 0;                   ///< with which the program ended, as a shell reports it
    std::vector<std::string> losses;  ///< what could not be recorded, a sentence each; the file says so, too
};

/// Whether this is a program that can be recorded: the path of an executable or script, or a name found in PATH.
bool isRecordable(const std::string& name);

/// Fails if an output of recording a program cannot be written, or is a file that the program consists of: the program
/// itself, its source, a script or another file that its arguments name, or its standard input.
Expected<void> checkOutputOf(const std::vector<std::string>& command, const std::string& output);

/// What else asks to end the recording: a signal to send to the program, or 0.
using AskedToStop = std::function<int()>;

/// Runs a program and records it into a .whorl file, while it runs: by its own run-time library, if `whorl cc` compiled
/// it, or else by the Valgrind tool. The program has this one's
/// input, output and terminal. Fails if it cannot be run, nothing was recorded, the way of recording ended it (unless
/// `evenIfCut`), or the file cannot be written.
Expected<Captured> capture(const CaptureOptions& options, const std::string& path, const AskedToStop& asked,
                           Progress& progress);

/// The folder with the parts of Whorl that record programs, if this file is in it.
Expected<std::string> captureFolderWith(const std::string& file);

}  // namespace whorl::sim
