// Parses the addresses in lackey's output, with SSE2 or portable code. Always reads 16 characters, whatever they are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "sim/base/digits.h"

namespace whorl::sim {

struct LackeyAddress {
#ifdef __SSE2__
    /// The positions of newlines among 64 characters, as bits.
    static std::uint64_t newlines(const char* p) {
        std::uint64_t found = 0;
        for (unsigned i = 0; i < 64; i += 16) {
            const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
            const int here = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('\n')));
            found |= static_cast<std::uint64_t>(here) << i;
        }
        return found;
    }

    /// Parses an address of the given number of digits; false if it is invalid or has more than 15. All 16 characters
    /// are converted in parallel; those after the digits are shifted out at the end.
    [[gnu::always_inline]] static bool addressAt(const char* p, std::size_t digits, std::uint64_t& out) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const __m128i decimal = _mm_sub_epi8(text, _mm_set1_epi8('0'));
        const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
        const __m128i isDecimal = _mm_cmpeq_epi8(_mm_min_epu8(decimal, _mm_set1_epi8(9)), decimal);
        const __m128i isLetter = _mm_cmpeq_epi8(_mm_min_epu8(letter, _mm_set1_epi8(5)), letter);
        const __m128i value = _mm_or_si128(_mm_and_si128(isDecimal, decimal),
                                           _mm_and_si128(isLetter, _mm_add_epi8(letter, _mm_set1_epi8(10))));
        // Combine pairs of digits into bytes; the first digit and the first pair are the most significant.
        const __m128i pairs = _mm_or_si128(_mm_slli_epi16(value, 4), _mm_srli_epi16(value, 8));
        const __m128i bytes = _mm_packus_epi16(_mm_and_si128(pairs, _mm_set1_epi16(0xff)), _mm_setzero_si128());
        const auto backward = static_cast<std::uint64_t>(_mm_cvtsi128_si64(bytes));
        const auto sound = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(isDecimal, isLetter)));
        if (digits - 1 > 14 || (~sound & ((1u << digits) - 1)) != 0) return false;
        out = __builtin_bswap64(backward) >> (64 - 4 * digits);
        return true;
    }
    /// The number of characters before the first comma, up to 16.
    static unsigned charactersBeforeComma(const char* p) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
        const int commas = _mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8(',')));
        return static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(commas) | 1u << 16));
    }
#else
    static std::uint64_t newlines(const char* p) {
        std::uint64_t found = 0;
        for (unsigned i = 0; i < 64; ++i) found |= std::uint64_t{p[i] == '\n'} << i;
        return found;
    }

    static bool addressAt(const char* p, std::size_t digits, std::uint64_t& out) {
        if (digits - 1 > 14) return false;
        out = 0;
        bool sound = true;
        for (std::size_t i = 0; i < digits; ++i) {
            sound = sound && digit(p[i]) < 16;
            out = out << 4 | (digit(p[i]) & 15);
        }
        return sound;
    }

    static unsigned charactersBeforeComma(const char* p) {
        return static_cast<unsigned>(std::find(p, p + 16, ',') - p);
    }
#endif
};

}  // namespace whorl::sim
