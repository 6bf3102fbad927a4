// Options that name a command's input: a trace or a program, how it is read, and a machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/session/opened.h"
#include "app/session/player.h"
#include "app/session/session.h"
#include "app/tasks/opening.h"
#include "sim/base/error.h"

namespace whorl::app {

struct InputOptions {
    std::string input;
    std::string machine;
    std::vector<std::string> settings;  ///< values of --set
    std::string format;
    std::string chironSources;
    std::string regions;
    std::string binary;
    std::vector<std::string> sources;
    bool noSources = false;
    std::string columns;
    std::vector<std::string> reads;   ///< values of --reads
    std::vector<std::string> writes;  ///< of --writes
    bool hex = false;
    std::uint64_t skipped = 0;
    std::uint64_t unit = 1;
    bool ignoresSizes = false;
    bool lenient = false;
    bool instructions = false;
    std::vector<std::string> only;
    sim::AccessOrder order = sim::AccessOrder::automatic;
    bool simulateUnrecorded = false;
    std::vector<std::string> changes;  ///< values of --map
    std::string memory;                ///< a size; empty: the default
    bool isRecorded = false;           ///< the remaining words of the command were those of a program
};

/// Adds the options that name an input. Remaining words may be a program's options ("matmul --n 32").
void addInputOptions(OptionParser& command, InputOptions& options, bool required);

/// Adds the option that chooses the order of several CPUs' accesses.
void addInterleavingOption(OptionParser& command, sim::AccessOrder& order);

/// The request for these options; the remaining words of the command become the program's options. Reports on standard
/// error what is assumed about the machine if it is this computer.
sim::Expected<OpenRequest> requestOf(const InputOptions& options, const OptionParser& command);

/// The request for a command that writes a file. Also fails if `output` cannot be written, or is an input.
sim::Expected<OpenRequest> requestOf(const InputOptions& options, const OptionParser& command,
                                     const std::string& output);

/// Reports on standard error what a trace has lost or skipped, if anything.
void warnOf(const sim::Trace& trace, const std::string& input);
void warnOf(const std::vector<std::string>& losses, std::uint64_t skippedLines, const std::string& input);

/// Reads or runs the input of a request, with progress and warnings.
sim::Expected<std::shared_ptr<const sim::Trace>> readTrace(const OpenRequest& request);

/// Opens an input, with progress; its run is still to be built. `known`: its trace, if that is in memory already; else
/// null.
sim::Expected<Opened> openUnbuilt(const OpenRequest& request, std::shared_ptr<const sim::Trace> known = nullptr);
/// Builds the run of an opened input, with progress, at least up to the access `until`.
sim::Expected<void> build(const Opened& opened, sim::Tick until);
/// Opens an input and builds its whole run, with progress.
sim::Expected<Opened> openWhole(const OpenRequest& request, std::shared_ptr<const sim::Trace> known = nullptr);

// Options that name a second run, which is compared with the first: the same input on another machine, another input on
// the same machine, or both.

struct WithOptions {
    std::string input;
    std::string machine;
    std::vector<std::string> settings = {};  ///< of a scene: see app::secondOf()
    TimeLock lock = TimeLock::access;
    bool maybeSame = false;  ///< it may be the first itself: numbers are compared, not pictures
};

/// Adds --with and --with-machine; of a command with two inputs, `input` is a positional argument of that name instead
/// of --with.
void addWithOptions(OptionParser& command, WithOptions& options, const std::string& input = "--with");

/// Adds --lock, for commands that show times.
void addLockOption(OptionParser& command, WithOptions& options);

/// The request for the second run, if the options name one: the first request, with the input or machine that the
/// options name. A named input only gets a machine that the first request names; a named machine does not get the
/// settings of the first, as in tours. An error if both runs would be the same.
sim::Expected<std::optional<OpenRequest>> secondOf(const WithOptions& options, const OpenRequest& first);

/// Opens the second run beside the session's run, if the options name one, and locks the playheads.
sim::Expected<void> openCompared(const WithOptions& options, const OpenRequest& first, Session& session);

}  // namespace whorl::app
