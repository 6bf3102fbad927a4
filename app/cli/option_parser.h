// The options of a command, and the commands of the program: declared here in terms of our own variables, so that no
// other file depends on the library that parses the command line (and is slow to compile). And their description as
// plain data, for completion and for manuals.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// What the value of an option is, or a positional argument.
enum class ValueKind : std::uint8_t {
    text,
    number,
    input,         ///< a trace file, or a built-in program with its options
    machine,       ///< a preset, a geometry or a file
    setting,       ///< "L2.policy=fifo"; several values may follow, with commas
    condition,     ///< "region=A,B": which accesses
    layoutChange,  ///< "shift:NAME:BYTES"
    place,         ///< memory by its name
    placeOrCell,   ///< memory by its name, or a cell of a cache
    sourceLine,    ///< "mm.c:12"
    level,         ///< name of a level of the machine
    cpu,
    view,
    metric,   ///< metric of cells
    scene,    ///< scene of a tour
    tour,     ///< one that is built in, or a file
    command,  ///< a command of whorl
    file,     ///< a file to read
    output,   ///< a file to write
    folder,
    program,   ///< a program to run
    argument,  ///< one of its arguments; the last kind
};

struct OptionFacts {
    std::vector<std::string> names;  ///< "-o", "--output"; of a positional argument its one name, "INPUT"
    std::string words;
    ValueKind kind = ValueKind::text;
    bool takesValue = true;
    bool isPositional = false;
    bool isRequired = false;
    bool isRepeated = false;  ///< may be given several times
    bool hasCommas = false;   ///< a value may be several, with commas
    /// Words that are valid values; the only ones if `isOneOf`. A word that ends in a colon precedes a value of kind
    /// `after`.
    std::vector<std::string> choices = {};
    bool isOneOf = false;
    ValueKind after = ValueKind::text;
    std::string usual = {};  ///< the default value; empty: unknown
    std::string least = {};  ///< smallest number; empty: no limits
    std::string most = {};
};

/// A command line that shows what a command can do, and what it does.
struct Example {
    std::string words;
    std::string line;
};

struct CommandFacts {
    std::string name;  ///< as it is called: "frame"; that of the program itself is "whorl"
    std::string words;
    std::vector<OptionFacts> options = {};
    std::vector<Example> examples = {};
    bool leavesRest = false;                  ///< its first word and all after it are another program's
    bool takesLeftOver = false;               ///< words may follow that are no options: those of a built-in program
    std::vector<CommandFacts> commands = {};  ///< commands of the program itself
};

/// The placeholder for an option's value in help: "FILE". For an option that takes one of a few words: the words.
std::string valueName(const OptionFacts& option);

/// The option of that name, as in "-o" or "--output"; null if there is none.
const OptionFacts* optionNamed(const CommandFacts& command, std::string_view name);

/// The minimum and maximum that an option accepts; of one of these types, which --help names.
template <class Number>
struct Limits {
    Number least;
    Number most;
};
using AnyLimits = std::variant<std::monostate, Limits<int>, Limits<std::uint64_t>, Limits<float>>;

/// Properties of an option besides its type. --help shows the first ones; the others are for completion.
struct OptionTraits {
    bool required = false;
    bool showDefault = false;             ///< the variable's value when the option is declared
    std::vector<std::string> oneOf = {};  ///< empty: any
    AnyLimits limits = {};
    bool commaSeparated = false;  ///< lists: "a,b" is two values; of a text: it takes itself apart
    ValueKind kind = ValueKind::text;
    /// Words that are valid values, among others. A word that ends in a colon precedes a value of kind `after`.
    std::vector<std::string> among = {};
    ValueKind after = ValueKind::text;
};

/// A command with its options. Variables that options are bound to must outlive run(). Options are named as in
/// "-o,--output"; a name without dashes is a positional argument.
class OptionParser {
  public:
    /// The program itself; --version prints `version`.
    OptionParser(const std::string& name, const std::string& words, const std::string& version);
    ~OptionParser();
    OptionParser(const OptionParser&) = delete;
    OptionParser& operator=(const OptionParser&) = delete;

