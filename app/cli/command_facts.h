// The description of a command and its options, as plain data: for completion and for manuals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace whorl::app
