// The built-in programs. They are actually executed, over arrays that record each access.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// An option of a program: "--n 16", or n=16 in a spec. `choices` is empty for a whole number from `min` to `max`.
struct ProgramOption {
    std::string name;
    std::string description;
    std::string defaultValue;
    std::vector<std::string> choices = {};
    std::int64_t min = 1;
    std::int64_t max = 1;
    /// "variant=blocked": the option has an effect only with that value of another option; giving it otherwise is an
    /// error. Empty: no such condition.
    std::string onlyWith = {};
    /// By value: the words that a title uses in place of "variant=blocked". The entry for "", with {} for the value,
    /// applies to all other values.
    std::map<std::string, std::string> words = {};
    /// The value is any text: everything after the colon of a spec.
    bool isText = false;
};

/// "blocks of 4 × 4", or "n=16" for a value without words.
std::string optionInWords(const ProgramOption& option, const std::string& value);

/// The validated values of all options of a program.
class ProgramArguments {
  public:
    explicit ProgramArguments(std::map<std::string, std::string> values, std::string traceName = {})
        : values_(std::move(values)), traceName_(std::move(traceName)) {}
    std::int64_t number(const std::string& option) const { return std::stoll(values_.at(option)); }
    const std::string& word(const std::string& option) const { return values_.at(option); }
    /// The program spec that the values come from, which names the trace unless the program does.
    const std::string& traceName() const { return traceName_; }

  private:
    std::map<std::string, std::string> values_;
    std::string traceName_;
};

struct Program {
    std::string name;
    std::string description;  ///< one sentence
    std::vector<ProgramOption> options;
    /// A machine (see `loadMachine`) on which the program's behaviour is easy to see.
    std::string machine;
    /// Runs the program, checks its result and returns its trace. Fails if options contradict each other, if it is
    /// cancelled, or if the result is wrong (a bug in Whorl).
    std::function<Expected<Trace>(const ProgramArguments&, Progress&)> run;
    /// Checks the options beyond their own rules; may be empty.
    std::function<Expected<void>(const ProgramArguments&)> check = nullptr;
};

/// The constructors of the built-in programs. For this room only.
Program matmulProgram();
Program bubblesortProgram();
Program mergesortProgram();
Program arrayinitProgram();
Program conflictProgram();
Program alignedProgram();
Program mpmProgram();
Program vecaddProgram();
Program windtunnelProgram();
Program nbodyProgram();
Program patternProgram();

/// The programs with a listing of their own: all but the one that runs a pattern.
std::span<const Program> programs();
/// The program with that name, or null. Includes "pattern", the program that runs a pattern.
const Program* programNamed(std::string_view name);

/// A parsed program spec: "matmul:n=16,variant=blocked,block=4", or "pattern:for i in 0..16 { read A[i] }".
struct ProgramSpec {
    const Program* program = nullptr;
    std::map<std::string, std::string> options;  ///< the options given
};

/// Parses a spec, which may contain a pattern. Fails if the program or an option is unknown, or a value is not one of
/// the choices or out of range; the hint lists the valid ones.
Expected<ProgramSpec> parseProgramSpec(std::string_view spec);

/// Reads a pattern from a file. Fails if it cannot be read, or is not a pattern.
Expected<ProgramSpec> patternIn(const std::string& path);

/// "matmul:n=16,variant=blocked": the program and the options given, in the program's order.
std::string specAsText(const ProgramSpec& spec);
/// A spec with another value of one option. Options that have no effect beside it are left out.
Expected<std::string> withOption(const std::string& spec, const std::string& name, const std::string& value);

/// Runs a program with the options given and defaults for the others. The trace is named after the spec. The options
/// are validated as by parseProgramSpec, since the spec may come from elsewhere.
Expected<Trace> runProgram(const ProgramSpec& spec, Progress& progress);

}  // namespace whorl::sim
