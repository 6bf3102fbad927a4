// A pattern of accesses written by a person: arrays, loops, and the accesses in them. This is its parsed form; see
// docs/patterns.md for the language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/programs/random_numbers.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

// Whole numbers that are computed from the variables of the loops: formulas in postfix order, for a stack.

enum class FormulaCode : std::uint8_t {
    constant,
    variable,  ///< `value` is the variable's number
    add,
    subtract,
    multiply,
    divide,
    remainder,
    negate,
    least,
    greatest,
    random,
};

/// Pushes a number, or takes its operands from the stack and pushes the result.
struct FormulaStep {
    FormulaCode code = FormulaCode::constant;
    std::int64_t value = 0;
    std::uint32_t at = 0;  ///< offset in the text
};
using FormulaSteps = std::vector<FormulaStep>;

/// A part of a pattern's steps.
struct Formula {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    std::uint32_t at = 0;  ///< offset in the text
};

/// Computes formulas. Division rounds down, so that a remainder by a positive number is never negative. Random numbers
/// are the same for every calculator.
class Calculator {
  public:
    explicit Calculator(const FormulaSteps& steps) : steps_(steps) {}

    /// Throws a PatternFault if the result or a part of it does not fit into 64 bits, or something is divided by 0.
    std::int64_t value(const Formula& formula, std::span<const std::int64_t> variables);

  private:
    void take(const FormulaStep& step);
    std::int64_t randomBelow(std::int64_t bound, std::uint32_t at);

    const FormulaSteps& steps_;
    std::vector<std::int64_t> stack_;
    RandomNumbers random_{1};
};

/// The limits of a pattern and of what it produces, so that a typing mistake takes no more than a few seconds.
inline constexpr std::size_t kMaxPatternBytes = std::size_t{1} << 20;        ///< length of the text
inline constexpr std::uint64_t kMaxPatternAccesses = 100'000'000;            ///< accesses that it makes
inline constexpr std::uint64_t kMaxPatternTurns = 200'000'000;               ///< turns of all its loops
inline constexpr std::uint64_t kMaxPatternMemory = std::uint64_t{1} << 40;   ///< bytes of an array
inline constexpr std::int64_t kMaxPatternElement = 4096;                     ///< bytes of an element
inline constexpr std::uint64_t kMaxPatternAddress = std::uint64_t{1} << 62;  ///< address of an access or an array
inline constexpr std::uint32_t kPatternElement = 8;                          ///< bytes of an element, by default

/// Extents of an array; the second is 0 if it has one dimension.
using PatternExtents = std::array<std::uint64_t, 2>;

struct PatternArray {
    std::string name;
    std::uint32_t at = 0;             ///< offset in the text of its first mention
    std::uint32_t dimensions = 0;     ///< 0: unknown yet
    PatternExtents extents = {0, 0};  ///< if declared
    bool hasExtents = false;          ///< declared; otherwise the accesses determine the extents
    std::uint32_t elementSize = kPatternElement;
    std::uint64_t align = 0;  ///< 0: that of the elements
    std::optional<std::uint64_t> address = std::nullopt;
};

enum class PatternAction : std::uint8_t { read, write, update };

/// An element of an array, or an address.
struct PatternPlace {
    std::optional<std::uint32_t> array = std::nullopt;
    std::array<Formula, 2> indexes = {};  ///< for an address, only the first, which holds it
    std::uint32_t size = 0;               ///< bytes accessed at an address
};

struct PatternStatement {
    enum class Kind : std::uint8_t { access, loop, repeat, cpu };
    Kind kind = Kind::access;
    PatternAction action = PatternAction::read;
    std::uint32_t at = 0;    ///< offset in the text
    std::uint32_t line = 0;  ///< from 1
    PatternPlace place = {};
    std::string variable = {};  ///< variable of a loop; its number is the number of enclosing loops with variables
    Formula from = {};          ///< first value of a loop; number of repetitions; or CPU
    Formula to = {};
    std::optional<Formula> step = std::nullopt;
    bool isInclusive = false;  ///< `to` is the last value
    std::vector<PatternStatement> body = {};
};

struct Pattern {
    std::string file;  ///< the file's name in messages
    std::string text;
    FormulaSteps steps;
    std::vector<PatternArray> arrays;
    std::vector<PatternStatement> body;
};

/// Parses a pattern. Errors give file:line:column and what was expected.
Expected<Pattern> parsePattern(std::string_view text, const std::string& file);

/// Runs a pattern. Errors are those that only running reveals, with the values of the loops' variables: indexes outside
/// of arrays, limits.
Expected<Trace> runPattern(const Pattern& pattern, const std::string& traceName, Progress& progress);

/// The title of a pattern: the comment that it begins with, or its beginning.
std::string patternTitle(std::string_view text);

// Errors within this folder.

/// An error in a pattern, thrown to leave a deeply nested parser or loop. Never leaves this folder.
struct PatternFault {
    std::uint32_t at;  ///< offset in the text
    std::string what;
    std::string hint;
};

/// The fault as an error at file:line:column, in characters.
Error errorOf(const PatternFault& fault, std::string_view text, const std::string& file);

[[noreturn]] inline void throwFault(std::uint32_t at, std::string what, std::string hint) {
    throw PatternFault{at, std::move(what), std::move(hint)};
}

}  // namespace whorl::sim
