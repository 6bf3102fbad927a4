// The line format of Chiron's trace files, shared by reader and writer: a letter and numbers on each line. See
// docs/traces.md.
//
// Source: the trace messages of H. A. Goosen et al., "Chiron: Interactive 3D visualization of parallel program memory
// performance".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/access.h"
#include "sim/trace/formats/reading.h"

namespace whorl::sim {

/// A source line is encoded as one number: the file's number, from 1, times this, plus the line.
inline constexpr std::uint64_t kChironLines = 1'000'000;

/// The fields after a letter, a character for each number: `a` an address, `o` the address of an evicted block, `z` an
/// optional size, `p` a CPU, `c` a cache, `l` a level, `s` a source line, `t` a time, `w` cycles waited, `n` a number.
/// Empty for unknown letters and for `c`, which is followed by a name.
std::string_view chironFields(char letter);

/// Properties of the whole text that must be known before its first line can be parsed.
struct ChironScan {
    /// The base of addresses and sizes without 0x: 16 if one has a digit from a to f, else 10 if one has the digit 8 or
    /// 9, else 8.
    unsigned base = 8;
    bool starts = false;  ///< the file has lines for the start of accesses, not only for their completion
    /// Lines r and w with four numbers complete accesses: the letters have lost their case (see ChironLetters).
    bool lowerCase = false;
    std::string doubt;      ///< the assumption made about these lines, in a sentence; empty if there is none
    std::size_t lines = 0;  ///< number of lines with a letter and fields
};

/// Scans a whole text, each line of which ends with "\n".
ChironScan scanChiron(std::string_view text);

/// Whether a line r or w has a fourth number and nothing else: a size, or in files that are in lower case, a wait.
bool hasFourNumbers(std::string_view line);

/// Parses the list of source files of a trace: a path per line, in quotes where necessary, as in Whorl's text format.
std::vector<std::string> chironSources(std::string_view list);
/// Formats a path as such a line, without the newline.
std::string asChironSource(const std::string& path);

/// Parses the fields after the letter of a line.
class ChironFieldReader {
  public:
    static constexpr std::size_t kMax = 6;

    /// `base` is the base of addresses and sizes.
    explicit ChironFieldReader(unsigned base) : base_(base) {}

    /// Parses exactly the fields of the letter. False if they are malformed; see malformed().
    bool read(char letter, std::string_view behind);
    /// The value of the field at an index.
    std::uint64_t operator[](std::size_t place) const { return values_[place]; }
    /// Whether the optional size is present.
    bool hasSize() const { return hasSize_; }
    /// Whether the line ends with "m": a write that is the second half of a modify.
    bool isModify() const { return isModify_; }

    /// Parses a single word as a field.
    bool readNumber(char field, std::string_view word, std::uint64_t& value);

    const Malformed& malformed() const { return malformed_; }

  private:
    bool refuse(std::string what, std::string hint);
    bool readRest(char letter, const char* p, const char* end);

    unsigned base_;
    std::array<std::uint64_t, kMax> values_{};
    bool hasSize_ = false;
    bool isModify_ = false;
    Malformed malformed_;
};

/// The name of a field, such as "a time".
std::string_view chironFieldName(char field);
/// The form of a line, such as "expected h ADDRESS CACHE LEVEL SOURCE TIME".
std::string chironForm(char letter);

/// Tracks which caches of a level hold each block while a Chiron trace is read: a hash table of blocks with a bit for
/// each cache. A trace may begin in the middle of a program, so the state of a block is unknown until its first event.
class ChironOccupancy {
  public:
    /// A block enters a cache. False, with nothing changed, if the cache has it already.
    bool enter(std::uint64_t block, unsigned cache);
    /// A block leaves a cache. False, with nothing changed, if the cache is known not to have it.
    bool leave(std::uint64_t block, unsigned cache);
    /// The maximum number of blocks known to have been in one of the caches at the same time.
    std::uint64_t most() const { return most_; }

  private:
    struct Entry {
        std::uint64_t block = 0;
        std::uint64_t here = 0;   ///< bit per cache: holds the block
        std::uint64_t known = 0;  ///< bit per cache: `here` is known; 0: the entry is free
    };

    Entry& entryOf(std::uint64_t block);
    void grow();
    static std::size_t placeOf(std::uint64_t block, std::size_t size);

    std::vector<Entry> entries_;  ///< the size is a power of two; at most half are used
    std::size_t used_ = 0;
    std::array<std::uint64_t, kMaxCpus> held_{};  ///< number of blocks, by cache
    std::uint64_t most_ = 0;
};

}  // namespace whorl::sim
