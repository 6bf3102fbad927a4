// The list of the kinds of misses: adding and changing, and that copies do not change with their original.
#include "sim/replay/totals/miss_kind.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace whorl::sim {
namespace {

void expectSame(const MissKindList& list, const std::vector<MissKind>& expected) {
    ASSERT_EQ(list.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(list[i], expected[i]) << i;
}

TEST(MissKinds, CopiesKeepWhatTheyWereMadeFrom) {
    std::mt19937_64 random(3);
    const auto anyKind = [&] { return static_cast<MissKind>(random() % kMissKinds); };
    MissKindList list;
    std::vector<MissKind> plain;
    std::vector<std::pair<MissKindList, std::vector<MissKind>>> copies;
    for (int round = 0; round < 12; ++round) {
        for (std::uint64_t more = random() % 20000; more > 0; --more) {
            plain.push_back(anyKind());
            list.add(plain.back());
        }
        copies.emplace_back(list, plain);
        for (int changes = 0; changes < 50 && !plain.empty(); ++changes) {
            const std::uint64_t at = random() % plain.size();
            plain[at] = anyKind();
            list.change(at, plain[at]);
        }
    }
    expectSame(list, plain);
    for (const auto& [copy, expected] : copies) expectSame(copy, expected);
}

}  // namespace
}  // namespace whorl::sim
