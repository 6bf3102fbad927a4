// The body of the loop over lackey's lines, for lackey_lines*.cpp only. `Isa` parses an address; everything here is a
// template over it, so that the linker never mixes code compiled for different processors.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/trace/formats/lackey_lines.h"

namespace whorl::sim::lackey {

/// The first characters of a text as an integer.
template <class T>
T bytes(const char* p) {
    static_assert(std::endian::native == std::endian::little, "the first character is to be the lowest byte");
    T text = 0;
    std::memcpy(&text, p, sizeof text);
    return text;
}

/// The first three characters of a record.
constexpr std::uint32_t firstThree(const char (&text)[4]) {
    return static_cast<std::uint32_t>(text[0]) | static_cast<std::uint32_t>(text[1]) << 8 |
           static_cast<std::uint32_t>(text[2]) << 16;
}

template <class Isa>
class Lines {
  public:
    Lines(std::span<PackedAccess> room, LackeyOptions how) : room_(room), how_(how) {}

    /// The start of a line depends on the end of the one before, a serial dependency. Finding the ends of three lines
    /// at once, which always fit into the characters examined, reduces it.
    LackeyLines read(const char* at, const char* end) {
        while (taken_ + kAtOnce <= room_.size() && end - at >= kSeen + kAddress) {
            std::uint64_t ends = Isa::newlines(at);
            const char* const window = at;
            unsigned line = 0;
            for (; line < kAtOnce && ends != 0; ++line) {
                const char* const newline = window + std::countr_zero(ends);
                if (!readLine(at, newline)) break;
                ends &= ends - 1;
                at = newline + 1;
            }
            if (line < kAtOnce) break;
        }
        return {.end = at, .accesses = taken_, .passed = passed_};
    }

  private:
    static constexpr unsigned kAtOnce = 3;
    static constexpr std::ptrdiff_t kSeen = 64;     ///< characters
    static constexpr std::ptrdiff_t kAddress = 24;  ///< characters that may be read from the start of a line
    static constexpr std::ptrdiff_t kShortest = 6;  ///< " L 1,8"
    static constexpr std::ptrdiff_t kUsual = 11;    ///< "I 100000,3": shorter lines are not skipped unchecked
    static constexpr std::uint32_t kInstruction = firstThree("I  ");
    static constexpr std::uint32_t kLoad = firstThree(" L ");
    static constexpr std::uint32_t kStore = firstThree(" S ");

    [[gnu::always_inline]] bool readLine(const char* at, const char* newline) {
        if (newline - at < kShortest || newline[-2] != ',') return false;
        const std::uint32_t kind = bytes<std::uint32_t>(at) & 0xffffff;
        if (kind == kInstruction && how_.passing) {
            const bool isUsual = newline - at >= kUsual;
            passed_ += isUsual;
            return isUsual;
        }
        // Loads and stores alternate unpredictably: a branch on the kind would be mispredicted too often.
        if (std::min(kind ^ kLoad, kind ^ kStore) != 0) return false;
        const std::uint32_t sizeLess1 = static_cast<unsigned char>(newline[-1]) - std::uint32_t{'1'};
        if (sizeLess1 > 8) return false;
        std::uint64_t address = 0;
        if (!Isa::addressAt(at + 3, static_cast<std::size_t>(newline - at) - 5, address)) return false;
        room_[taken_++] =
            PackedAccess(kind == kStore ? Op::write : Op::read, ByteAddress{address}, sizeLess1 + 1, how_.site);
        return true;
    }

    std::span<PackedAccess> room_;
    LackeyOptions how_;
    std::size_t taken_ = 0;
    std::uint64_t passed_ = 0;
};

}  // namespace whorl::sim::lackey
