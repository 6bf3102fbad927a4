// Data as bytes that take little space: numbers as varints, fields of numbers and texts, fast compression in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace whorl::sim {

/// Zigzag encoding: signed differences as unsigned numbers that are small near 0.
constexpr std::uint64_t folded(std::uint64_t difference) {
    return difference << 1 ^ (0 - (difference >> 63));
}
constexpr std::uint64_t unfolded(std::uint64_t f) {
    return f >> 1 ^ (0 - (f & 1));
}

inline constexpr std::size_t kMaxVarint = 10;  ///< bytes

/// Writes a number as a varint: 7 bits per byte, the lowest first; the last byte is below 128. `to` must have room for
/// kMaxVarint bytes. Returns the position after the varint.
inline char* putVarint(char* to, std::uint64_t n) {
    for (; n >= 128; n >>= 7) *to++ = static_cast<char>(n | 128);
    *to++ = static_cast<char>(n);
    return to;
}
inline void appendVarint(std::string& to, std::uint64_t n) {
    std::array<char, kMaxVarint> bytes;
    to.append(bytes.data(), putVarint(bytes.data(), n));
}

/// Removes a varint from the front of a text. False if there is none.
inline bool readVarint(std::string_view& from, std::uint64_t& n) {
    n = 0;
    for (unsigned shift = 0; shift < 64 && !from.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(from[0]);
        from.remove_prefix(1);
        n |= std::uint64_t{byte & 127u} << shift;
        if (byte < 128) return true;
    }
    return false;
}

/// Serialises numbers and texts to bytes.
class FieldWriter {
  public:
    void number(std::uint64_t n) { appendVarint(bytes_, n); }
    void text(std::string_view t) {
        number(t.size());
        bytes_ += t;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Reads what a FieldWriter wrote. The input is not trusted: after an invalid or missing field, all further reads
/// return 0 or empty, and isValid() is false.
class FieldReader {
  public:
    explicit FieldReader(std::string_view bytes) : rest_(bytes) {}

    /// Reads a number; 0 if there is none.
    std::uint64_t number() {
        std::uint64_t n = 0;
        if (!isValid_ || !readVarint(rest_, n)) isValid_ = false;
        return isValid_ ? n : 0;
    }
    /// A number of at most `most`; a larger one is invalid.
    std::uint64_t number(std::uint64_t most) {
        const std::uint64_t n = number();
        isValid_ = isValid_ && n <= most;
        return isValid_ ? n : 0;
    }
    std::uint32_t number32() { return static_cast<std::uint32_t>(number(~std::uint32_t{0})); }
    /// The number of items that follow, each of which takes at least a byte.
    std::uint64_t count() {
        const std::uint64_t n = number();  // read first, because it consumes bytes of rest_
        isValid_ = isValid_ && n <= rest_.size();
        return isValid_ ? n : 0;
    }
    std::string text() { return std::string(view()); }
    /// A text, valid as long as the bytes.
    std::string_view view() {
        const std::uint64_t n = count();
        const std::string_view t = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return t;
    }

    bool isValid() const { return isValid_; }
    /// Whether all input was valid and consumed.
    bool done() const { return isValid_ && rest_.empty(); }
    bool hasMore() const { return isValid_ && !rest_.empty(); }

  private:
    std::string_view rest_;
    bool isValid_ = true;
};

/// The bytes compressed by zstd, which is fast; empty if compression fails for lack of memory.
std::string compressed(std::string_view bytes);

/// Decompresses the output of `compressed` into `to`, which must have the original size. False if the data is invalid
/// or the size differs.
bool decompress(std::string_view packed, std::span<char> to);

}  // namespace whorl::sim
