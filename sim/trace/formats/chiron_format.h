// What Chiron's trace files are made of, for those who read and write them: a letter and numbers on each line. See
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

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {

/// A line of the source is told as one number: the number of its file, from 1, times this, and the line.
inline constexpr std::uint64_t kChironLines = 1'000'000;

/// What stands behind a letter: a character for each number. `a` an address, `o` the address of a block that leaves,
/// `z` a size, `p` a CPU, `c` a cache, `l` a level, `s` a source line, `t` a time, `w` cycles waited, `n` a number.
/// Empty when the letter is not known, or is `c`, behind which a name stands.
std::string_view chironFields(char letter);

/// What must be known of the whole text before its first line can be read.
struct ChironScan {
    /// Of addresses and sizes without 0x: 8, unless one has the digit 8 or 9 (10), or a letter from a to f (16).
    unsigned base = 8;
    bool starts = false;    ///< it tells when accesses start, not only when they are complete
    std::size_t lines = 0;  ///< with a letter and what stands behind it
};

/// Looks a whole text over, each line of which ends with "\n".
ChironScan scanChiron(std::string_view text);

/// Whether a text begins as a Chiron trace does: its first line that is neither blank nor a comment is "i" and a
/// number.
bool likeChiron(std::string_view text);

/// The list of source files that lies beside a trace: a path a line. Paths that a line cannot hold are in quotes, as in
/// Whorl's own text.
std::vector<std::string> chironSources(std::string_view list);
/// A path as such a line, without its end.
std::string asChironSource(const std::string& path);

/// Reads the words behind the letter of a line, or says what is wrong with one of them.
class ChironFieldReader {
  public:
    static constexpr std::size_t kMost = 6;

    /// `base` is that of addresses and sizes.
    explicit ChironFieldReader(unsigned base) : base_(base) {}

    /// Reads as many numbers as the letter has, and no more. False when malformed() tells why not.
    bool read(char letter, std::string_view behind);
    /// The number of the field at a place.
    std::uint64_t operator[](std::size_t place) const { return values_[place]; }
    /// Whether the size that may be left out stands there.
    bool hasSize() const { return hasSize_; }
    /// Whether an "m" stands behind it: a write that is the second half of a modify.
    bool isModify() const { return isModify_; }

    /// An address or a size by itself.
    bool readNumber(char field, std::string_view word, std::uint64_t& value);

    const Malformed& malformed() const { return malformed_; }

  private:
    bool refuse(std::string what, std::string hint);
    bool readRest(char letter, const char* p, const char* end);

    unsigned base_;
    std::array<std::uint64_t, kMost> values_{};
    bool hasSize_ = false;
    bool isModify_ = false;
    Malformed malformed_;
};

/// "a time".
std::string_view chironFieldName(char field);
/// "expected h ADDRESS CACHE LEVEL SOURCE TIME".
std::string chironForm(char letter);

}  // namespace whorl::sim
