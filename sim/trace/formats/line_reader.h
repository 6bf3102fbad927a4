// The base of the readers of text formats: each parses lines and adds accesses to a TraceBuilder, which it does not
// own. Also helpers to parse words and numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/trace/access.h"
#include "sim/trace/formats/line_source.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// The size in bytes of an access whose line does not specify one, as in Dinero.
inline constexpr std::uint32_t kDefaultAccessSize = 4;
/// The size in bytes of an access in formats without sizes: no access then touches a block that the trace does not
/// name.
inline constexpr std::uint32_t kUnknownAccessSize = 1;

/// Why a line was rejected.
struct Malformed {
    std::string what;    ///< "no address"
    std::string hint;    ///< what was expected
    bool noise = false;  ///< the line is not of this format at all and may be skipped (--lenient)
};

class LineReader {
  public:
    virtual ~LineReader() = default;

    /// Parses a block of lines, each of which ends with "\n". Returns the bytes consumed: the whole block, or those
    /// before the first malformed line, for which malformed() gives the reason.
    virtual std::size_t read(std::string_view block) = 0;
    /// To be called after the last block.
    virtual void finish() {}

    const Malformed& malformed() const { return malformed_; }
    /// The number of lines consumed so far.
    std::uint64_t lines() const { return lines_; }
    void skipLine() { ++lines_; }

  protected:
    /// Rejects a line; returns false, for use as `return refuse(…)`.
    bool refuse(std::string what, std::string hint = {}, bool noise = false) {
        malformed_ = {.what = std::move(what), .hint = std::move(hint), .noise = noise};
        return false;
    }
    bool shortEnough(std::string_view line) {
        return line.size() <= kMaxLine || refuse("a line that is too long", {}, true);
    }
    /// Rejects a line whose address `word` is invalid or missing, and gives the reason; `form` shows a valid address.
    bool refuseAddress(std::string_view word, std::string form, bool noise = false);
    /// Checks address and size of an access; rejects the line if they are invalid.
    bool possible(std::uint64_t address, std::uint64_t size);

    /// An access by the first CPU; address and size must have been checked.
    static Access accessOf(Op op, std::uint64_t address, std::uint64_t size) {
        Access access;
        access.address = ByteAddress{address};
        access.size = static_cast<std::uint32_t>(size);
        access.op = op;
        return access;
    }

    /// Parses a block line by line: `line` receives each line without its newline and returns whether it accepts it.
    template <class F>
    std::size_t readEach(std::string_view block, F&& line);

    Malformed malformed_;
    std::uint64_t lines_ = 0;
};

/// Whether a line, without its end, exceeds the maximum length.
bool isTooLong(std::string_view line);
/// The error for a line that a reader rejected; the first line of a file is line 1. `line` may be only its beginning;
/// `length` is its full length in bytes.
Error lineError(const std::string& name, std::uint64_t number, std::string_view line, std::uint64_t length,
                const Malformed& why);

/// A text without the byte order mark with which some editors begin UTF-8.
std::string_view withoutByteOrderMark(std::string_view text);

/// The first line of a text, without its end ("\n" or "\r\n").
std::string_view firstLine(std::string_view text);

inline bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// The text without leading blanks.
inline std::string_view withoutBlanks(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && isBlank(text[n])) ++n;
    return text.substr(n);
}

/// Removes the first word, up to a blank or `stop`, and the blanks before it from the front of a text. Empty if there
/// is none.
inline std::string_view takeWord(std::string_view& text, char stop = ' ') {
    text = withoutBlanks(text);
    std::size_t n = 0;
    while (n < text.size() && !isBlank(text[n]) && text[n] != stop) ++n;
    const std::string_view word = text.substr(0, n);
    text.remove_prefix(n);
    return word;
}

/// Parses a number from 0 to 2^64 - 1; nothing for any other text. hexNumber accepts an optional 0x, which
/// prefixedHexNumber requires.
std::optional<std::uint64_t> hexNumber(std::string_view text);
std::optional<std::uint64_t> prefixedHexNumber(std::string_view text);
std::optional<std::uint64_t> decimalNumber(std::string_view text);
/// Parses a decimal number, or a hex number with 0x.
std::optional<std::uint64_t> anyNumber(std::string_view text);

/// Whether a word has the form of an address in hex, perhaps without 0x, even if it is negative or too large. Format
/// detection uses this form, so that the detected format's reader can report the error.
bool likeAddress(std::string_view word);
/// Whether a line is an access such as "r 10" or "r 10 4", whose address is decimal in Whorl's text but hex in other
/// formats, such as the extended form of din.
bool hasBaseOpen(std::string_view line);

/// Whether an access of `size` bytes, at least one, is within the address space.
constexpr bool withinMemory(std::uint64_t address, std::uint64_t size) {
    return size - 1 <= ~address;
}
/// Whether a region or an object is within the address space, and so is its end.
constexpr bool endsWithinMemory(std::uint64_t address, std::uint64_t size) {
    return size <= ~address;
}

/// A text as shown in errors: at most 60 characters, with unprintable bytes escaped as \x1b.
std::string shown(std::string_view text);

template <class F>
std::size_t LineReader::readEach(std::string_view block, F&& line) {
    std::size_t taken = 0;
    while (taken < block.size()) {
        const std::size_t end = block.find('\n', taken);
        std::string_view text = block.substr(taken, end - taken);
        if (text.ends_with('\r')) text.remove_suffix(1);
        if (!shortEnough(text) || !line(text)) break;
        ++lines_;
        taken = end + 1;
    }
    return taken;
}

}  // namespace whorl::sim
