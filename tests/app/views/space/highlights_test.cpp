// What is highlighted with a pick: computed by hand on a trace of seven accesses, and on a synthetic history.
#include "app/views/space/highlights.h"

#include <gtest/gtest.h>

#include "app/views/space/histories.h"
#include "support/sharing_trace.h"

namespace whorl::app {
namespace {

using sim::CostNode;
using Indices = std::vector<std::uint32_t>;
using Ticks = std::vector<std::uint64_t>;

constexpr std::uint64_t kBlock = 32;

/// The nodes of sharingSession's history, in their required order.
enum Source : std::uint32_t { a1, a2, b3, b4 };
enum ObjectIndex : std::uint32_t { P, Q, R, S };
enum Word : std::uint32_t { P0, P4, Q0, R0, S0 };

class PicksTest : public testing::Test {
  protected:
    /// When the stays began.
    Ticks ticksOf(const Indices& stays, std::size_t level = 0) const {
        Ticks out;
        out.reserve(stays.size());
        for (const std::uint32_t s : stays) out.push_back(history_->levels[level].stays[s].in.value);
        return out;
    }
    Picks source(Source s) const {
        Picks picks;
        picks.source = pickOf(history_->sources[s]);
        return picks;
    }
    Picks object(ObjectIndex o) const {
        Picks picks;
        picks.object = objectPickOf(history_->objects[o]);
        return picks;
    }
    Picks word(Word w) const {
        Picks picks;
        picks.object = objectPickOf(history_->words[w]);
        return picks;
    }

    Session session_ = sharingSession();
    std::shared_ptr<const sim::History> history_ = historyIn(session_, 0, 7);
};

TEST_F(PicksTest, TheExampleIsAsComputedByHand) {
    const sim::History& h = *history_;
    const auto cycles = [](const std::vector<CostNode>& nodes) {
        std::vector<sim::Cycles> out;
        out.reserve(nodes.size());
        for (const CostNode& n : nodes) out.push_back(n.cycles);
        return out;
    };
    EXPECT_EQ(cycles(h.sources), (std::vector<sim::Cycles>{56 + 6, 6, 56 + 6, 56 + 6}));
    EXPECT_EQ(cycles(h.objects), (std::vector<sim::Cycles>{56 + 6 + 6, 6, 56, 56 + 6}));
    EXPECT_EQ(cycles(h.words), (std::vector<sim::Cycles>{56 + 6, 6, 6, 56, 56 + 6}));
    ASSERT_EQ(h.levels.size(), 2u);
    const auto& stays = h.levels[0].stays;
    ASSERT_EQ(stays.size(), 7u);
    EXPECT_EQ(ticksOf({0, 1, 2, 3, 4, 5, 6}), (Ticks{0, 2, 4, 1, 3, 5, 6}));
    using sim::Leaving;
    const std::vector<Leaving> leaving = {Leaving::invalidated, Leaving::replaced, Leaving::resident,
                                          Leaving::invalidated, Leaving::replaced, Leaving::invalidated,
                                          Leaving::resident};
    for (std::size_t i = 0; i < stays.size(); ++i) EXPECT_EQ(stays[i].leaving, leaving[i]) << i;
    EXPECT_EQ(h.levels[1].stays.size(), 3u);
}

TEST_F(PicksTest, OfALineShowItsObjectsAndWords) {
    EXPECT_EQ(objectHighlights(*history_, source(a1), false, kBlock).related, (Indices{P}));
    EXPECT_EQ(objectHighlights(*history_, source(a2), false, kBlock).related, (Indices{Q}));
    EXPECT_EQ(objectHighlights(*history_, source(b3), false, kBlock).related, (Indices{P, R}));
    EXPECT_EQ(objectHighlights(*history_, source(a1), true, kBlock).related, (Indices{P0, P4}));
    EXPECT_EQ(objectHighlights(*history_, source(b3), true, kBlock).related, (Indices{P0, R0}));
    const Highlights lines = sourceHighlights(*history_, source(b3), kBlock);
    EXPECT_EQ(lines.picked, b3);
    EXPECT_TRUE(lines.related.empty());
    EXPECT_EQ(objectHighlights(*history_, source(b3), false, kBlock).picked, std::nullopt);
}

TEST_F(PicksTest, OfAnObjectOrWordShowItsLines) {
    EXPECT_EQ(sourceHighlights(*history_, object(P), kBlock).related, (Indices{a1, b3}));
    EXPECT_EQ(sourceHighlights(*history_, object(Q), kBlock).related, (Indices{a2}));
    EXPECT_EQ(sourceHighlights(*history_, object(S), kBlock).related, (Indices{b4}));
    EXPECT_EQ(sourceHighlights(*history_, word(P4), kBlock).related, (Indices{a1}));
    EXPECT_EQ(sourceHighlights(*history_, word(P0), kBlock).related, (Indices{a1, b3}));
    EXPECT_EQ(objectHighlights(*history_, object(R), false, kBlock).picked, R);
    EXPECT_EQ(objectHighlights(*history_, word(P4), true, kBlock).picked, P4);
    EXPECT_EQ(objectHighlights(*history_, word(P4), false, kBlock).picked, P) << "the object that it lies in";
    const Highlights words = objectHighlights(*history_, object(P), true, kBlock);
    EXPECT_EQ(words.picked, std::nullopt);
    EXPECT_EQ(words.ofTheByte, (Indices{P0, P4})) << "of an object, its words";
}

/// The blocks of a line, no matter who used them: also Q's stay, because Q lies beside P.
TEST_F(PicksTest, OfALineHighlightAllStaysOfItsBlocks) {
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, source(a1)).related), (Ticks{0, 2, 4, 1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, source(a2)).related), (Ticks{0, 2, 4, 1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, source(b3)).related), (Ticks{0, 2, 4, 1, 3}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 1, source(b3)).related, 1), (Ticks{0, 3}));
}

