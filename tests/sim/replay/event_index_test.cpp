// What is written to a journal is read back.
#include "sim/replay/totals/event_index.h"

#include <gtest/gtest.h>

#include <iterator>
#include <random>

#include "sim/machine/machine_config.h"

namespace whorl::sim {
namespace {

/// Notes of every kind: blocks and regions near each other and at both ends of their ranges.
std::vector<IndexEntry> anyEntries(std::mt19937_64& random) {
    constexpr EventKind kKinds[] = {EventKind::miss,      EventKind::eviction, EventKind::invalidation,
                                    EventKind::downgrade, EventKind::upgrade,  EventKind::pageFault};
    const auto number = [&] {
        const std::uint64_t small = random() % 300;
        const std::uint64_t numbers[] = {small, ~small, random()};
        return numbers[random() % 3];
    };
    std::vector<IndexEntry> entries(random() % 500);
    std::uint32_t access = 0;
    for (IndexEntry& entry : entries) {
        access += static_cast<std::uint32_t>(random() % (random() % 10 == 0 ? 100'000'000 : 3));
        entry = {.access = access,
                 .kind = kKinds[random() % std::size(kKinds)],
                 .level = static_cast<std::uint8_t>(random() % kMaxLevels),
                 .cache = static_cast<std::uint8_t>(random()),
                 .cause = random() % 2 == 0 ? Cause::coherence : Cause::inclusion,
                 .region = static_cast<std::uint32_t>(number()),
                 .block = BlockAddress{number()}};
        if (entry.kind == EventKind::invalidation && random() % 3 == 0) entry.cause = Cause::paging;
    }
    return entries;
}

TEST(EventIndex, GivesWhatWasNoted) {
    std::mt19937_64 random(5);
    EventIndex eventIndex(std::size_t{1} << 20);
    std::vector<std::vector<IndexEntry>> chunks;
    for (int i = 0; i < 30; ++i) {
        chunks.push_back(anyEntries(random));
        eventIndex.add(chunks.back());
    }
    ASSERT_EQ(eventIndex.chunks(), chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const auto entries = eventIndex.entries(i);
        ASSERT_TRUE(entries.has_value()) << i;
        EXPECT_EQ(*entries, chunks[i]) << i;
    }
}

TEST(EventIndex, KeepsNoNotesBeyondItsBudget) {
    std::mt19937_64 random(5);
    EventIndex eventIndex(1);
    std::vector<IndexEntry> entries = anyEntries(random);
    entries.resize(100);
    eventIndex.add(entries);
    eventIndex.add(entries);
    EXPECT_EQ(eventIndex.entries(0), entries);
    EXPECT_EQ(eventIndex.entries(1), std::nullopt);
    EXPECT_TRUE(eventIndex.outline(1).mayHold(entries[0].kind, entries[0].level));
}

}  // namespace
}  // namespace whorl::sim
