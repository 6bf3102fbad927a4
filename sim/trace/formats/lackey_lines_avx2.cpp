// Compiled with AVX2 where the processor may have it (see CMakeLists.txt); called only where it has.
#include "sim/trace/formats/lackey_lines.h"

#ifdef __AVX2__
#include <immintrin.h>

#include "sim/trace/formats/lackey_lines_body.h"
#endif

namespace whorl::sim {

#ifdef __AVX2__

namespace {

/// For each number of digits, which character goes where when they are turned round: the last first, nothing behind
/// the first.
struct Turns {
    alignas(16) std::uint8_t from[16][16];
    constexpr Turns() : from() {
        for (unsigned digits = 0; digits < 16; ++digits) {
            for (unsigned i = 0; i < 16; ++i) {
                from[digits][i] = static_cast<std::uint8_t>(i < digits ? digits - 1 - i : 0x80);
            }
        }
    }
};
constexpr Turns kTurns;

struct CharactersByAvx2 {
    /// Where lines end among 64 characters: a bit for each.
    static std::uint64_t newlines(const char* p) { return std::uint64_t{newlinesIn32(p + 32)} << 32 | newlinesIn32(p); }

    /// Reads an address of so many digits; false when it is none. What a character is worth, and whether it is a digit
    /// at all, follows from its two halves by tables: '0' to '9' are 0x30 to 0x39, letters 0x41 to 0x46 and 0x61 to
    /// 0x66.
    [[gnu::always_inline]] static bool addressAt(const char* p, std::size_t digits, std::uint64_t& out) {
        const __m128i classOfHigh = _mm_setr_epi8(0, 0, 0, 1, 2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        const __m128i classOfLow = _mm_setr_epi8(1, 3, 3, 3, 3, 3, 3, 1, 1, 1, 0, 0, 0, 0, 0, 0);
        const __m128i worthOfHigh = _mm_setr_epi8(0, 0, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0);

        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i low = _mm_and_si128(text, _mm_set1_epi8(0xf));
        const __m128i high = _mm_and_si128(_mm_srli_epi16(text, 4), _mm_set1_epi8(0xf));
        const __m128i is = _mm_and_si128(_mm_shuffle_epi8(classOfHigh, high), _mm_shuffle_epi8(classOfLow, low));
        const auto others = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(is, _mm_setzero_si128())));
        if (digits - 1 > 14 || (others & ((1u << digits) - 1)) != 0) return false;

        const __m128i values = _mm_add_epi8(low, _mm_shuffle_epi8(worthOfHigh, high));
        const __m128i turn = _mm_load_si128(reinterpret_cast<const __m128i*>(kTurns.from[digits]));
        const __m128i pairs = _mm_maddubs_epi16(_mm_shuffle_epi8(values, turn), _mm_set1_epi16(0x1001));
        out = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs)));
        return true;
    }

  private:
    static std::uint32_t newlinesIn32(const char* p) {
        const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('\n'))));
    }
};

}  // namespace

LackeyLines takeLackeyLinesByAvx2(const char* at, const char* end, std::span<PackedAccess> room, LackeyTaking how) {
    return lackey::Lines<CharactersByAvx2>(room, how).take(at, end);
}

#else

LackeyLines takeLackeyLinesByAvx2(const char* at, const char* end, std::span<PackedAccess> room, LackeyTaking how) {
    return takeLackeyLinesPortably(at, end, room, how);
}

#endif

}  // namespace whorl::sim
