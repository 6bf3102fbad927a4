// The baseline of the benchmarks: what a careful programmer writes by hand for one machine only. 32K/8/64 before
// 256K/8/64, LRU, write-back, write-allocate; fixed ways, byte-sized ages, AVX2 where the compiler may use it.
#pragma once

#include <immintrin.h>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace whorl::bench {

struct CarefulEvent {
    std::uint64_t block;
    std::uint8_t kind, level, way, write;
};

class CarefulLoop {
  public:
    std::uint64_t l1Hits = 0, l1Misses = 0, l2Hits = 0, l2Misses = 0, writebacks = 0, memoryReads = 0, memoryWrites = 0;

    CarefulLoop() {
        l1_.clear();
        l2_.clear();
    }

    [[gnu::target("avx2")]] void access(std::uint64_t address, std::uint32_t size, bool write) {
        const std::uint64_t last = (address + size - 1) >> 6;
        for (std::uint64_t b = address >> 6; b <= last; ++b) touch<false>(b, write, nullptr);
    }
    [[gnu::target("avx2")]] std::size_t accessTelling(std::uint64_t address, std::uint32_t size, bool write,
                                                      CarefulEvent* out) {
        const std::uint64_t last = (address + size - 1) >> 6;
        CarefulEvent* at = out;
        for (std::uint64_t b = address >> 6; b <= last; ++b) at = touch<true>(b, write, at);
        return static_cast<std::size_t>(at - out);
    }

  private:
    template <std::size_t kSets>
    struct Level {
        std::array<std::uint64_t, kSets * 8> tags;
        std::array<std::uint64_t, kSets> ages;  ///< eight bytes, 0 is the most recent
        std::array<std::uint8_t, kSets> dirty;

        void clear() {
            tags.fill(~std::uint64_t{0});
            ages.fill(0x0706050403020100);
            dirty.fill(0);
        }
        [[gnu::target("avx2")]] unsigned find(std::size_t set, std::uint64_t block) const {
            const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(block));
            const auto* at = reinterpret_cast<const __m256i*>(&tags[set * 8]);
            const __m256i low = _mm256_cmpeq_epi64(_mm256_loadu_si256(at), wanted);
            const __m256i high = _mm256_cmpeq_epi64(_mm256_loadu_si256(at + 1), wanted);
            return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(low))) |
                   static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(high))) << 4;
        }
        [[gnu::target("avx2")]] void use(std::size_t set, unsigned way) {
            const std::uint64_t all = ages[set];
            const auto old = static_cast<char>(all >> 8 * way);
            const __m128i a = _mm_cvtsi64_si128(static_cast<long long>(all));
            const __m128i younger = _mm_cmpgt_epi8(_mm_set1_epi8(old), a);
            const auto grown = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_sub_epi8(a, younger)));
            ages[set] = grown & ~(std::uint64_t{0xff} << 8 * way);
        }
        [[gnu::target("avx2")]] unsigned oldest(std::size_t set) const {
            const __m128i a = _mm_cvtsi64_si128(static_cast<long long>(ages[set]));
            return static_cast<unsigned>(
                std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_set1_epi8(7))))));
        }
    };

    template <bool kTell>
    [[gnu::target("avx2")]] CarefulEvent* touch(std::uint64_t block, bool write, CarefulEvent* out) {
        const std::size_t set = block & 63;
        const unsigned found = l1_.find(set, block);
        if (found != 0) [[likely]] {
            const auto way = static_cast<unsigned>(std::countr_zero(found));
            l1_.use(set, way);
            l1_.dirty[set] |= static_cast<std::uint8_t>(write << way);
            ++l1Hits;
            if (kTell) *out++ = {block, 0, 0, static_cast<std::uint8_t>(way), write};
            return out;
        }
        ++l1Misses;
        if (kTell) *out++ = {block, 1, 0, 0, write};
        out = second<kTell>(block, false, out);
        const unsigned way = l1_.oldest(set);
        const std::uint64_t victim = l1_.tags[set * 8 + way];
        const bool dirty = (l1_.dirty[set] >> way & 1) != 0;
        if (kTell && victim != ~std::uint64_t{0}) *out++ = {victim, 2, 0, static_cast<std::uint8_t>(way), dirty};
        if (dirty) {
            ++writebacks;
            out = second<kTell>(victim, true, out);
        }
        l1_.tags[set * 8 + way] = block;
        l1_.dirty[set] =
            static_cast<std::uint8_t>((l1_.dirty[set] & ~(1u << way)) | static_cast<unsigned>(write) << way);
        l1_.use(set, way);
        if (kTell) *out++ = {block, 3, 0, static_cast<std::uint8_t>(way), write};
        return out;
    }

    template <bool kTell>
    [[gnu::target("avx2")]] CarefulEvent* second(std::uint64_t block, bool write, CarefulEvent* out) {
        const std::size_t set = block & 511;
        const unsigned found = l2_.find(set, block);
        unsigned way = 0;
        if (found != 0) {
            way = static_cast<unsigned>(std::countr_zero(found));
            l2_.dirty[set] |= static_cast<std::uint8_t>(write << way);
            ++l2Hits;
            if (kTell) *out++ = {block, 0, 1, static_cast<std::uint8_t>(way), write};
        } else {
            ++l2Misses;
            ++memoryReads;
            if (kTell) *out++ = {block, 1, 1, 0, write};
            way = l2_.oldest(set);
            const std::uint64_t victim = l2_.tags[set * 8 + way];
            const bool dirty = (l2_.dirty[set] >> way & 1) != 0;
            if (kTell && victim != ~std::uint64_t{0}) *out++ = {victim, 2, 1, static_cast<std::uint8_t>(way), dirty};
            memoryWrites += dirty;
            l2_.tags[set * 8 + way] = block;
            l2_.dirty[set] =
                static_cast<std::uint8_t>((l2_.dirty[set] & ~(1u << way)) | static_cast<unsigned>(write) << way);
            if (kTell) *out++ = {block, 3, 1, static_cast<std::uint8_t>(way), write};
        }
        l2_.use(set, way);
        return out;
    }

    Level<64> l1_;
    Level<512> l2_;
};

}  // namespace whorl::bench
