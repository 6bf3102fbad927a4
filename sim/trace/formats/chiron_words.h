// The numbers of a line of a Chiron trace, read by what they are.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/trace/formats/line_reader.h"

namespace whorl::sim {

/// Reads the words behind the letter of a line, or says what is wrong with one of them.
class ChironWords {
  public:
    static constexpr std::size_t kMost = 6;

    /// `base` is that of addresses and sizes.
    explicit ChironWords(unsigned base) : base_(base) {}

    /// Reads as many numbers as the letter has, and no more. False when malformed() tells why not.
    bool take(char letter, std::string_view behind);
    /// The number of the field at a place.
    std::uint64_t operator[](std::size_t place) const { return values_[place]; }
    /// Whether the size that may be left out stands there.
    bool hasSize() const { return hasSize_; }
    /// Whether an "m" stands behind it: a write that is the second half of a modify.
    bool isModify() const { return isModify_; }

    /// An address or a size by itself.
    bool takeNumber(char field, std::string_view word, std::uint64_t& value);

    const Malformed& malformed() const { return malformed_; }

  private:
    bool refuse(std::string what, std::string hint);
    bool takeRest(char letter, const char* p, const char* end);

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