/// Between P's stays in cache 0 the block was in cache 1 because of Q, which P's highlights do not show: false sharing.
/// S's highlights show both caches: true sharing.
TEST_F(PicksTest, OfAnObjectDistinguishFalseSharingFromTrue) {
    const auto cachesOf = [&](const Picks& picks) {
        std::vector<int> out;
        for (const std::uint32_t s : stayHighlights(*history_, 0, picks).related) {
            out.push_back(history_->levels[0].stays[s].cache);
        }
        return out;
    };
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, object(P)).related), (Ticks{0, 2, 4}));
    EXPECT_EQ(cachesOf(object(P)), (std::vector<int>{0, 0, 0}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, object(Q)).related), (Ticks{1}));
    EXPECT_EQ(cachesOf(object(Q)), (std::vector<int>{1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, object(S)).related), (Ticks{5, 6}));
    EXPECT_EQ(cachesOf(object(S)), (std::vector<int>{0, 1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, word(P4)).related), (Ticks{2}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, word(P0)).related), (Ticks{0, 4}));
}

/// As entered in a field or on the command line: any byte of the word.
TEST_F(PicksTest, OfAByteWithinAWordAreThoseOfTheWord) {
    Picks picks;
    picks.object = ObjectPick{CostNode::Kind::word, 0, sim::ByteAddress{0x1006}};
    EXPECT_EQ(objectHighlights(*history_, picks, true, kBlock).picked, P4);
    EXPECT_EQ(sourceHighlights(*history_, picks, kBlock).related, (Indices{a1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, picks).related), (Ticks{2}));
}

TEST_F(PicksTest, OfABlockShowAllThatIsRelatedToIt) {
    Picks picks;
    picks.byte = sim::ByteAddress{0x1017};
    EXPECT_EQ(sourceHighlights(*history_, picks, kBlock).ofTheByte, (Indices{a1, a2, b3}));
    EXPECT_EQ(objectHighlights(*history_, picks, false, kBlock).ofTheByte, (Indices{P, Q}));
    EXPECT_EQ(objectHighlights(*history_, picks, true, kBlock).ofTheByte, (Indices{P0, P4, Q0}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, picks).ofTheByte), (Ticks{0, 2, 4, 1}));
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 1, picks).ofTheByte, 1), (Ticks{0}));
    EXPECT_TRUE(stayHighlights(*history_, 0, picks).related.empty());
    picks.byte = sim::ByteAddress{0x9000};
    EXPECT_EQ(sourceHighlights(*history_, picks, kBlock), Highlights{});
    EXPECT_EQ(objectHighlights(*history_, picks, false, kBlock), Highlights{});
    EXPECT_EQ(stayHighlights(*history_, 0, picks), Highlights{});
}

TEST_F(PicksTest, TheLastPickHighlightsTheStays) {
    Picks both = object(Q);
    both.source = pickOf(history_->sources[b4]);
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, both).related), (Ticks{1}));
    both.sourceIsNewer = true;
    EXPECT_EQ(ticksOf(stayHighlights(*history_, 0, both).related), (Ticks{5, 6}));
    EXPECT_EQ(sourceHighlights(*history_, both, kBlock).picked, b4) << "and each is marked where it is";
    EXPECT_EQ(objectHighlights(*history_, both, false, kBlock).picked, Q);
}

TEST_F(PicksTest, AStayIsMarkedInItsLevelOnly) {
    Picks picks;
    picks.stay = pickOf(history_->levels[0], 0, 4);
    EXPECT_EQ(picks.stay->block.value, 0x2000u / 32);
    EXPECT_EQ(stayHighlights(*history_, 0, picks).picked, 4u);
    EXPECT_EQ(stayHighlights(*history_, 1, picks).picked, std::nullopt);
    for (std::uint32_t s = 0; s < 7; ++s) {
        EXPECT_EQ(find(*history_, pickOf(history_->levels[0], 0, s)), s);
    }
    StayPick other = *picks.stay;
    other.cache = 1;
    EXPECT_EQ(find(*history_, other), std::nullopt);
    other = *picks.stay;
    ++other.from;
    EXPECT_EQ(find(*history_, other), std::nullopt);
    other = *picks.stay;
    other.level = 2;
    EXPECT_EQ(find(*history_, other), std::nullopt);
}

