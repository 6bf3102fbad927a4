// What the caches hold, as whorl contents prints it, against the slow reference: on random machines with any of the
// policies, protocols, TLBs and bounded memory.
#include "sim/report/contents_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/reference/random_cases.h"
#include "sim/reference/reference.h"
#include "support/rounds.h"
#include "support/traces.h"

namespace whorl::sim {
namespace {

/// A machine in the middle of a random trace, and the reference at the same place.
class Played {
  public:
    explicit Played(std::uint64_t seed) : case_(reference::randomCase(seed, 300)) {
        trace_ = test::shared(test::traceOf(case_.trace));
        Progress unwatched;
        auto now = std::make_shared<Simulator>(case_.machine, *futureOf(case_.machine, *trace_, unwatched));
        for (const Access& a : case_.trace) now->step(a);
        now_ = std::move(now);
        slow_.emplace(case_.machine, case_.trace);
    }

    const MachineConfig& machine() const { return case_.machine; }
    const reference::Machine& slow() const { return slow_->machine(); }
    ContentsQuery query() const { return {trace_, now_, storesOf(case_.machine)}; }

  private:
    reference::Case case_;
    std::shared_ptr<const Trace> trace_;
    std::shared_ptr<const Simulator> now_;
    std::optional<reference::Reference> slow_;
};

/// A row of a table by the keys of its columns.
class Row {
  public:
    Row(const Table& table, std::size_t row) : table_(table), cells_(table.rows[row]) {}

    std::uint64_t number(std::string_view key) const { return std::get<std::uint64_t>(cell(key)); }
    std::string text(std::string_view key) const { return std::get<std::string>(cell(key)); }
    bool has(std::string_view key) const { return !std::holds_alternative<std::monostate>(cell(key)); }
    std::uint64_t hex(std::string_view key) const { return std::stoull(text(key), nullptr, 16); }

  private:
    const Cell& cell(std::string_view key) const { return cells_.at(columnOf(table_.columns, key)); }

    const Table& table_;
    const std::vector<Cell>& cells_;
};

/// The bit of the node of a tree whose right half begins at a way.
bool bitOver(const reference::Set& set, std::size_t way) {
    std::size_t low = 0;
    std::size_t high = set.ways.size();
    for (;;) {
        const std::size_t middle = low + (high - low + 1) / 2;
        if (middle == way) {
            const auto bit = set.bit.find({low, high});
            return bit != set.bit.end() && bit->second;
        }
        (way < middle ? high : low) = middle;
    }
}

std::string stateOf(const reference::Held& held, Protocol protocol) {
    if (held.dirty) return "M";
    if (!held.owned) return "S";
    return protocol == Protocol::msi ? "M" : "E";
}

void expectSameCache(const Played& played, const Store& store) {
    const LevelConfig& level = played.machine().levels[store.level];
    const reference::Cache& slow = played.slow().cache(store.level, store.cache);
    const Table table = contentsTable(played.query(), store);
    ASSERT_EQ(table.rows.size(), level.blocks());
    std::size_t held = 0;
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> leaving;  // by set and order: the block
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const Row row(table, r);
        ASSERT_EQ(row.number("set"), r / level.ways);
        ASSERT_EQ(row.number("way"), r % level.ways);
        const reference::Set* const set = slow.setNumbered(row.number("set"));
        const auto inWay = set == nullptr ? std::nullopt : set->ways[row.number("way")];
        ASSERT_EQ(row.number("valid"), inWay ? 1u : 0u);
        if (level.policy == Policy::treePlru && row.number("way") > 0 && set != nullptr) {
            EXPECT_EQ(row.number("policy_state"), bitOver(*set, row.number("way")) ? 1u : 0u);
        }
        if (!inWay) continue;
        ++held;
        EXPECT_EQ(row.hex("address"), *inWay * level.block);
        EXPECT_EQ(row.hex("tag") * level.sets() + row.number("set"), *inWay);
        const reference::Held& other = slow.at(*inWay);
        EXPECT_EQ(row.number("dirty"), other.dirty ? 1u : 0u);
        EXPECT_EQ(row.has("state"), played.machine().isCoherent(store.level));
        if (row.has("state")) {
            EXPECT_EQ(row.text("state"), stateOf(other, played.machine().protocol));
        }
        if (level.policy == Policy::srrip) {
            EXPECT_EQ(row.number("policy_state"), static_cast<std::uint64_t>(set->interval[row.number("way")]));
        }
        EXPECT_EQ(row.has("order"), level.ways > 1 && level.policy != Policy::random);
        if (row.has("order")) leaving[row.number("set")][row.number("order")] = *inWay;
    }
    EXPECT_EQ(held, slow.blocks().size());
    for (const auto& [set, blocks] : leaving) {
        std::vector<std::uint64_t> order;
        for (auto b = blocks.rbegin(); b != blocks.rend(); ++b) order.push_back(b->second);
        EXPECT_EQ(order, slow.orderOfEviction(set)) << "set " << set;
    }
}

void expectSameTlb(const Played& played, const Store& store) {
    const TlbConfig& tlb = played.machine().tlb;
    const Table table = contentsTable(played.query(), store);
    ASSERT_EQ(table.rows.size(), tlb.entries);
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> held;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const Row row(table, r);
        if (row.number("valid") == 0) continue;
        held[row.number("set")][row.has("order") ? row.number("order") : 0] =
            row.hex("address") / played.machine().pageBytes();
    }
    for (std::uint64_t set = 0; set < tlb.entries / tlb.ways; ++set) {
        std::vector<std::uint64_t> pages;
        for (const auto& [order, page] : held[set]) pages.push_back(page);
        EXPECT_EQ(pages, played.slow().tlb(store.cache, set)) << "set " << set;
    }
}

