// A pattern of accesses that a person has typed: arrays, loops, and the accesses in them. This is its parsed form; see
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

/// What a pattern may be and make, so that a typing mistake takes no more than a few seconds.
inline constexpr std::size_t kMostPatternBytes = std::size_t{1} << 20;        ///< of text
inline constexpr std::uint64_t kMostPatternAccesses = 100'000'000;            ///< that it makes
inline constexpr std::uint64_t kMostPatternTurns = 200'000'000;               ///< of all its loops
inline constexpr std::uint64_t kMostPatternMemory = std::uint64_t{1} << 40;   ///< bytes of an array
inline constexpr std::int64_t kMostPatternElement = 4096;                     ///< bytes of an element
inline constexpr std::uint64_t kMostPatternAddress = std::uint64_t{1} << 62;  ///< of an access or an array
inline constexpr std::uint32_t kPatternElement = 8;                           ///< bytes of an element, if not told

/// Extents of an array; the second is 0 if it has one dimension.
using PatternExtents = std::array<std::uint64_t, 2>;

struct PatternArray {
    std::string name;
    std::uint32_t at = 0;             ///< where it is named first
    std::uint32_t dimensions = 0;     ///< 0: not known yet
    PatternExtents extents = {0, 0};  ///< if declared
    bool hasExtents = false;          ///< declared; otherwise its accesses tell
    std::uint32_t elementSize = kPatternElement;
    std::uint64_t align = 0;  ///< 0: that of its elements
    std::optional<std::uint64_t> address = std::nullopt;
};

enum class PatternAction : std::uint8_t { read, write, update };

/// An element of an array, or an address.
struct PatternPlace {
    std::optional<std::uint32_t> array = std::nullopt;
    std::array<Formula, 2> indexes = {};  ///< the address in the first, if it is one
    std::uint32_t size = 0;               ///< bytes that are accessed, of an address
};

struct PatternStatement {
    enum class Kind : std::uint8_t { access, loop, repeat, cpu };
    Kind kind = Kind::access;
    PatternAction action = PatternAction::read;
    std::uint32_t at = 0;    ///< offset in the text
    std::uint32_t line = 0;  ///< from 1
    PatternPlace place = {};
    std::string variable = {};  ///< of a loop; its number is how many loops with variables are around it
    Formula from = {};          ///< of a loop; also how often to repeat, or the CPU
    Formula to = {};
    std::optional<Formula> step = std::nullopt;
    bool isInclusive = false;  ///< `to` is the last value
    std::vector<PatternStatement> body = {};
};

struct Pattern {
    std::string file;  ///< its name in messages
    std::string text;
    FormulaSteps steps;
    std::vector<PatternArray> arrays;
    std::vector<PatternStatement> body;
};

/// Parses a pattern. Errors are at file:line:column and say what was expected.
Expected<Pattern> parsePattern(std::string_view text, const std::string& file);

/// Runs it. Errors are those that only running shows, with the values of the loops' variables: indexes outside of
/// arrays, limits.
Expected<Trace> runPattern(const Pattern& pattern, const std::string& traceName, Progress& progress);

/// What to call a pattern: the comment that it begins with, or its beginning.
std::string patternTitle(std::string_view text);

}  // namespace whorl::sim
