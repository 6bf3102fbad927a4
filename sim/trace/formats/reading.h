// What the readers of all formats share: the trace that is being read; and for the readers of text formats, the source
// of lines and their base class.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/byte_source.h"
#include "sim/base/error.h"
#include "sim/base/memory_budget.h"
#include "sim/base/progress.h"
#include "sim/trace/access.h"
#include "sim/trace/formats/text_words.h"
#include "sim/trace/trace.h"
#include "sim/trace/trace_builder.h"

namespace whorl::sim {

/// Lines longer than this (without their end) are malformed.
inline constexpr std::size_t kMaxLine = std::size_t{64} << 10;

/// Reads a byte source as large blocks of whole lines. The blocks belong to the source.
class LineSource {
  public:
    explicit LineSource(std::unique_ptr<ByteSource> bytes);

    /// The next block of lines, each ending with "\n", which is added to the last line if missing. Empty at the end.
    /// Lines longer than kMaxLine may be truncated to just above it, so that they can be recognised. The block is valid
    /// until the next call.
    Expected<std::string_view> next();

    /// The number of bytes by which the last line of the last block was truncated; 0 for most lines. Reads on to the
    /// end of that line without keeping it. The block stays valid.
    Expected<std::uint64_t> truncated(const Progress& progress);

  private:
    static constexpr std::size_t kBlock = std::size_t{256} << 10;

    std::unique_ptr<ByteSource> bytes_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;      ///< start of the data not yet returned
    std::size_t end_ = 0;        ///< end of the data read
    bool ended_ = false;         ///< the source has ended
    bool inLongLine_ = false;    ///< data up to the next "\n" is dropped
    std::uint64_t dropped_ = 0;  ///< bytes of the last line of the block that are not in it

    std::string_view rest() const { return {buffer_.data() + begin_, end_ - begin_}; }
    Expected<void> fill();
    void dropLongLine();
    void truncateLine();
    std::string_view give(std::size_t size);
};

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

/// The base of the readers of text formats: each parses lines and adds accesses to a TraceBuilder, which it does not
/// own.
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

/// Whether an access of `size` bytes, at least one, is within the address space.
constexpr bool withinMemory(std::uint64_t address, std::uint64_t size) {
    return size - 1 <= ~address;
}
/// Whether a region or an object is within the address space, and so is its end.
constexpr bool endsWithinMemory(std::uint64_t address, std::uint64_t size) {
    return size <= ~address;
}

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

struct TableColumns;

/// A trace that is being read.
struct Reading {
    const std::string& name;  ///< name of the file, for errors
    bool lenient;             ///< skip malformed input
    bool instructions;        ///< treat instruction fetches as reads
    const std::string& chironSources;
    const TableColumns* columns;  ///< of a table of text; null: it has one of the formats
    TraceBuilder& builder;
    MemoryBudget& budget;
    Progress& progress;
    std::optional<Trace>& whole;  ///< the trace, if the format yields it as a whole; otherwise it is in the builder
};

/// The length in bytes of the line at the start of a block, even if its end is not in the block.
using LineLength = std::function<Expected<std::uint64_t>(std::string_view line)>;

/// Adds a block of lines. Skips malformed lines if reading is lenient.
Expected<void> takeBlock(const Reading& reading, std::string_view block, LineReader& reader,
                         const LineLength& lengthOf);
/// Reads lines to the end with a line reader; `begun` is the block already read.
Expected<void> readLines(const Reading& reading, std::string_view begun, LineSource& lines, LineReader& reader,
                         bool fetchesLeftOut);
/// To be called at the end of a trace.
Expected<void> finish(const Reading& reading, bool fetchesLeftOut);
Expected<void> checkMemory(const Reading& reading);

/// Appends the content of a source, up to `most` bytes in all.
Expected<void> readUpTo(std::size_t most, std::string& bytes, ByteSource& source, const Progress& progress);

}  // namespace whorl::sim
