// What comes next, and what came before: each search lands where the trace says, and says so when there is nothing.
#include <gtest/gtest.h>

#include "app/session/commands.h"
#include "app/shared_trace.h"
#include "app/tasks/background_queries.h"

namespace whorl::app {
namespace {

/// Does an action, and waits for what it looks for.
class Searcher {
  public:
    explicit Searcher(Session session) : session_(std::move(session)) {}

    /// The access that the action comes to; none when it finds nothing, and says so.
    std::optional<std::uint64_t> operator()(std::string_view action) {
        applyAll(session_, {{action}});
        const double before = session_.player.position();
        Commands commands;
        do {
            queries_.update(session_, session_.opened.run->overview(), commands);
            applyAll(session_, std::exchange(commands, {}));
        } while (queries_.results().searching);
        queries_.update(session_, session_.opened.run->overview(), commands);
        applyAll(session_, std::exchange(commands, {}));
        EXPECT_FALSE(session_.search.has_value()) << "a search is begun once";
        if (!session_.message.empty()) {
            EXPECT_EQ(session_.player.position(), before);
            return std::nullopt;
        }
        EXPECT_FALSE(session_.player.playing());
        return session_.player.current();
    }

    Session session_;
    ImmediateRunner runner_;
    BackgroundQueries queries_{runner_};
};

Searcher shared() {
    return Searcher(sessionOn(kSharedTrace, sharedMachine()));
}

TEST(Search, TheNextMissAndTheOneBefore) {
    Searcher find = shared();
    for (const std::uint64_t miss : {0u, 1u, 4u, 5u, 6u, 7u}) EXPECT_EQ(find("next-miss"), miss);
    EXPECT_FALSE(find("next-miss"));
    EXPECT_EQ(find.session_.message, "No further miss.");
    for (const std::uint64_t miss : {6u, 5u, 4u, 1u, 0u}) EXPECT_EQ(find("previous-miss"), miss);
    EXPECT_FALSE(find("previous-miss"));
    EXPECT_EQ(find.session_.message, "No earlier miss.");
}

TEST(Search, LandsInTheCachesThatShowIt) {
    Searcher all = shared();
    all("next-miss");
    EXPECT_EQ(all.session_.cpu, std::nullopt) << "all are shown";
    Searcher find = shared();
    find.session_.cpu = 1;
    find("next-miss");
    EXPECT_EQ(find.session_.cpu, 0u);
    find("next-miss");
    EXPECT_EQ(find.session_.cpu, 1u) << "the miss is in the other CPU's cache";
    find.session_.selected = blockAt(sim::ByteAddress{0x1000});
    EXPECT_EQ(find("next-eviction"), 3u);
    EXPECT_EQ(find.session_.cpu, 0u) << "CPU 1 takes the block away from CPU 0";
}

TEST(Search, MissesOfARegion) {
    Searcher find = shared();
    EXPECT_FALSE(find("next-region-miss")) << "none is chosen";
    EXPECT_EQ(find.session_.message,
              "This cannot be looked for: no region is chosen; click a block, or a region in the list.");
    applyAll(find.session_, {{"pick-region", 1}});
    EXPECT_EQ(find("next-region-miss"), 4u);
    EXPECT_EQ(find("next-region-miss"), 6u);
    find.session_.selected = blockAt(sim::ByteAddress{0x1020});
    EXPECT_EQ(find("next-region-miss"), 7u) << "a block that is ringed comes before the list";
    EXPECT_EQ(find("previous-region-miss"), 5u);
}

TEST(Search, TheBlockLeaves) {
    Searcher find = shared();
    EXPECT_FALSE(find("next-eviction"));
    EXPECT_EQ(find.session_.message, "This cannot be looked for: no block is chosen; click one.");
    find.session_.selected = blockAt(sim::ByteAddress{0x1008});
    EXPECT_EQ(find("next-eviction"), 3u);
    EXPECT_EQ(find("next-eviction"), 6u) << "from CPU 1's cache";
    EXPECT_FALSE(find("next-eviction"));
    EXPECT_EQ(find.session_.message, "No further eviction of A[1].");
    EXPECT_EQ(find("previous-eviction"), 3u);
}

TEST(Search, Conflicts) {
    Searcher find = shared();
    EXPECT_FALSE(find("next-conflict"));
    applyAll(find.session_, {{"pick-region", 0}});
    EXPECT_EQ(find("next-conflict"), 5u) << "A throws B out";
    EXPECT_EQ(find("next-conflict"), 6u) << "B throws A out";
    EXPECT_FALSE(find("next-conflict"));
    applyAll(find.session_, {{"pick-pair", 0, "0 1"}});
    EXPECT_EQ(find("previous-conflict"), 5u);
    EXPECT_FALSE(find("next-conflict"));
    EXPECT_EQ(find.session_.message, "No further eviction of B by A.");
    applyAll(find.session_, {{"pick-pair", 0, "0 1"}});
    EXPECT_FALSE(find.session_.pair.has_value()) << "a second click lets go";
}

TEST(Search, TransfersAndMarks) {
    Searcher find = shared();
    EXPECT_EQ(find("next-mark"), 0u) << "a mark before the first access is found from the start";
    EXPECT_EQ(find("next-mark"), 4u);
    EXPECT_FALSE(find("next-mark"));
    EXPECT_EQ(find("previous-mark"), 0u);
    EXPECT_EQ(find("next-transfer"), 1u) << "CPU 0 had A[0] to itself";
    EXPECT_EQ(find("next-transfer"), 3u);
    EXPECT_EQ(find("next-transfer"), 5u) << "CPU 1 had written A[0]";
}

TEST(Search, EveryKeyHasItsSearch) {
    for (const auto& [key, id] : {std::pair("n", "next-miss"),
                                  {"Shift+N", "previous-miss"},
                                  {"r", "next-region-miss"},
                                  {"Shift+R", "previous-region-miss"},
                                  {"v", "next-eviction"},
                                  {"Shift+V", "previous-eviction"},
                                  {"c", "next-conflict"},
                                  {"Shift+C", "previous-conflict"},
                                  {"t", "next-transfer"},
                                  {"Shift+T", "previous-transfer"},
                                  {"k", "next-mark"},
                                  {"Shift+K", "previous-mark"}}) {
        const Action* action = actionForKey(key);
        ASSERT_NE(action, nullptr) << key;
        EXPECT_EQ(action->id, id);
        Session nothingOpen;
        applyAll(nothingOpen, {{action->id}});
        EXPECT_FALSE(nothingOpen.search.has_value());
    }
}

}  // namespace
}  // namespace whorl::app
