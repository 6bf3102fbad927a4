// Predicting accesses through commands: the playhead stands before the access that is asked about, answers are graded,
// and only then is it played.
#include "app/session/predict.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/commands/commands.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

Opened multiplyingOn(const std::string& machine) {
    return openedFor({.input = "matmul:n=8", .machine = machine});
}

Session session() {
    Session s;
    s.opened = multiplyingOn("1K/2/32, 4K/4/32");
    return s;
}

const sim::Question& questionOf(const Session& s) {
    return *s.prediction->question;
}

/// Answers all parts: rightly, or none of them.
void answerAll(Session& s, bool rightly) {
    const sim::Question q = questionOf(s);
    const std::uint64_t bytes = s.opened.run->machine().levels[q.level].block;
    apply(s, command::PredictSet{rightly ? q.fields.set : q.fields.set + 1});
    apply(s, command::PredictOutcome{rightly == q.hit});
    EXPECT_FALSE(s.prediction->revealed);
    if (rightly == !q.victim.has_value()) {
        apply(s, command::PredictNoVictim{});
    } else if (rightly) {
        apply(s, command::PredictVictim{sim::ByteAddress{q.victim->value * bytes + 5}});
    } else {
        apply(s, command::PredictVictim{sim::ByteAddress{q.block.value * bytes}});
    }
}

TEST(Predict, WhoPlaysOnGivesTheQuestionUp) {
    for (const bool seeks : {false, true}) {
        Session s = session();
        apply(s, command::Seek{100});
        press(s, "Ctrl+E");
        const auto tick = static_cast<double>(questionOf(s).tick.value);
        passTime(s, 1);
        ASSERT_TRUE(s.prediction) << "nothing has been seen of it";
        seeks ? apply(s, command::Seek{tick + 3}) : apply(s, command::Play{});
        passTime(s, 0.1);
        EXPECT_FALSE(s.prediction) << "its outcome is to be seen";
    }
}

/// In the table of the cache: where the block will be is the whole answer.
TEST(Predict, AClickOnAWayAnswersEveryPart) {
    std::size_t hits = 0;
    std::size_t evictions = 0;
    for (std::uint64_t at = 20; at < 320; at += 9) {
        Session s = session();
        apply(s, command::Seek{static_cast<double>(at)});
        press(s, "Ctrl+E");
        const sim::Question q = questionOf(s);
        const sim::Simulator after = s.opened.run->stateAt(sim::Tick{q.tick.value + 1});
        const sim::Cache& cache = after.hierarchy().cache(q.level, q.cache);
        const auto set = static_cast<std::uint32_t>(q.fields.set);
        apply(s, command::PredictWay{1, 0, sim::SetIndex{set}, sim::WayIndex{0}});
        EXPECT_FALSE(s.prediction->revealed) << "another cache";
        apply(s, command::PredictWay{0, 0, sim::SetIndex{set + 1000}, sim::WayIndex{0}});
        EXPECT_FALSE(s.prediction->revealed) << "there is no such set";
        apply(s, command::PredictWay{0, 0, sim::SetIndex{set}, sim::WayIndex{cache.find(q.block)}});
        EXPECT_TRUE(s.prediction->revealed);
        EXPECT_EQ(s.prediction->right, 3u) << "access " << q.tick.value;
        hits += q.hit ? 1 : 0;
        evictions += q.victim ? 1 : 0;

        // Any other way is wrong in a full set; in another one, a way without a block is as good as the next.
        if (q.before.size() < cache.ways()) continue;
        s = session();
        apply(s, command::Seek{static_cast<double>(at)});
        press(s, "Ctrl+E");
        apply(s, command::PredictWay{0, 0, sim::SetIndex{set}, sim::WayIndex{1 - cache.find(q.block)}});
        EXPECT_TRUE(s.prediction->revealed);
        EXPECT_LT(s.prediction->right, 3u) << "access " << q.tick.value;
    }
    EXPECT_GT(hits, 3u);
    EXPECT_GT(evictions, 3u);
}

