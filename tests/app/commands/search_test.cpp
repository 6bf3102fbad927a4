// Searches forward and backward: each finds the access that the trace implies, and reports when there is none.
#include <gtest/gtest.h>

#include <utility>

#include "app/commands/bindings.h"
#include "app/commands/commands.h"
#include "app/session/command.h"
#include "app/tasks/background_queries.h"
#include "support/sessions.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

constexpr auto kBack = sim::Direction::backward;

/// Searches, and waits for the result.
class Searcher {
  public:
    explicit Searcher(Session session) : session_(std::move(session)) {}

    /// The access found; none, with a message, when there is nothing.
    std::optional<std::uint64_t> operator()(SearchKind kind, sim::Direction way = sim::Direction::forward) {
        const double before = session_.player.position();
        wait(command::Search{way, kind});
        if (!session_.message.empty()) {
            EXPECT_EQ(session_.player.position(), before);
            return std::nullopt;
        }
        EXPECT_FALSE(session_.player.playing());
        return session_.player.current();
    }

    /// Applies a command that searches, and waits for the answer.
    void wait(const Command& command) {
        applyAll(session_, {command});
        Commands commands;
        do {
            queries_.update(session_, session_.opened.run->overview(), commands);
            applyAll(session_, std::exchange(commands, {}));
        } while (queries_.results().searching);
        queries_.update(session_, session_.opened.run->overview(), commands);
        applyAll(session_, std::exchange(commands, {}));
        EXPECT_FALSE(session_.search.has_value()) << "a search is begun once";
    }

    Session session_;
    ImmediateRunner runner_;
    BackgroundQueries queries_{runner_};
};

Searcher shared() {
    return Searcher(sharedSession());
}

TEST(Search, TheNextMissAndTheOneBefore) {
    Searcher find = shared();
    for (const std::uint64_t miss : {0u, 1u, 4u, 5u, 6u, 7u}) EXPECT_EQ(find(SearchKind::miss), miss);
    EXPECT_FALSE(find(SearchKind::miss));
    EXPECT_EQ(find.session_.message, "No further miss.");
    for (const std::uint64_t miss : {6u, 5u, 4u, 1u, 0u}) EXPECT_EQ(find(SearchKind::miss, kBack), miss);
    EXPECT_FALSE(find(SearchKind::miss, kBack));
    EXPECT_EQ(find.session_.message, "No earlier miss.");
}

TEST(Search, MovesTheStretchThatIsShownToWhatItFinds) {
    Session s = sessionFor({.input = "matmul"});
    s.seen = scene::TimeSpan{100, 300};
    apply(s, command::SearchFound{sim::Tick{250}, 0});
    EXPECT_EQ(s.seen, (scene::TimeSpan{100, 300})) << "it is there";
    apply(s, command::SearchFound{sim::Tick{5000}, 0});
    EXPECT_EQ(s.seen, (scene::TimeSpan{4900, 5100}));
    apply(s, command::SearchFound{sim::Tick{8447}, 0});
    EXPECT_EQ(s.seen, (scene::TimeSpan{8248, 8448})) << "as long as before";
    s.seen.reset();
    apply(s, command::SearchFound{sim::Tick{7}, 0});
    EXPECT_FALSE(s.seen.has_value());
}

TEST(Search, LandsInTheCachesThatShowIt) {
    Searcher all = shared();
    all(SearchKind::miss);
    EXPECT_EQ(all.session_.cpu, std::nullopt) << "all are shown";
    Searcher find = shared();
    find.session_.cpu = 1;
    find(SearchKind::miss);
    EXPECT_EQ(find.session_.cpu, 0u);
    find(SearchKind::miss);
    EXPECT_EQ(find.session_.cpu, 1u) << "the miss is in the other CPU's cache";
    find.session_.selected = blockAt(sim::ByteAddress{0x1000});
    EXPECT_EQ(find(SearchKind::eviction), 3u);
    EXPECT_EQ(find.session_.cpu, 0u) << "CPU 1 takes the block away from CPU 0";
}

TEST(Search, MissesOfARegion) {
    Searcher find = shared();
    EXPECT_FALSE(find(SearchKind::regionMiss)) << "none is chosen";
    EXPECT_EQ(find.session_.message, "Cannot search: no region is selected; click a block, or a region in the list.");
    apply(find.session_, command::PickRegion{1});
    EXPECT_EQ(find(SearchKind::regionMiss), 4u);
    EXPECT_EQ(find(SearchKind::regionMiss), 6u);
    find.session_.selected = blockAt(sim::ByteAddress{0x1020});
    EXPECT_EQ(find(SearchKind::regionMiss), 7u) << "a block that is ringed comes before the list";
    EXPECT_EQ(find(SearchKind::regionMiss, kBack), 5u);
}

