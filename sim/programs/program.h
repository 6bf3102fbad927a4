// The built-in programs: really executed, over arrays that write down each access.
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
    /// "variant=blocked": the option has no effect otherwise, and giving it is then an error. Empty: always of effect.
    std::string onlyWith = {};
};

/// The values of all options of a program, each one sound.
class ProgramArguments {
  public:
    explicit ProgramArguments(std::map<std::string, std::string> values, std::string traceName = {})
        : values_(std::move(values)), traceName_(std::move(traceName)) {}
    std::int64_t number(const std::string& option) const { return std::stoll(values_.at(option)); }
    const std::string& word(const std::string& option) const { return values_.at(option); }
    /// The spec that these come from: the name of the trace.
    const std::string& traceName() const { return traceName_; }

  private:
    std::map<std::string, std::string> values_;
    std::string traceName_;
};

struct Program {
    std::string name;
    std::string description;  ///< what it does, one sentence
    std::vector<ProgramOption> options;
    /// A machine (as `loadMachine` reads it) on which the program's behaviour is easy to see.
    std::string machine;
    /// Runs it, checks its result and gives its trace. An error when an option does not go with another, when it is
    /// cancelled, or when the result is wrong (which would be a fault of Whorl).
    std::function<Expected<Trace>(const ProgramArguments&, Progress&)> run;
};

std::span<const Program> programs();
/// The program of that name, or null.
const Program* programNamed(std::string_view name);

/// "matmul:n=16,variant=blocked,block=4" taken apart.
struct ProgramSpec {
    const Program* program = nullptr;
    std::map<std::string, std::string> options;  ///< those that were given
};

/// Takes a spec apart. An error when the program or an option is not known, or a value is not one of the choices or
/// out of its range; the hint says what there is.
Expected<ProgramSpec> parseProgramSpec(std::string_view spec);

/// "matmul:n=16,variant=blocked": the program and the options that were given, in the program's order.
std::string specAsText(const ProgramSpec& spec);

/// Runs a program with the options given, the others at their standard. The trace is called like the spec. The
/// options are looked at as by parseProgramSpec, for a spec may come from elsewhere.
Expected<Trace> runProgram(const ProgramSpec& spec, Progress& progress);

}  // namespace whorl::sim
