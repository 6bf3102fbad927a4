// What the readers of the formats have in common: each takes lines down into a TraceBuilder, which it does not own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sim/trace/access.h"
#include "sim/trace/formats/line_source.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// The size of an access whose line does not give one, in bytes, as in Dinero.
inline constexpr std::uint32_t kDefaultAccessSize = 4;

/// What is wrong with a line.
struct Malformed {
    std::string what;    ///< "no address"
    std::string hint;    ///< what was expected
    bool noise = false;  ///< it is not of this format at all: the others may well make sense without it
};

class LineReader {
  public:
    virtual ~LineReader() = default;

    /// Takes lines down, each of which ends with "\n". Gives the bytes taken: the whole block, or what stands before
    /// the first malformed line, of which malformed() tells.
    virtual std::size_t read(std::string_view block) = 0;

    const Malformed& malformed() const { return malformed_; }
    /// The lines taken so far.
    std::uint64_t lines() const { return lines_; }
    void skipLine() { ++lines_; }

  protected:
    /// Refuses a line: for `return refuse(…)` where true means taken.
    bool refuse(std::string what, std::string hint = {}, bool noise = false) {
        malformed_ = {.what = std::move(what), .hint = std::move(hint), .noise = noise};
        return false;
    }
    bool shortEnough(std::string_view line) {
        return line.size() <= kMaxLine || refuse("a line of more than 64 KiB", {}, true);
    }
    /// Refuses an access that cannot be, with its size and address as they were read.
    bool possible(std::uint64_t address, std::uint64_t size);

    /// An access that is possible, by the first CPU.
    static Access accessOf(Op op, std::uint64_t address, std::uint64_t size) {
        Access access;
        access.address = ByteAddress{address};
        access.size = static_cast<std::uint32_t>(size);
        access.op = op;
        return access;
    }

    /// Takes a block line by line: `line` gets each without its end and says whether it took it.
    template <class F>
    std::size_t readEach(std::string_view block, F&& line);

    Malformed malformed_;
    std::uint64_t lines_ = 0;
};

std::unique_ptr<LineReader> lackeyReader(TraceBuilder& builder, bool instructions);
std::unique_ptr<LineReader> dinReader(TraceBuilder& builder, bool instructions);
std::unique_ptr<LineReader> textReader(TraceBuilder& builder);

/// How sure it is that a line is of a format: 0 it is not, 1 it fits, 2 hardly anything else looks like it.
int likeLackey(std::string_view line);
int likeDin(std::string_view line);
int likeText(std::string_view line);

/// The first line of a text, without its end ("\n" or "\r\n").
std::string_view firstLine(std::string_view text);

inline bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

/// The text without blanks at its start.
inline std::string_view withoutBlanks(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && isBlank(text[n])) ++n;
    return text.substr(n);
}

/// The first word of a text, up to a blank (or `stop`), taken off it together with blanks before it. Empty when there
/// is none.
inline std::string_view takeWord(std::string_view& text, char stop = ' ') {
    text = withoutBlanks(text);
    std::size_t n = 0;
    while (n < text.size() && !isBlank(text[n]) && text[n] != stop) ++n;
    const std::string_view word = text.substr(0, n);
    text.remove_prefix(n);
    return word;
}

/// A number from 0 to 2^64 - 1; nothing when the text is anything else. Hex digits may have 0x before them.
std::optional<std::uint64_t> hexNumber(std::string_view text);
std::optional<std::uint64_t> decimalNumber(std::string_view text);
/// Decimal, or hex with 0x.
std::optional<std::uint64_t> anyNumber(std::string_view text);

/// Whether `size` bytes from an address on are within the address space. Its very last byte is not, so that every end
/// is a number.
constexpr bool withinMemory(std::uint64_t address, std::uint64_t size) {
    return size <= ~address;
}

/// A text as an error shows it: at most 60 characters, and what cannot be printed as \x1b.
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
