// What a wrong answer says about its author: a worked example of each misconception.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/analysis/quiz/grading.h"

namespace whorl::sim {
namespace {

MachineConfig machineOfTwoLevels() {
    MachineConfig machine;
    machine.levels = {{.name = "L1", .size = 1024, .ways = 2, .block = 32},
                      {.name = "L2", .size = 16384, .ways = 4, .block = 64}};
    return machine;
}

/// A miss at 0x1234d8: block 0x91a6 of 32 bytes, in set 6 of 16, with tag 0x91a; byte 24 of the block.
Question example() {
    Question q;
    q.access = {.address = ByteAddress{0x1234d8}, .size = 4};
    q.block = BlockAddress{0x91a6};
    q.fields.tag = 0x91a;
    q.fields.set = 6;
    q.fields.offset = 24;
    q.fields.sets = 16;
    q.fields.setBits = 4;
    q.fields.offsetBits = 5;
    q.ways = 2;
    q.servedBy = 2;
    q.kind = MissKind::capacity;
    q.fills = true;
    return q;
}

SetLine lineOf(std::uint64_t tag, std::uint64_t filled, std::uint64_t used) {
    return {.block = BlockAddress{tag * 16 + 6}, .way = {}, .filled = Tick{filled}, .used = Tick{used}, .usedAt = {}};
}

/// Four ways, filled in the order of their tags, and used in the order 3, 1, 4, 2.
Question full() {
    Question q = example();
    q.ways = 4;
    q.before = {lineOf(2, 20, 90), lineOf(4, 40, 80), lineOf(1, 10, 70), lineOf(3, 30, 60)};
    q.victim = q.before.back().block;
    return q;
}

Victim victim(std::uint64_t tag) {
    return {BlockAddress{tag * 16 + 6}};
}

/// The likely error, by its key; "right" if there is none, "?" if it is not known.
std::string likely(const Question& q, const QuizAnswer& answer) {
    const auto parts = graded(q, machineOfTwoLevels(), answer);
    if (parts.size() != 1) return "one part was answered";
    if (parts[0].right) return "right";
    return parts[0].likely ? std::string(parts[0].likely->key) : "?";
}

struct Example {
    std::string key;
    Question question;
    QuizAnswer answer;
};

std::vector<Example> aboutNumbers() {
    return {
        {"right", example(), {.set = 6}},
        {"tag-for-set", example(), {.set = 0x91a}},
        {"offset-for-set", example(), {.set = 24}},
        {"offset-bits-as-set", example(), {.set = 8}},
        {"block-for-set", example(), {.set = 0x91a6}},
        {"block-modulo-blocks",
         [] {
             Question q = example();
             q.access.address = ByteAddress{0x1236d8};  // block 0x91b6, in set 6 too
             q.block = BlockAddress{0x91b6};
             q.fields.tag = 0x91b;
             return q;
         }(),
         {.set = 0x16}},
        {"modulo-ways", example(), {.set = 0}},
        {"another-level", example(), {.set = 0x1234d8 / 64 % 64}},
        {"counted-from-one", example(), {.set = 7}},
        {"one-too-few", example(), {.set = 5}},
        {"?", example(), {.set = 12}},
        {"right", example(), {.tag = 0x91a}},
        {"set-for-tag", example(), {.tag = 6}},
        {"block-for-tag", example(), {.tag = 0x91a6}},
        {"set-removed-only", example(), {.tag = 0x1234d}},
        {"address-for-tag", example(), {.tag = 0x1234d8}},
        {"bit-too-many", example(), {.tag = 0x91a6 >> 3}},
        {"bit-too-few", example(), {.tag = 0x48d}},
        {"?", example(), {.tag = 99}},
    };
}

Question hitOf(bool atOtherByte) {
    Question q = full();
    q.hit = true;
    q.kind.reset();
    q.fills = false;
    q.victim.reset();
    q.servedBy = 0;
    q.before[0].block = q.block;
    q.before[0].usedAt = ByteAddress{q.access.address.value - (atOtherByte ? 8 : 0)};
    return q;
}

Question missOf(MissKind kind, std::size_t servedBy) {
    Question q = full();
    q.kind = kind;
    q.servedBy = servedBy;
    return q;
}

std::vector<Example> aboutOutcomes() {
    return {
        {"right", hitOf(true), {.hit = true}},
        {"byte-for-block", hitOf(true), {.hit = false}},
        {"held-block-missed", hitOf(false), {.hit = false}},
        {"right", missOf(MissKind::conflict, 2), {.hit = false}},
        {"another-level-for-this", missOf(MissKind::conflict, 1), {.hit = true}},
        {"first-use-hits", missOf(MissKind::compulsory, 2), {.hit = true}},
        {"fully-associative", missOf(MissKind::conflict, 2), {.hit = true}},
        {"unlimited-size", missOf(MissKind::capacity, 2), {.hit = true}},
        {"other-cpu-forgotten", missOf(MissKind::falseSharing, 2), {.hit = true}},
        {"other-cpu-forgotten", missOf(MissKind::trueSharing, 2), {.hit = true}},
    };
}

Question withPolicy(Policy policy, std::uint64_t victimTag) {
    Question q = full();
    q.policy = policy;
    q.victim = victim(victimTag).block;
    const auto at =
        std::find_if(q.before.begin(), q.before.end(), [&](const SetLine& line) { return line.block == *q.victim; });
    std::rotate(at, at + 1, q.before.end());
    return q;
}

Question withoutTimes(Question q) {
    for (SetLine& line : q.before) line.filled = line.used = std::nullopt;
    return q;
}

std::vector<Example> aboutVictims() {
    Question free = full();
    free.before.pop_back();
    free.victim.reset();
    Question unknown = full();
    unknown.before[1].filled.reset();
    return {
        {"right", full(), {.victim = victim(3)}},
        {"fifo-for-policy", full(), {.victim = victim(1)}},
        {"mru-for-policy", full(), {.victim = victim(2)}},
        {"last-in-first-out", full(), {.victim = victim(4)}},
        {"none-though-full", full(), {.victim = Victim{}}},
        {"evicts-itself", full(), {.victim = Victim{example().block}}},
        {"?", full(), {.victim = Victim{BlockAddress{77}}}},
        {"?", unknown, {.victim = victim(1)}},
        {"lru-for-policy", withPolicy(Policy::fifo, 1), {.victim = victim(3)}},
        {"right", withPolicy(Policy::fifo, 1), {.victim = victim(1)}},
        {"mru-for-policy", withPolicy(Policy::treePlru, 3), {.victim = victim(2)}},
        {"order-reversed", withoutTimes(withPolicy(Policy::treePlru, 3)), {.victim = victim(2)}},
        {"lru-for-policy", withPolicy(Policy::mru, 2), {.victim = victim(3)}},
        {"right", hitOf(true), {.victim = Victim{}}},
        {"evicts-on-hit", hitOf(true), {.victim = victim(3)}},
        {"right", free, {.victim = Victim{}}},
        {"evicts-though-free", free, {.victim = victim(1)}},
    };
}

TEST(QuizGrading, FindsTheLikelyErrorOfEveryWorkedExample) {
    for (const auto& examples : {aboutNumbers(), aboutOutcomes(), aboutVictims()}) {
        for (const Example& e : examples) {
            EXPECT_EQ(likely(e.question, e.answer), e.key);
        }
    }
}

TEST(QuizGrading, EveryMisconceptionHasAnExample) {
    std::set<std::string> shown;
    for (const auto& examples : {aboutNumbers(), aboutOutcomes(), aboutVictims()}) {
        for (const Example& e : examples) shown.insert(e.key);
    }
    std::set<std::string_view> keys;
    for (const Misconception& of : allMisconceptions()) {
        EXPECT_TRUE(shown.contains(std::string(of.key))) << of.key;
        EXPECT_TRUE(keys.insert(of.key).second) << of.key << " is there twice";
        EXPECT_FALSE(of.words.empty() || of.words.ends_with('.')) << of.words;
    }
}

TEST(QuizGrading, RightAnswersAreRight) {
    for (const Question& q : {example(), full(), hitOf(true), withPolicy(Policy::fifo, 1)}) {
        const auto parts = graded(q, machineOfTwoLevels(), rightAnswer(q));
        ASSERT_EQ(parts.size(), 4u);
        for (const GradedPart& part : parts) EXPECT_TRUE(part.right && !part.likely);
    }
    Question random = full();
    random.policy = Policy::random;
    EXPECT_FALSE(rightAnswer(random).victim.has_value());
    EXPECT_TRUE(graded(full(), machineOfTwoLevels(), {}).empty());
}

/// Nobody is told that a right answer is wrong.
TEST(QuizGrading, NoMisconceptionLeadsToTheRightAnswer) {
    for (const Question& q : {example(), full(), hitOf(false), withPolicy(Policy::mru, 2)}) {
        for (const WrongNumber& w : wrongSets(q, machineOfTwoLevels())) EXPECT_NE(w.answer, q.fields.set);
        for (const WrongNumber& w : wrongTags(q)) EXPECT_NE(w.answer, q.fields.tag);
        for (const WrongVictim& w : wrongVictims(q)) EXPECT_NE(w.answer, Victim{q.victim});
    }
}

}  // namespace
}  // namespace whorl::sim
