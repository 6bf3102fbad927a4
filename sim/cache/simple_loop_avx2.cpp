// Compiled with AVX2 enabled on x86-64 (see CMakeLists.txt); called only if the processor supports it.
#include "sim/cache/simple_loop.h"

#ifdef __AVX2__
#include <immintrin.h>

#include "sim/cache/simple_loop_body.h"
#endif

namespace whorl::sim {

#ifdef __AVX2__

namespace {

/// For each of eight ways, a mask of the other lanes.
struct Others {
    alignas(16) std::uint16_t lanes[8][8];
    constexpr Others() : lanes() {
        for (unsigned way = 0; way < 8; ++way) {
            for (unsigned w = 0; w < 8; ++w) lanes[way][w] = w == way ? 0 : 0xffff;
        }
    }
};
constexpr Others kOthers;

/// Eight ways, the most common number, fill one register and need no loop.
struct WaysByAvx2 {
    [[gnu::always_inline]] static std::uint32_t find(const std::uint64_t* blocks, std::uint32_t ways,
                                                     std::uint64_t block) {
        const __m256i wanted = _mm256_set1_epi64x(static_cast<long long>(block));
        if (ways == 8) {
            const unsigned found = amongEight(blocks, wanted);
            return found != 0 ? firstOf(found) : ways;
        }
        for (std::uint32_t w = 0; w < ways; w += 8) {
            const unsigned found = amongEight(blocks + w, wanted);
            if (found != 0) return w + firstOf(found);
        }
        return ways;
    }

    [[gnu::always_inline]] static void touch(std::uint16_t* ranks, std::uint32_t ways, std::uint32_t way) {
        if (ways == 8) {
            auto* at = reinterpret_cast<__m128i*>(ranks);
            const __m128i r = _mm_loadu_si128(at);
            const __m128i younger = _mm_cmpgt_epi16(_mm_set1_epi16(static_cast<short>(ranks[way])), r);
            const auto* others = reinterpret_cast<const __m128i*>(kOthers.lanes[way]);
            _mm_storeu_si128(at, _mm_and_si128(_mm_sub_epi16(r, younger), _mm_load_si128(others)));
            return;
        }
        if (ways <= 16) {
            touchSixteen(ranks, ways, way, ranks[way]);
        } else {
            touchMany(ranks, ways, way);
        }
    }

    /// Makes the oldest way of a full set the most recent and ages all others by one. Returns that way.
    [[gnu::always_inline]] static std::uint32_t renewOldest(std::uint16_t* ranks, std::uint32_t ways) {
        if (ways == 8) {
            auto* at = reinterpret_cast<__m128i*>(ranks);
            const __m128i r = _mm_loadu_si128(at);
            const __m128i last = _mm_cmpeq_epi16(r, _mm_set1_epi16(7));
            _mm_storeu_si128(at, _mm_andnot_si128(last, _mm_add_epi16(r, _mm_set1_epi16(1))));
            return firstOf(static_cast<unsigned>(_mm_movemask_epi8(last))) / 2;
        }
        const std::uint32_t way = oldest(ranks, ways);
        touch(ranks, ways, way);
        return way;
    }

    /// The oldest way of a full set.
    static std::uint32_t oldest(const std::uint16_t* ranks, std::uint32_t ways) {
        const __m256i wanted = _mm256_set1_epi16(static_cast<short>(ways - 1));
        for (std::uint32_t w = 0;; w += 16) {
            const __m256i r = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ranks + w));
            const auto found = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(r, wanted)));
            if (found != 0) return w + firstOf(found) / 2;
        }
    }

  private:
    [[gnu::always_inline]] static unsigned amongEight(const std::uint64_t* blocks, __m256i wanted) {
        return equal(blocks, wanted) | equal(blocks + 4, wanted) << 4;
    }
    [[gnu::always_inline]] static unsigned equal(const std::uint64_t* blocks, __m256i wanted) {
        const __m256i tags = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(blocks));
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(tags, wanted))));
    }
    static std::uint32_t firstOf(unsigned bits) { return static_cast<std::uint32_t>(__builtin_ctz(bits)); }

    [[gnu::noinline]] static void touchMany(std::uint16_t* ranks, std::uint32_t ways, std::uint32_t way) {
        const std::uint16_t old = ranks[way];
        for (std::uint32_t w = 0; w < ways; w += 16) touchSixteen(ranks + w, ways - w, way - w, old);
    }
    /// Touches the first sixteen ways or fewer; `way` may be any other.
    [[gnu::always_inline]] static void touchSixteen(std::uint16_t* ranks, std::uint32_t ways, std::uint32_t way,
                                                    std::uint16_t old) {
        const __m256i lanes = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        auto* at = reinterpret_cast<__m256i*>(ranks);
        const __m256i r = _mm256_loadu_si256(at);
        const __m256i inside = _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<short>(ways)), lanes);
        const __m256i younger =
            _mm256_and_si256(inside, _mm256_cmpgt_epi16(_mm256_set1_epi16(static_cast<short>(old)), r));
        const __m256i own = _mm256_cmpeq_epi16(lanes, _mm256_set1_epi16(static_cast<short>(way)));
        _mm256_storeu_si256(at, _mm256_andnot_si256(own, _mm256_sub_epi16(r, younger)));
    }
};

}  // namespace

std::size_t playSimpleByAvx2(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    return simple::play<WaysByAvx2>(run, accesses, count);
}

void playRequestsByAvx2(SimpleRun& run, const std::uint64_t* requests, std::size_t count) {
    simple::playRequests<WaysByAvx2>(run, requests, count);
}

#else

std::size_t playSimpleByAvx2(SimpleRun& run, const PackedAccess* accesses, std::size_t count) {
    return playSimplePortably(run, accesses, count);
}

void playRequestsByAvx2(SimpleRun& run, const std::uint64_t* requests, std::size_t count) {
    playRequestsPortably(run, requests, count);
}

#endif

}  // namespace whorl::sim
