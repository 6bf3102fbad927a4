#include "sim/trace/chunk_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::uint64_t kSites = 1u << 20;

using Accesses = std::vector<PackedAccess>;

bool comesBack(const Accesses& accesses, const std::vector<std::uint64_t>& stamps = {}) {
    ChunkEncoder encoder;
    ChunkDecoder decoder;
    const std::string bytes = encoder.encode(accesses, stamps);
    const auto back = decoder.decode(bytes, kSites);
    const auto stampsBack = decoder.decodeStamps(bytes);
    const ChunkHead head = chunkHead(bytes);
    return std::equal(accesses.begin(), accesses.end(), back.begin(), back.end()) &&
           std::equal(stamps.begin(), stamps.end(), stampsBack.begin(), stampsBack.end()) &&
           head.accesses == accesses.size() && head.stamped == !stamps.empty();
}

/// Accesses of which `oddity` in 100 are arbitrary, while the others walk through arrays.
Accesses walk(std::size_t n, unsigned oddity, unsigned seed) {
    std::mt19937_64 random(seed);
    Accesses out;
    out.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
        Access a = access(i % 3 == 2 ? Op::write : Op::read, 0x10000 * (i % 3) + i * 8, 8, 0,
                          SiteId{static_cast<std::uint32_t>(1 + i % 3)});
        if (random() % 100 < oddity) {
            a.size = 1 + static_cast<std::uint32_t>(random() % kMaxAccessSize);
            a.address = ByteAddress{(random() >> random() % 64) & ~(std::uint64_t{1} << 63)};
            a.cpu = random() % kMaxCpus;
            a.modify = random() % 2 == 0;
            a.unrecorded = random() % 2 == 0;
            a.site = SiteId{static_cast<std::uint32_t>(random() % kSites)};
        }
        out.emplace_back(a);
    }
    return out;
}

TEST(ChunkCodec, GivesBackWhatItWasGiven) {
    EXPECT_TRUE(comesBack(walk(1, 0, 1)));
    EXPECT_TRUE(comesBack(walk(2, 100, 2)));
    for (const unsigned oddity : {0u, 1u, 10u, 50u, 100u}) {
        EXPECT_TRUE(comesBack(walk(kMaxChunk, oddity, oddity))) << oddity;
        EXPECT_TRUE(comesBack(walk(1000, oddity, oddity + 7))) << oddity;
    }
}

TEST(ChunkCodec, TakesTheEdgesOfTheAddressSpace) {
    Accesses accesses;
    for (const std::uint64_t address : {0ull, ~0ull - 1, 1ull << 63, (1ull << 63) - 1, ~0ull - 1, 0ull, 0xffull}) {
        accesses.emplace_back(access(Op::read, address, 1));
        accesses.emplace_back(access(Op::write, address & ~0xfffffffull, kMaxAccessSize, 63, SiteId{kSites - 1}));
    }
    EXPECT_TRUE(comesBack(accesses));
}

TEST(ChunkCodec, TakesAsManyKeysAsAccesses) {
    Accesses accesses;
    for (std::uint32_t i = 0; i < kMaxChunk; ++i)
        accesses.emplace_back(access(Op::read, i, 1, 0, SiteId{i * 7 % 65536}));
    EXPECT_TRUE(comesBack(accesses));
    // The highest key that can recur.
    accesses.back() = accesses[kMaxChunk - 2];
    EXPECT_TRUE(comesBack(accesses));
}

TEST(ChunkCodec, KeepsStamps) {
    std::mt19937_64 random(1);
    for (const std::size_t n : {std::size_t{1}, std::size_t{5000}, kMaxChunk}) {
        std::vector<std::uint64_t> stamps(n);
        for (auto& s : stamps) s = random() >> random() % 64;
        EXPECT_TRUE(comesBack(walk(n, 1, 3), stamps));
    }
}

TEST(ChunkCodec, PacksLoopsTightly) {
    ChunkEncoder encoder;
    EXPECT_LT(encoder.encode(walk(kMaxChunk, 0, 1)).size(), 300u);
    EXPECT_LT(encoder.encode(walk(kMaxChunk, 1, 1)).size(), kMaxChunk / 4);
}

TEST(ChunkCodec, DoesTheSameInEveryOrder) {
    ChunkEncoder used;
    const std::string first = used.encode(walk(3000, 10, 1));
    used.encode(walk(kMaxChunk, 100, 2));
    EXPECT_EQ(used.encode(walk(3000, 10, 1)), first);
}

TEST(ChunkCodec, RefusesSitesThatAreNot) {
    ChunkEncoder encoder;
    ChunkDecoder decoder;
    const std::string bytes = encoder.encode(Accesses{PackedAccess(access(Op::read, 1, 1, 0, SiteId{9}))});
    EXPECT_EQ(decoder.decode(bytes, 10).size(), 1u);
    EXPECT_TRUE(decoder.decode(bytes, 9).empty());
}

/// A decoder's output must be valid for any input.
void expectPossible(std::span<const PackedAccess> accesses) {
    for (const PackedAccess& a : accesses) {
        ASSERT_GT(a.size(), 0u);
        ASSERT_LE(a.size(), ~a.address().value);
        ASSERT_LT(a.site().value, kSites);
    }
}

TEST(ChunkCodec, WithstandsDamage) {
    ChunkEncoder encoder;
    ChunkDecoder decoder;
    const std::string whole = encoder.encode(walk(200, 20, 5), std::vector<std::uint64_t>(200, 77));
    for (std::size_t n = 0; n < whole.size(); ++n) {
        EXPECT_TRUE(decoder.decode(std::string_view(whole).substr(0, n), kSites).empty());
        EXPECT_EQ(chunkHead(std::string_view(whole).substr(0, n)).accesses, 0u);
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
            expectPossible(decoder.decode(damaged, kSites));
            decoder.decodeStamps(damaged);
        }
    }
    EXPECT_EQ(decoder.decode(whole, kSites).size(), 200u);
}

}  // namespace
}  // namespace whorl::sim::test