TEST(Search, TheBlockLeaves) {
    Searcher find = shared();
    EXPECT_FALSE(find(SearchKind::eviction));
    EXPECT_EQ(find.session_.message, "Cannot search: no block is selected; click one.");
    find.session_.selected = blockAt(sim::ByteAddress{0x1008});
    EXPECT_EQ(find(SearchKind::eviction), 3u);
    EXPECT_EQ(find(SearchKind::eviction), 6u) << "from CPU 1's cache";
    EXPECT_FALSE(find(SearchKind::eviction));
    EXPECT_EQ(find.session_.message, "No further eviction of A[1].");
    EXPECT_EQ(find(SearchKind::eviction, kBack), 3u);
}

TEST(Search, WhatHappensToTheBlock) {
    Searcher find = shared();
    EXPECT_FALSE(find(SearchKind::blockAccess));
    EXPECT_EQ(find.session_.message, "Cannot search: no block is selected; click one.");
    find.session_.selected = blockAt(sim::ByteAddress{0x1008});
    for (const std::uint64_t access : {0u, 1u, 2u, 3u, 5u}) EXPECT_EQ(find(SearchKind::blockAccess), access);
    EXPECT_FALSE(find(SearchKind::blockAccess));
    EXPECT_EQ(find.session_.message, "No further access to A[1].");
    EXPECT_EQ(find(SearchKind::blockMiss, kBack), 1u);
    EXPECT_EQ(find(SearchKind::blockMiss), 5u);
    EXPECT_FALSE(find(SearchKind::blockMiss));
    EXPECT_EQ(find.session_.message, "No further miss of A[1].");
}

TEST(Search, WhatHappensInTheRegion) {
    Searcher find = shared();
    EXPECT_FALSE(find(SearchKind::regionAccess));
    EXPECT_FALSE(find(SearchKind::regionEviction));
    apply(find.session_, command::PickRegion{1});
    EXPECT_EQ(find(SearchKind::regionAccess), 4u);
    EXPECT_EQ(find(SearchKind::regionAccess), 6u);
    EXPECT_FALSE(find(SearchKind::regionAccess));
    EXPECT_EQ(find.session_.message, "No further access to B.");
    EXPECT_EQ(find(SearchKind::regionEviction, kBack), 5u) << "A throws B out";
    EXPECT_FALSE(find(SearchKind::regionEviction, kBack));
}

TEST(Search, WhatTheSourceLineDoes) {
    Searcher find(
        sessionOn("region A 0x1000 64 8 rows=8\nregion B 0x2000 64 8 rows=8\nR 0x1000 8 a.c:1\n"
                  "R 0x2000 8 a.c:2\nR 0x2008 8 a.c:2\nW 0x1000 8 a.c:1\nR 0x2000 8 a.c:3\n",
                  sharedMachine()));
    EXPECT_FALSE(find(SearchKind::lineAccess));
    EXPECT_EQ(find.session_.message, "Cannot search: no source line is selected; click one, or look one up with /.");
    apply(find.session_, command::LookUp{"a.c:2"});
    EXPECT_EQ(find(SearchKind::lineAccess), 1u);
    EXPECT_EQ(find(SearchKind::lineAccess), 2u);
    EXPECT_FALSE(find(SearchKind::lineAccess));
    EXPECT_EQ(find.session_.message, "No further access by a.c:2.");
    EXPECT_EQ(find(SearchKind::lineMiss, kBack), 1u);
    EXPECT_FALSE(find(SearchKind::lineMiss));
    EXPECT_EQ(find(SearchKind::lineEviction), std::nullopt);
    apply(find.session_, command::LookUp{"a.c:3"});
    EXPECT_EQ(find(SearchKind::lineEviction), 4u) << "it throws A out";
    EXPECT_EQ(find(SearchKind::lineMiss, kBack), std::nullopt) << "the same access";
}

