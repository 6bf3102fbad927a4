// Candidates for the value of an option, for completion. These are suggestions: what is not available at once is left
// out, and nothing is an error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/session/tour.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// The input options in a command line that is still being typed.
struct GivenInput {
    std::string input;
    std::string machine;
    std::vector<std::string> settings;
    std::string format;
    std::string regions;
    std::string chironSources;
    std::string scene;
    std::string tour;
    std::vector<std::string> sources;
};

/// The tour that offers the scenes; none if it cannot be read.
std::optional<Tour> tourOf(const GivenInput& given);

/// The trace of the input, or of the scene; null if there is none, or if reading it takes longer than a moment. Only
/// regular files are read.
std::shared_ptr<const sim::Trace> traceAtOnce(const GivenInput& given);

/// The machine on which the input would be played; the default if none is known. `trace` may be null.
sim::MachineConfig machineOrUsual(const GivenInput& given, const sim::Trace* trace);

/// A word that may be typed, and a short description, which may be empty. A word that ends in one of ":=.," must be
/// continued.
struct Candidate {
    std::string word;
    std::string words = {};
};

/// Further candidates, which the shell itself finds.
enum class FilesWanted : std::uint8_t { none, files, folders, programs };

struct Candidates {
    std::vector<Candidate> list;
    FilesWanted files = FilesWanted::none;
};

class ValueCandidates {
  public:
    /// `program`: all commands.
    ValueCandidates(const CommandFacts& program, GivenInput given) : program_(program), given_(std::move(given)) {}

    /// The values that begin with `typed`, as whole words.
    Candidates of(const OptionFacts& option, std::string_view typed);

  private:
    using List = std::vector<Candidate>;

    Candidates ofKind(ValueKind kind, std::string_view typed);
    List conditions(std::string_view typed);
    List layoutChanges(std::string_view typed);
    List sourceLines(std::string_view typed);
    List settings(std::string_view typed);
    List machines();
    List scenes();
    List cpus();
    List levels();
    List views();
    List metrics();
    // Names that begin with `typed`, each once, and not too many.
    List regions(std::string_view typed);
    List places(std::string_view typed);  ///< regions, then objects
    List variables(std::string_view typed);
    List classes(std::string_view typed);

    /// Read when they are needed.
    const sim::Trace* trace();
    const sim::MachineConfig& machine();

    const CommandFacts& program_;
    GivenInput given_;
    std::optional<std::shared_ptr<const sim::Trace>> trace_;
    std::optional<sim::MachineConfig> machine_;
};

/// Built-in programs, with options from the ":" on: "matmul:n=16,variant=".
std::vector<Candidate> programCandidates(std::string_view typed);

}  // namespace whorl::app
