// The fast path through lackey's lines, for every processor, against a simple one.
#include "sim/trace/formats/lackey_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sim/base/processor.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using Random = std::mt19937_64;

std::string someLine(Random& random) {
    const std::uint64_t address = random() >> (4 + random() % 60);
    const char* const kinds[] = {" L ", " S ", " L ", " S ", "I  ", " M "};
    const char* const kind = kinds[random() % (random() % 8 == 0 ? 6 : 4)];
    std::string line = fmt::format("{}{:x},{}", kind, address, 1 + random() % 9);
    if (kind[0] == 'I') line = fmt::format("I  {:08x},{}", address & 0xffffffff, 1 + random() % 9);
    if (random() % 4 == 0) line = fmt::format("{}{:X},{}", kind, address, random() % 12);
    // Sometimes an invalid character.
    if (random() % 100 == 0) line[random() % line.size()] = static_cast<char>(random() % 256);
    if (random() % 100 == 0) line.erase(random() % line.size(), 1);
    if (random() % 200 == 0) line += random() % 2 == 0 ? "\r" : "0";
    return line + "\n";
}

/// The content of a line of the usual form; nothing for any other.
std::optional<PackedAccess> usual(const std::string& line, SiteId site) {
    const std::size_t comma = line.find(',');
    if ((!line.starts_with(" L ") && !line.starts_with(" S ")) || comma == std::string::npos) return std::nullopt;
    const std::string digits = line.substr(3, comma - 3);
    const bool isHex = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (digits.empty() || digits.size() > 15 || !isHex) return std::nullopt;
    if (line.size() != comma + 2 || line[comma + 1] < '1' || line[comma + 1] > '9') return std::nullopt;
    return PackedAccess(line[1] == 'S' ? Op::write : Op::read, ByteAddress{std::stoull(digits, nullptr, 16)},
                        static_cast<std::uint32_t>(line[comma + 1] - '0'), site);
}

using Take = LackeyLines (*)(const char*, const char*, std::span<PackedAccess>, LackeyOptions);

std::vector<Take> ways() {
    std::vector<Take> ways{readLackeyLinesPortably, readLackeyLines};
    if (hasAvx2()) ways.push_back(readLackeyLinesByAvx2);
    return ways;
}

/// Parses a text and checks every line that was taken, and the one that was not.
void check(const std::string& text, Take take, std::size_t roomFor, bool passing) {
    const SiteId site{passing ? 0u : 7u};
    std::vector<PackedAccess> room(roomFor);
    const char* const end = text.data() + text.size();
    const LackeyLines lines = take(text.data(), end, room, {.passing = passing, .site = site});
    std::size_t accesses = 0;
    std::size_t passed = 0;
    std::size_t at = 0;
    const auto taken = static_cast<std::size_t>(lines.end - text.data());
    while (at < taken) {
        const std::string line = text.substr(at, text.find('\n', at) - at);
        at += line.size() + 1;
        if (passing && line.starts_with("I  ")) {
            ++passed;
            continue;
        }
        const auto expected = usual(line, site);
        ASSERT_TRUE(expected) << line;
        ASSERT_LT(accesses, roomFor);
        ASSERT_TRUE(room[accesses++] == *expected) << line;
    }
    EXPECT_EQ(at, taken);
    EXPECT_EQ(lines.accesses, accesses);
    EXPECT_EQ(lines.passed, passed);
    // Everything that could be taken was taken.
    const std::string next = text.substr(taken, text.find('\n', taken) - taken);
    const bool mayStop = text.size() - taken < 100 || roomFor - accesses < 3;
    EXPECT_TRUE(mayStop || !usual(next, site)) << next;
}

TEST(LackeyLines, AreTakenAsTheyStandByEveryProcessor) {
    Random random(5);
    for (std::uint64_t round = 0; round < testRounds(2000); ++round) {
        std::string text;
        for (std::uint64_t lines = random() % 60; lines > 0; --lines) text += someLine(random);
        const std::size_t room = random() % 4 == 0 ? random() % 20 : 100;
        for (const Take take : ways()) check(text, take, room, round % 2 == 0);
    }
}

TEST(LackeyLines, HaveUpToFifteenDigits) {
    std::string text;
    for (const char* digits : {"1", "0", "123456789abcdef", "ABCDEFabcdef", "ffeff0"})
        text += fmt::format(" S {},8\n", digits);
    text += std::string(" L 0123456789abcdef,8\n") + std::string(200, '\n');
    for (const Take take : ways()) {
        std::vector<PackedAccess> room(9);
        const LackeyLines lines = take(text.data(), text.data() + text.size(), room, {});
        ASSERT_EQ(lines.accesses, 5u);
        EXPECT_EQ(room[0].address().value, 1u);
        EXPECT_EQ(room[2].address().value, 0x123456789abcdefu);
        EXPECT_EQ(room[3].address().value, 0xabcdefabcdefu);
    }
}

}  // namespace
}  // namespace whorl::sim
