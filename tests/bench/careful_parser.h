// The baseline for reading lackey's text: what a careful programmer writes by hand when no line is ever malformed and
// nothing is stored. Reads up to 16 bytes beyond the end of a line, and before its address.
#pragma once

#include <immintrin.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace whorl::bench {

inline constexpr std::array<std::uint8_t, 256> kHexDigits = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(0xff);
    for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<std::uint8_t>(i);
    for (unsigned i = 0; i < 6; ++i) table['a' + i] = static_cast<std::uint8_t>(10 + i);
    return table;
}();

/// Parses an address by table, digit by digit. Returns the position of the comma.
inline const char* addressByTable(const char* p, std::uint64_t& address) {
    address = 0;
    for (unsigned d = 0; (d = kHexDigits[static_cast<unsigned char>(*p)]) < 16; ++p) address = address << 4 | d;
    return p;
}

/// An address of up to 16 digits in one register.
[[gnu::target("avx2")]] inline const char* addressBySse(const char* p, std::uint64_t& address) {
    const __m128i line = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto commas = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(line, _mm_set1_epi8(','))));
    const auto digits = static_cast<int>(std::countr_zero(commas | 1u << 16));
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + digits - 16));
    const __m128i places = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m128i ours = _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(digits)), places);
    const __m128i letters = _mm_and_si128(_mm_srli_epi16(text, 6), _mm_set1_epi8(1));
    const __m128i nines = _mm_add_epi8(_mm_slli_epi16(letters, 3), letters);
    const __m128i low = _mm_and_si128(text, _mm_set1_epi8(0x0f));
    const __m128i nibbles = _mm_and_si128(_mm_add_epi8(low, nines), ours);
    const __m128i bytes = _mm_maddubs_epi16(nibbles, _mm_set1_epi16(0x0110));
    const __m128i packed = _mm_packus_epi16(bytes, bytes);
    address = __builtin_bswap64(static_cast<std::uint64_t>(_mm_cvtsi128_si64(packed)));
    return p + digits;
}

/// Reads lines such as " L 1ffe0,8" and calls use(address, size, write) for each.
template <const char* (*kAddress)(const char*, std::uint64_t&), class Use>
[[gnu::target("avx2")]] void parseCarefully(std::string_view text, Use&& use) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        const bool write = p[1] == 'S';
        std::uint64_t address = 0;
        p = kAddress(p + 3, address) + 1;
        std::uint32_t size = 0;
        for (; *p != '\n'; ++p) size = size * 10 + static_cast<unsigned>(*p - '0');
        ++p;
        use(address, size, write);
    }
}

}  // namespace whorl::bench
