// What is put into a journal comes out again.
#include "sim/replay/totals/event_index.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/machine/machine_config.h"

namespace whorl::sim {
namespace {

/// Notes of every kind: blocks and regions near each other and at both ends of what there is.
std::vector<Note> anyNotes(std::mt19937_64& random) {
    constexpr EventKind kKinds[] = {EventKind::miss, EventKind::eviction, EventKind::invalidation, EventKind::downgrade,
                                    EventKind::upgrade};
    const auto number = [&] {
        const std::uint64_t small = random() % 300;
        const std::uint64_t numbers[] = {small, ~small, random()};
        return numbers[random() % 3];
    };
    std::vector<Note> notes(random() % 500);
    std::uint32_t access = 0;
    for (Note& note : notes) {
        access += static_cast<std::uint32_t>(random() % (random() % 10 == 0 ? 100'000'000 : 3));
        note = {.access = access,
                .kind = kKinds[random() % 5],
                .level = static_cast<std::uint8_t>(random() % kMaxLevels),
                .cache = static_cast<std::uint8_t>(random()),
                .cause = random() % 2 == 0 ? Cause::coherence : Cause::inclusion,
                .region = static_cast<std::uint32_t>(number()),
                .block = BlockAddress{number()}};
    }
    return notes;
}

TEST(Journal, GivesWhatWasNoted) {
    std::mt19937_64 random(5);
    Journal journal(std::size_t{1} << 20);
    std::vector<std::vector<Note>> chunks;
    for (int i = 0; i < 30; ++i) {
        chunks.push_back(anyNotes(random));
        journal.add(chunks.back());
    }
    ASSERT_EQ(journal.chunks(), chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const auto notes = journal.notes(i);
        ASSERT_TRUE(notes.has_value()) << i;
        EXPECT_EQ(*notes, chunks[i]) << i;
    }
}

TEST(Journal, KeepsNoNotesBeyondItsBudget) {
    std::mt19937_64 random(5);
    Journal journal(1);
    std::vector<Note> notes = anyNotes(random);
    notes.resize(100);
    journal.add(notes);
    journal.add(notes);
    EXPECT_EQ(journal.notes(0), notes);
    EXPECT_EQ(journal.notes(1), std::nullopt);
    EXPECT_TRUE(journal.outline(1).mayHold(notes[0].kind, notes[0].level));
}

}  // namespace
}  // namespace whorl::sim
