#include "sim/trace/pack_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sim/trace/address_dictionary.h"
#include "sim/trace/trace_help.h"

namespace whorl::sim::test {
namespace {

constexpr std::uint64_t kSites = 1u << 20;

using Accesses = std::vector<PackedAccess>;

/// All accesses of a pack, or none if any of its chunks is invalid.
Accesses decoded(PackDecoder& decoder, std::string_view bytes, std::uint64_t sites = kSites,
                 const AddressDictionary* dictionary = nullptr) {
    Accesses all;
    if (!decoder.open(bytes, sites, kMaxCpus, dictionary)) return {};
    for (auto chunk = decoder.next(); !chunk.empty(); chunk = decoder.next()) {
        all.insert(all.end(), chunk.begin(), chunk.end());
        // What the caller does with a chunk must not change the next one.
        std::fill(chunk.begin(), chunk.end(), PackedAccess{});
    }
    return all.size() == packHead(bytes).accesses ? all : Accesses{};
}

/// Encodes accesses in as many chunks as they need.
std::string encoded(PackEncoder& encoder, const Accesses& accesses, const DictionaryUse& use = {},
                    bool absolute = false, const std::vector<std::uint64_t>& stamps = {}) {
    encoder.start(use, absolute);
    for (std::size_t from = 0; from < accesses.size(); from += kMaxChunk) {
        const std::size_t size = std::min(kMaxChunk, accesses.size() - from);
        encoder.add(std::span(accesses).subspan(from, size),
                    stamps.empty() ? std::span<const std::uint64_t>() : std::span(stamps).subspan(from, size));
    }
    return encoder.finish(Effort::thorough);
}

bool comesBack(const Accesses& accesses, const std::vector<std::uint64_t>& stamps = {}) {
    PackEncoder encoder;
    PackDecoder decoder;
    const std::string bytes = encoder.encode(accesses, stamps);
    const auto back = decoded(decoder, bytes);
    const auto stampsBack = decoder.decodeStamps(bytes);
    const PackHead head = packHead(bytes);
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

TEST(PackCodec, PartsOfAChunkAreItsPack) {
    const Accesses accesses = walk(10'000, 10, 3);
    PackEncoder encoder;
    const std::string whole = encoder.encode(accesses);
    std::mt19937_64 random(7);
    encoder.start();
    for (std::size_t from = 0; from < accesses.size();) {
        const std::size_t size = std::min<std::size_t>(1 + random() % 3000, accesses.size() - from);
        encoder.add(std::span(accesses).subspan(from, size));
        from += size;
    }
    EXPECT_EQ(encoder.finishQuickly(), whole);
}

TEST(PackCodec, GivesBackWhatItWasGiven) {
    EXPECT_TRUE(comesBack(walk(1, 0, 1)));
    EXPECT_TRUE(comesBack(walk(2, 100, 2)));
    for (const unsigned oddity : {0u, 1u, 10u, 50u, 100u}) {
        EXPECT_TRUE(comesBack(walk(kMaxChunk, oddity, oddity))) << oddity;
        EXPECT_TRUE(comesBack(walk(1000, oddity, oddity + 7))) << oddity;
    }
}

TEST(PackCodec, TakesTheEdgesOfTheAddressSpace) {
    Accesses accesses;
    for (const std::uint64_t address : {0ull, ~0ull - 1, 1ull << 63, (1ull << 63) - 1, ~0ull - 1, 0ull, 0xffull}) {
        accesses.emplace_back(access(Op::read, address, 1));
        accesses.emplace_back(access(Op::write, address & ~0xfffffffull, kMaxAccessSize, 63, SiteId{kSites - 1}));
    }
    EXPECT_TRUE(comesBack(accesses));
}

TEST(PackCodec, TakesAsManyKeysAsAccesses) {
    Accesses accesses;
    for (std::uint32_t i = 0; i < kMaxChunk; ++i)
        accesses.emplace_back(access(Op::read, i, 1, 0, SiteId{i * 7 % 65536}));
    EXPECT_TRUE(comesBack(accesses));
    // The highest key that can recur.
    accesses.back() = accesses[kMaxChunk - 2];
    EXPECT_TRUE(comesBack(accesses));
}

TEST(PackCodec, TakesSeveralChunks) {
    PackEncoder encoder;
    PackDecoder decoder;
    for (const unsigned oddity : {0u, 3u, 60u}) {
        for (const bool absolute : {false, true}) {
            const Accesses accesses = walk(2 * kMaxChunk + 77, oddity, 11);
            std::vector<std::uint64_t> stamps(accesses.size());
            for (std::size_t i = 0; i < stamps.size(); ++i) stamps[i] = i * 5;
            const std::string bytes = encoded(encoder, accesses, {}, absolute, stamps);
            EXPECT_EQ(decoded(decoder, bytes), accesses) << oddity;
            const auto back = decoder.decodeStamps(bytes);
            EXPECT_TRUE(std::equal(stamps.begin(), stamps.end(), back.begin(), back.end()));
        }
    }
}

TEST(PackCodec, TakesMoreKeysThanTwoBytesNumber) {
    Accesses accesses;
    for (std::uint32_t i = 0; i < 3 * kMaxChunk; ++i) {
        accesses.emplace_back(access(Op::read, i, 1, 0, SiteId{i % 100000 * 7 % 100003}));
    }
    PackEncoder encoder;
    PackDecoder decoder;
    EXPECT_EQ(decoded(decoder, encoded(encoder, accesses)), accesses);
}

/// Accesses to nodes at random places, each followed by the access to what hangs on it.
Accesses lookups(std::size_t n) {
    std::mt19937_64 random(9);
    std::vector<std::uint64_t> places(500);
    for (auto& p : places) p = random() >> 20 & ~std::uint64_t{7};
    Accesses out;
    while (out.size() < n) {
        const std::uint64_t node = random() % (places.size() / 2);
        for (const std::uint64_t place : {places[node], places[node + places.size() / 2]}) {
            out.emplace_back(access(Op::read, place, 8, 0, SiteId{static_cast<std::uint32_t>(random() % 3)}));
        }
    }
    return out;
}

TEST(PackCodec, UsesADictionary) {
    const Accesses accesses = lookups(kMaxChunk + 1000);
    const AddressDictionary dictionary = AddressDictionary::of(accesses);
    EXPECT_EQ(dictionary.entries().size(), 500u);
    const AddressFinder finder(dictionary.entries());
    const DictionaryUse use{.dictionary = &dictionary, .finder = &finder, .number = 7};
    PackEncoder encoder;
    PackDecoder decoder;
    const std::string with = encoded(encoder, accesses, use);
    EXPECT_EQ(packHead(with).dictionary, 7u);
    EXPECT_EQ(decoded(decoder, with, kSites, &dictionary), accesses);
    const std::string without = encoded(encoder, accesses);
    EXPECT_EQ(packHead(without).dictionary, 0u);
    EXPECT_LT(with.size(), without.size() / 2);
    EXPECT_TRUE(decoded(decoder, with).empty()) << "the dictionary is missing";
    const AddressDictionary other = AddressDictionary::of(lookups(50));
    EXPECT_TRUE(decoded(decoder, with, kSites, &other).empty()) << "it has too few entries";
}

TEST(AddressDictionary, ComesBack) {
    for (const std::size_t n : {std::size_t{0}, std::size_t{10}, std::size_t{4000}}) {
        const AddressDictionary dictionary = AddressDictionary::of(lookups(n));
        const std::string bytes = dictionary.packed(Effort::thorough);
        const auto back = AddressDictionary::unpacked(bytes);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->entries(), dictionary.entries());
        for (std::size_t cut = 0; cut < bytes.size(); cut += 7) {
            EXPECT_FALSE(AddressDictionary::unpacked(std::string_view(bytes).substr(0, cut)));
        }
    }
}

TEST(AddressDictionary, WithstandsDamage) {
    const std::string whole = AddressDictionary::of(lookups(1500)).packed(Effort::quick);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1 << i % 8);
        const auto back = AddressDictionary::unpacked(damaged);
        if (!back) continue;
        for (const auto& entry : back->entries()) {
            for (const std::uint32_t next : entry.next) {
                ASSERT_TRUE(next < back->entries().size() || next == AddressDictionary::kNone);
            }
        }
    }
}

TEST(PackCodec, KeepsStamps) {
    std::mt19937_64 random(1);
    for (const std::size_t n : {std::size_t{1}, std::size_t{5000}, kMaxChunk}) {
        std::vector<std::uint64_t> stamps(n);
        for (auto& s : stamps) s = random() >> random() % 64;
        EXPECT_TRUE(comesBack(walk(n, 1, 3), stamps));
    }
}

TEST(PackCodec, PacksLoopsTightly) {
    PackEncoder encoder;
    EXPECT_LT(encoder.encode(walk(kMaxChunk, 0, 1)).size(), 300u);
    EXPECT_LT(encoder.encode(walk(kMaxChunk, 1, 1)).size(), kMaxChunk / 4);
}

TEST(PackCodec, DoesTheSameInEveryOrder) {
    PackEncoder used;
    const std::string first = used.encode(walk(3000, 10, 1));
    used.encode(walk(kMaxChunk, 100, 2));
    EXPECT_EQ(used.encode(walk(3000, 10, 1)), first);
}

TEST(PackCodec, RefusesSitesThatAreNot) {
    PackEncoder encoder;
    PackDecoder decoder;
    const std::string bytes = encoder.encode(Accesses{PackedAccess(access(Op::read, 1, 1, 0, SiteId{9}))});
    EXPECT_EQ(decoded(decoder, bytes, 10).size(), 1u);
    EXPECT_TRUE(decoded(decoder, bytes, 9).empty());
}

/// A decoder's output must be valid for any input.
void expectPossible(std::span<const PackedAccess> accesses) {
    for (const PackedAccess& a : accesses) {
        ASSERT_GT(a.size(), 0u);
        ASSERT_LE(a.size(), ~a.address().value);
        ASSERT_LT(a.site().value, kSites);
    }
}

TEST(PackCodec, WithstandsDamage) {
    PackEncoder encoder;
    PackDecoder decoder;
    const std::string whole = encoder.encode(walk(200, 20, 5), std::vector<std::uint64_t>(200, 77));
    for (std::size_t n = 0; n < whole.size(); ++n) {
        EXPECT_TRUE(decoded(decoder, std::string_view(whole).substr(0, n)).empty());
        EXPECT_EQ(packHead(std::string_view(whole).substr(0, n)).accesses, 0u);
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 1 << bit);
            expectPossible(decoded(decoder, damaged));
            decoder.decodeStamps(damaged);
        }
    }
    EXPECT_EQ(decoded(decoder, whole).size(), 200u);
}

TEST(PackCodec, WithstandsDamageWithADictionary) {
    const Accesses accesses = lookups(1500);
    const AddressDictionary dictionary = AddressDictionary::of(accesses);
    const AddressFinder finder(dictionary.entries());
    PackEncoder encoder;
    PackDecoder decoder;
    const std::string whole =
        encoded(encoder, accesses, {.dictionary = &dictionary, .finder = &finder, .number = 1}, true);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 1 << i % 8);
        expectPossible(decoded(decoder, damaged, kSites, &dictionary));
        expectPossible(decoded(decoder, damaged, kSites));
    }
    EXPECT_EQ(decoded(decoder, whole, kSites, &dictionary), accesses);
}

}  // namespace
}  // namespace whorl::sim::test