TEST(Search, TheRangeOfWhatIsSelected) {
    Searcher find(
        sessionOn("region A 0x1000 64 8 rows=8\nregion B 0x2000 64 8 rows=8\nR 0x1000 8 a.c:1\n"
                  "R 0x2000 8 a.c:2\nR 0x1008 8 a.c:3\nW 0x2008 8 a.c:2\nR 0x1000 8 a.c:3\n",
                  sharedMachine()));
    const auto rangeOf = [&](SearchKind kind) {
        find.session_.range.reset();
        find.wait(command::RangeOf{kind});
        return find.session_.range;
    };
    EXPECT_FALSE(rangeOf(SearchKind::lineAccess));
    EXPECT_EQ(find.session_.message, "Cannot search: no source line is selected; click one, or look one up with /.");
    apply(find.session_, command::LookUp{"a.c:2"});
    EXPECT_EQ(rangeOf(SearchKind::lineAccess), (sim::Range{sim::Tick{1}, sim::Tick{4}}));
    EXPECT_FALSE(rangeOf(SearchKind::functionAccess));
    EXPECT_EQ(find.session_.message, "Cannot search: no function is selected; click one of its lines.");
    apply(find.session_, command::Seek{3});  // wherever the playhead is
    apply(find.session_, command::Select{sim::ByteAddress{0x1000}});
    EXPECT_EQ(rangeOf(SearchKind::regionAccess), (sim::Range{sim::Tick{0}, sim::Tick{5}}));
    EXPECT_EQ(rangeOf(SearchKind::regionMiss), (sim::Range{sim::Tick{0}, sim::Tick{5}}));
    EXPECT_FALSE(rangeOf(SearchKind::transfer));
    EXPECT_EQ(find.session_.message, "No transfer between CPUs.");
}

TEST(Search, Conflicts) {
    Searcher find = shared();
    EXPECT_FALSE(find(SearchKind::conflict));
    apply(find.session_, command::PickRegion{0});
    EXPECT_EQ(find(SearchKind::conflict), 5u) << "A throws B out";
    EXPECT_EQ(find(SearchKind::conflict), 6u) << "B throws A out";
    EXPECT_FALSE(find(SearchKind::conflict));
    apply(find.session_, command::PickPair{0, 1});
    EXPECT_EQ(find(SearchKind::conflict, kBack), 5u);
    EXPECT_FALSE(find(SearchKind::conflict));
    EXPECT_EQ(find.session_.message, "No further eviction of B by A.");
    apply(find.session_, command::PickPair{0, 1});
    EXPECT_FALSE(find.session_.pair.has_value()) << "a second click lets go";
}

TEST(Search, PageFaults) {
    sim::MachineConfig machine = sharedMachine();
    machine.memory = {.size = 128, .page = 64, .fault = 10};
    Searcher find(sessionOn(kSharedTrace, machine));
    EXPECT_EQ(find(SearchKind::pageFault), 0u) << "A comes";
    EXPECT_EQ(find(SearchKind::pageFault), 4u) << "B comes";
    EXPECT_FALSE(find(SearchKind::pageFault));
    EXPECT_EQ(find.session_.message, "No further page fault.");
    EXPECT_EQ(find(SearchKind::pageFault, kBack), 0u);
}

TEST(Search, TransfersAndMarks) {
    Searcher find = shared();
    EXPECT_EQ(find(SearchKind::mark), 0u) << "a mark before the first access is found from the start";
    EXPECT_EQ(find(SearchKind::mark), 4u);
    EXPECT_FALSE(find(SearchKind::mark));
    EXPECT_EQ(find(SearchKind::mark, kBack), 0u);
    EXPECT_EQ(find(SearchKind::transfer), 1u) << "CPU 0 had A[0] to itself";
    EXPECT_EQ(find(SearchKind::transfer), 3u);
    EXPECT_EQ(find(SearchKind::transfer), 5u) << "CPU 1 had written A[0]";
}

TEST(Search, EveryKeyHasItsSearch) {
    for (const auto& [key, kind] : {std::pair("n", SearchKind::miss),
                                    {"r", SearchKind::regionMiss},
                                    {"v", SearchKind::eviction},
                                    {"c", SearchKind::conflict},
                                    {"t", SearchKind::transfer},
                                    {"k", SearchKind::mark}}) {
        const std::string letter(1, static_cast<char>(key[0] - 'a' + 'A'));
        EXPECT_EQ(keysOf(command::Search{sim::Direction::forward, kind}), key);
        EXPECT_EQ(keysOf(command::Search{kBack, kind}), "Shift+" + letter);
        Session nothingOpen;
        apply(nothingOpen, command::Search{sim::Direction::forward, kind});
        EXPECT_FALSE(nothingOpen.search.has_value());
    }
}

}  // namespace
}  // namespace whorl::app