/// A history of accesses 2 to 6: it has no a.c:2 and no Q, so all later nodes have other indices.
TEST_F(PicksTest, StayWhatTheyAreInAnotherHistory) {
    const auto later = historyIn(session_, 2, 7);
    ASSERT_EQ(later->sources.size(), 3u);
    ASSERT_EQ(later->objects.size(), 3u);
    EXPECT_EQ(find(*later, *source(a1).source), 0u);
    EXPECT_EQ(find(*later, *source(a2).source), std::nullopt);
    EXPECT_EQ(find(*later, *source(b3).source), 1u);
    EXPECT_EQ(findObject(*later, *object(Q).object), std::nullopt);
    EXPECT_EQ(findObject(*later, *object(S).object), 2u);
    EXPECT_EQ(findWord(*later, *word(R0).object), 2u);
    EXPECT_EQ(findWord(*later, *word(Q0).object), std::nullopt);
    EXPECT_EQ(sourceHighlights(*later, object(P), kBlock).related, (Indices{0, 1}));
    EXPECT_EQ(sourceHighlights(*later, object(Q), kBlock), Highlights{});
    const auto stay = find(*later, pickOf(history_->levels[0], 0, 4));
    ASSERT_TRUE(stay.has_value());
    EXPECT_EQ(later->levels[0].stays[*stay].in, sim::Tick{3});
}

/// In another layout, an object is found by its identity, not by its address.
TEST_F(PicksTest, AnObjectThatMovedIsTheSame) {
    sim::History moved = *history_;
    for (CostNode& n : moved.objects) n.address.value += 0x100000;
    EXPECT_EQ(findObject(moved, *object(R).object), R);
}

/// Two objects at one address, one after the other; a region; a word of its own.
TEST(Picks, DistinguishObjectsAtOneAddress) {
    sim::History h;
    const auto node = [](CostNode::Kind kind, std::uint64_t address, std::uint64_t size, std::uint32_t id) {
        CostNode n;
        n.kind = kind;
        n.address = sim::ByteAddress{address};
        n.size = size;
        n.id = id;
        return n;
    };
    h.objects = {node(CostNode::Kind::object, 0x100, 32, 7), node(CostNode::Kind::object, 0x100, 16, 3),
                 node(CostNode::Kind::region, 0x200, 64, 3), node(CostNode::Kind::word, 0x300, 8, 0)};
    h.wordSize = 8;
    h.words = {node(CostNode::Kind::word, 0x100, 8, 1), node(CostNode::Kind::word, 0x300, 8, 3)};
    EXPECT_EQ(findObject(h, objectPickOf(h.objects[0])), 0u);
    EXPECT_EQ(findObject(h, objectPickOf(h.objects[1])), 1u);
    EXPECT_EQ(findObject(h, objectPickOf(h.objects[2])), 2u) << "not the object with that number";
    EXPECT_EQ(findObject(h, objectPickOf(h.objects[3])), 3u);
    EXPECT_EQ(findWord(h, objectPickOf(h.objects[3])), 1u);
    EXPECT_EQ(findWord(h, objectPickOf(h.objects[2])), std::nullopt) << "a region is no word";
    EXPECT_EQ(findObject(h, {CostNode::Kind::word, 0, sim::ByteAddress{0x23f}}), 2u) << "of a word: what it lies in";
    EXPECT_EQ(findObject(h, {CostNode::Kind::word, 0, sim::ByteAddress{0x240}}), std::nullopt);
    EXPECT_EQ(findObject(h, {CostNode::Kind::word, 0, sim::ByteAddress{0xff}}), std::nullopt);
}

TEST(Picks, OfASessionAreTheBlockOnlyWhileNothingInTheViewsIs) {
    Session s;
    s.selected = blockAt(sim::ByteAddress{0x1234});
    EXPECT_EQ(picksOf(s).byte, sim::ByteAddress{0x1234});
    s.viewSettings.source = SourcePick{2};
    EXPECT_EQ(picksOf(s).byte, sim::ByteAddress{0x1234}) << "a line and a block go together";
    EXPECT_EQ(picksOf(s).source, s.viewSettings.source);
    s.viewSettings.stay = StayPick{};
    EXPECT_EQ(picksOf(s).byte, std::nullopt);
    s.viewSettings.stay.reset();
    s.viewSettings.object = ObjectPick{};
    EXPECT_EQ(picksOf(s).byte, std::nullopt);
}

}  // namespace
}  // namespace whorl::app