TEST(Predict, KeysAloneAnswerEveryPart) {
    for (std::uint64_t at = 20; at < 200; at += 9) {
        Session s = session();
        apply(s, command::Seek{static_cast<double>(at)});
        press(s, "Ctrl+E");
        const sim::Question q = questionOf(s);
        const std::vector<std::uint64_t> sets = setsToChoose(q, s.opened.run->machine());
        const auto set = std::find(sets.begin(), sets.end(), q.fields.set) - sets.begin();
        press(s, fmt::format("Alt+{}", set + 1));
        press(s, "Alt+9");
        EXPECT_FALSE(s.prediction->answer.hit) << "there is no such choice";
        press(s, q.hit ? "Alt+1" : "Alt+2");
        const auto victim = std::find_if(q.before.begin(), q.before.end(),
                                         [&](const sim::SetLine& line) { return line.block == q.victim; });
        ASSERT_FALSE(s.prediction->revealed);
        press(s, fmt::format("Alt+{}", victim - q.before.begin() + 1));
        EXPECT_TRUE(s.prediction->revealed);
        EXPECT_EQ(s.prediction->right, 3u) << "access " << q.tick.value;
    }
    Session s = session();
    press(s, "Ctrl+E");
    press(s, "Ctrl+Shift+E");
    EXPECT_EQ(s.prediction->level, 1u);
    press(s, "Alt+0");
    EXPECT_TRUE(s.prediction->revealed);
}

TEST(Predict, StandsBeforeTheAccessUntilAllIsAnswered) {
    Session s = session();
    apply(s, command::Seek{100.5});
    s.player.play();
    press(s, "Ctrl+E");
    ASSERT_TRUE(s.prediction.has_value());
    EXPECT_EQ(questionOf(s).tick.value, 101u) << "the access in motion can be seen";
    EXPECT_EQ(s.player.position(), 101);
    EXPECT_FALSE(s.player.moving());
    passTime(s, 1);
    EXPECT_EQ(s.player.position(), 101) << "nothing of the access is shown";

    answerAll(s, true);
    EXPECT_TRUE(s.prediction->revealed);
    EXPECT_EQ(s.prediction->parts, 3u);
    EXPECT_EQ(s.prediction->right, 3u);
    EXPECT_EQ(s.player.current(), 101u);
    passTime(s, 10);
    EXPECT_EQ(s.player.position(), 102);

    press(s, "Ctrl+N");
    EXPECT_EQ(questionOf(s).tick.value, 102u);
    EXPECT_FALSE(s.prediction->revealed);
    answerAll(s, false);
    EXPECT_EQ(s.prediction->parts, 6u);
    EXPECT_EQ(s.prediction->right, 3u);
}

TEST(Predict, KeysAnswer) {
    Session s = session();
    press(s, "Ctrl+E");
    press(s, "Ctrl+H");
    EXPECT_EQ(s.prediction->answer.hit, true);
    press(s, "Ctrl+M");
    EXPECT_EQ(s.prediction->answer.hit, false) << "until it is played, an answer can be changed";
    press(s, "Ctrl+E");
    EXPECT_FALSE(s.prediction.has_value()) << "the same key ends it";
    press(s, "Ctrl+H");
    press(s, "Ctrl+N");
    EXPECT_FALSE(s.prediction.has_value());
}

TEST(Predict, WhatIsPlayedIsAnsweredNoMore) {
    Session s = session();
    press(s, "Ctrl+E");
    apply(s, command::PredictOutcome{true});
    apply(s, command::PredictReveal{});
    EXPECT_EQ(s.prediction->parts, 1u) << "only what was answered counts";
    apply(s, command::PredictOutcome{false});
    apply(s, command::PredictReveal{});
    EXPECT_EQ(s.prediction->answer.hit, true);
    EXPECT_EQ(s.prediction->parts, 1u);
}

