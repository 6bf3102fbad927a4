// The body of the loop over lackey's lines, for lackey_lines*.cpp alone. `Isa` reads an address; everything here is a
// template over it, so that what is compiled for one processor is never taken for another.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/trace/formats/lackey_lines.h"

namespace whorl::sim::lackey {

/// The first characters of a text as a number.
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

    /// Where a line ends depends on where it begins, so lines must wait for each other. Three at a time, which always
    /// fit into the characters that are looked at, wait but once.
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
    static constexpr std::ptrdiff_t kAddress = 24;  ///< characters that may be read from the start of a line on
    static constexpr std::ptrdiff_t kShortest = 6;  ///< " L 1,8"
    static constexpr std::ptrdiff_t kUsual = 11;    ///< "I  100000,3": nothing else is passed over unseen
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
        // Loads and stores come as they like: a branch for each would be guessed wrong too often.
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