    /// A subcommand; lives as long as this.
    OptionParser& addCommand(const std::string& name, const std::string& words);

    /// An option with a value. Value is std::string, int, unsigned, std::uint64_t, float, double or a std::optional of
    /// a number; or std::vector<std::string>, a list: the option may be given several times, a positional argument
    /// takes what follows.
    template <class Value>
    void add(const std::string& names, Value& value, const std::string& words, const OptionTraits& traits = {});

    /// An option whose value is one of these words, which each stand for a value.
    template <class Value>
    void addChoice(const std::string& names, Value& value,
                   std::vector<std::pair<std::string, std::type_identity_t<Value>>> choices, const std::string& words);

    /// An option whose value is one of these words; calls `set` with the word.
    using SetWord = std::function<void(const std::string&)>;
    void addWord(const std::string& names, const SetWord& set, const std::vector<std::string>& choices,
                 const std::string& words);

    /// An option without a value: sets `flag`.
    void addFlag(const std::string& names, bool& flag, const std::string& words);
    /// An option without a value: calls `set`.
    void addFlag(const std::string& names, std::function<void()> set, const std::string& words);
    /// An option without a value: sets `variable` to `value`.
    template <class Value>
    void addFlag(const std::string& names, Value& variable, std::type_identity_t<Value> value,
                 const std::string& words);

    /// The command works, but is neither listed nor suggested: it is for scripts.
    void hide();
    /// A command line for the manual.
    void addExample(const std::string& words, const std::string& line);

    /// Words that no option takes are not an error; leftOver() returns them.
    void allowLeftOver();
    /// The first such word and all after it, also options, are another program's.
    void leaveRest();
    /// The words that no option took; valid after parsing.
    std::vector<std::string> leftOver() const;

    /// What follows "whorl" to name this command: empty for the program itself.
    const std::string& name() const;
    /// The names of the commands that are not hidden.
    std::vector<std::string> commandNames() const;
    /// What --help prints, of this command or of one of its own by name, which must exist.
    std::string help(const std::string& command = {}) const;
    /// The facts of this command, and of its commands that are not hidden.
    CommandFacts facts() const;
    /// The long names of all options, as in "--output".
    std::vector<std::string> optionNames() const;

    /// Whether an option that was added by this name was given on the command line; valid after parsing.
    bool given(const std::string& name) const;

    /// The action of the command, run when it is chosen.
    void onRun(std::function<sim::Expected<void>()> action);
    /// An action that gives the exit status.
    void onRun(std::function<sim::Expected<int>()> action);

    /// Parses the command line, answers --help and --version, and runs the named command, or the program itself when
    /// none is named. Reports errors of the command line and of the command on standard error. Returns the exit status.
    int run(int argc, char** argv);

  private:
    struct Parsing;
    OptionParser(std::unique_ptr<Parsing> parsing, CommandFacts facts);

    /// What is wrong where something that only this command takes stands before one of its own.
    std::optional<sim::Error> unheardBefore(const OptionParser& command) const;

    std::unique_ptr<Parsing> parsing_;
    CommandFacts facts_;  ///< facts of this command alone, without subcommands
    bool isHidden_ = false;
    std::vector<std::unique_ptr<OptionParser>> commands_;
    std::function<sim::Expected<int>()> action_;
};

template <class Value>
void OptionParser::addChoice(const std::string& names, Value& value,
                             std::vector<std::pair<std::string, std::type_identity_t<Value>>> choices,
                             const std::string& words) {
    std::vector<std::string> allowed;
    allowed.reserve(choices.size());
    for (const auto& choice : choices) allowed.push_back(choice.first);
    const auto set = [&value, choices = std::move(choices)](const std::string& word) {
        for (const auto& choice : choices) {
            if (choice.first == word) value = choice.second;
        }
    };
    addWord(names, set, allowed, words);
}

template <class Value>
void OptionParser::addFlag(const std::string& names, Value& variable, std::type_identity_t<Value> value,
                           const std::string& words) {
    addFlag(
        names, [&variable, value] { variable = value; }, words);
}

}  // namespace whorl::app
