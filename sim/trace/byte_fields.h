// Serialises numbers and texts to bytes and back. The input is not trusted: after an invalid or missing field, all
// further reads return 0 or empty, and sound() is false.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "sim/base/varint.h"

namespace whorl::sim {

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

}  // namespace whorl::sim