void expectSameFrames(const Played& played, const Store& store) {
    const std::vector<reference::Page>& frames = played.slow().frames();
    const Table table = contentsTable(played.query(), store);
    ASSERT_EQ(table.rows.size(), frames.size());
    for (std::size_t f = 0; f < frames.size(); ++f) {
        const Row row(table, f);
        EXPECT_EQ(row.hex("address"), frames[f].page * played.machine().memory.page);
        EXPECT_EQ(row.number("dirty"), frames[f].dirty ? 1u : 0u);
        if (played.machine().memory.frames() == 1) continue;
        const auto newer = std::count_if(frames.begin(), frames.end(),
                                         [&](const reference::Page& p) { return p.lastUse > frames[f].lastUse; });
        EXPECT_EQ(row.number("order"), static_cast<std::uint64_t>(newer));
    }
}

TEST(Contents, AreThoseOfTheReference) {
    std::size_t caches = 0;
    std::size_t others = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(400); ++seed) {
        SCOPED_TRACE(seed);
        const Played played(seed);
        for (const Store& store : played.query().stores) {
            SCOPED_TRACE(nameOf(store, played.machine()));
            EXPECT_TRUE(has(played.machine(), store));
            EXPECT_EQ(storeNamed(wordOf(store, played.machine()), played.machine()), store);
            if (store.kind == Store::Kind::cache) expectSameCache(played, store);
            if (store.kind == Store::Kind::tlb) expectSameTlb(played, store);
            if (store.kind == Store::Kind::pages) expectSameFrames(played, store);
            ++(store.kind == Store::Kind::cache ? caches : others);
        }
    }
    EXPECT_GT(caches, testRounds(400));
    EXPECT_GT(others, testRounds(400) / 10);
}

TEST(Contents, InTextLeaveEmptySetsOut) {
    for (std::uint64_t seed = 1; seed <= testRounds(40); ++seed) {
        SCOPED_TRACE(seed);
        const Played played(seed);
        for (const Store& store : played.query().stores) {
            if (store.kind == Store::Kind::pages) continue;
            const Table all = contentsTable(played.query(), store);
            const Table used = contentsTable(played.query(), store, true);
            const std::size_t ways = Contents(played.query().now->hierarchy(), store).ways();
            std::size_t kept = 0;
            for (std::size_t r = 0; r < all.rows.size(); r += ways) {
                bool holds = false;
                for (std::size_t w = 0; w < ways; ++w) holds = holds || Row(all, r + w).number("valid") == 1;
                if (!holds) continue;
                for (std::size_t w = 0; w < ways; ++w) EXPECT_EQ(used.rows.at(kept++), all.rows[r + w]);
            }
            EXPECT_EQ(kept, used.rows.size());
        }
    }
}

TEST(Contents, NameWhatTheMachineHasWhereAWordIsWrong) {
    const Played played(1);
    const auto wrong = storeNamed("L9", played.machine());
    ASSERT_FALSE(wrong);
    for (const Store& store : storesOf(played.machine())) {
        EXPECT_NE(wrong.error().sentence().find(wordOf(store, played.machine())), std::string::npos);
    }
    EXPECT_FALSE(storeNamed("L1@99", played.machine()));
    EXPECT_FALSE(storeNamed("L1@", played.machine()));
}

}  // namespace
}  // namespace whorl::sim