TEST(Predict, TellingOnesEvictOrMissAgain) {
    Session s = session();
    press(s, "Ctrl+T");
    std::uint64_t last = 0;
    for (int i = 0; i < 20; ++i) {
        ASSERT_NE(s.prediction->question, nullptr);
        const sim::Question& q = questionOf(s);
        EXPECT_TRUE(q.victim.has_value() || (!q.hit && q.kind != sim::MissKind::compulsory));
        EXPECT_TRUE(i == 0 || q.tick.value > last);
        last = q.tick.value;
        press(s, "Ctrl+N");
    }
}

TEST(Predict, ASequenceIsOfOneSetAndEnds) {
    Session s = session();
    press(s, "Ctrl+K");
    ASSERT_TRUE(s.prediction.has_value());
    const std::uint64_t set = questionOf(s).fields.set;
    std::vector<sim::BlockAddress> held;
    for (const sim::SetLine& line : questionOf(s).before) held.push_back(line.block);
    for (int i = 0; i < 10; ++i) {
        ASSERT_NE(s.prediction->question, nullptr) << "ten accesses are asked about";
        EXPECT_EQ(questionOf(s).fields.set, set);
        answerAll(s, true);
        press(s, "Ctrl+N");
    }
    EXPECT_EQ(s.prediction->question, nullptr);
    EXPECT_EQ(s.prediction->right, 30u);
    EXPECT_EQ(s.prediction->parts, 30u);
    press(s, "Ctrl+N");
    press(s, "Ctrl+H");
    EXPECT_EQ(s.prediction->parts, 30u);
}

TEST(Predict, EndsWithTheRunAndWithEscape) {
    Session s = session();
    s.selected = blockAt(sim::ByteAddress{5});
    press(s, "Ctrl+E");
    press(s, "Escape");
    EXPECT_FALSE(s.prediction.has_value());
    EXPECT_TRUE(s.selected.has_value()) << "one thing after the other";
    press(s, "Ctrl+E");
    enterRun(s, multiplyingOn("512/1/32"));
    EXPECT_FALSE(s.prediction.has_value()) << "it was about another machine";
}

TEST(Predict, AsksAboutTheChosenLevel) {
    Session s = session();
    apply(s, command::PredictLevel{1});
    ASSERT_TRUE(s.prediction.has_value());
    EXPECT_EQ(questionOf(s).level, 1u);
    press(s, "Ctrl+N");
    EXPECT_EQ(questionOf(s).level, 1u);
    apply(s, command::PredictLevel{7});
    EXPECT_EQ(s.prediction->level, 1u) << "there is no such level";
}

TEST(Predict, NothingIsAskedAtTheEndOrWithoutARun) {
    Session none;
    press(none, "Ctrl+E");
    EXPECT_FALSE(none.prediction.has_value());
    Session s = session();
    press(s, "End");
    press(s, "Ctrl+E");
    EXPECT_FALSE(s.prediction.has_value());
    EXPECT_EQ(s.message, "No access ahead can be asked about at L1.");
    apply(s, command::Seek{s.end() - 1});
    press(s, "Ctrl+E");
    ASSERT_TRUE(s.prediction.has_value());
    press(s, "Ctrl+N");
    EXPECT_EQ(s.prediction->question, nullptr);
}

TEST(Predict, SetsToChooseFromHoldTheRightOneAndDiffer) {
    const Session s = session();
    for (std::uint64_t t = 0; t < 200; ++t) {
        const auto q = sim::questionAt(*s.opened.run, t % 2, sim::Tick{t});
        if (!q) continue;
        const auto sets = setsToChoose(*q, s.opened.run->machine());
        EXPECT_GE(sets.size(), 4u);
        EXPECT_TRUE(std::binary_search(sets.begin(), sets.end(), q->fields.set));
        EXPECT_EQ(std::set(sets.begin(), sets.end()).size(), sets.size());
        EXPECT_LT(sets.back(), q->fields.sets);
    }
    const Opened one = multiplyingOn("128/4/32");
    const auto q = sim::questionAt(*one.run, 0, sim::Tick{0});
    EXPECT_EQ(setsToChoose(*q, one.run->machine()), std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace whorl::app
