// A pattern of accesses written by a person: arrays, loops, and the accesses in them. This is its parsed form; see
// docs/patterns.md for the language.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/programs/pattern/formula.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

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

}  // namespace whorl::sim
