// Questions for students: the answers against the slow reference, the choice of accesses, and what sequences promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "sim/analysis/history_help.h"
#include "sim/analysis/quiz/choice.h"
#include "sim/analysis/quiz/question.h"
#include "sim/reference/reference.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::built;
using test::traceOfProgram;

std::shared_ptr<const Trace> sitedTrace(const std::vector<Access>& accesses) {
    TraceBuilder builder("random");
    std::vector<SiteId> sites{SiteId{}};
    for (std::uint32_t line = 1; line < 8; ++line) sites.push_back(builder.site("a.c", line));
    for (Access a : accesses) {
        a.site = sites[a.site.value % sites.size()];
        builder.add(a);
    }
    return test::shared(builder);
}

/// What the reference says about an access that it has just played, at a level.
struct Told {
    bool asked = false;
    bool hit = true;
    bool fills = false;
    std::optional<std::uint64_t> victim;
};

Told toldBy(const std::vector<reference::Happening>& happenings, const MachineConfig& machine, std::size_t level,
            const Access& access) {
    const LevelConfig& config = machine.levels[level];
    const std::uint64_t block = access.address.value / config.block;
    const std::size_t cache = machine.cacheOf(level, access.cpu);
    Told out;
    std::optional<std::uint64_t> leaving;
    for (const reference::Happening& h : happenings) {
        if (h.what == reference::What::prefetch) break;
        if (!reference::inCache(h.what) || h.level != level || h.cache != cache) continue;
        if (h.demand && (h.what == reference::What::hit || h.what == reference::What::miss)) {
            out.asked = true;
            out.hit = out.hit && h.what == reference::What::hit;
        }
        if (h.block % config.sets() != block % config.sets() || out.fills) continue;
        if (h.what == reference::What::eviction) leaving = h.block;
        if (h.what != reference::What::fill) continue;
        if (h.block == block) {
            out.fills = true;
            out.victim = leaving;
        }
        leaving.reset();
    }
    return out;
}

/// The blocks of a set, the next to be evicted last.
std::vector<std::uint64_t> orderOf(const reference::Machine& machine, std::size_t level, std::size_t cache,
                                   std::uint64_t set) {
    auto blocks = machine.cache(level, cache).orderOfEviction(set);
    std::reverse(blocks.begin(), blocks.end());
    return blocks;
}

std::vector<std::uint64_t> blocksOf(const std::vector<SetLine>& lines) {
    std::vector<std::uint64_t> out;
    for (const SetLine& line : lines) out.push_back(line.block.value);
    return out;
}

/// The kind of the reference's miss at a level, by its tick.
std::optional<int> kindOf(const std::vector<reference::Miss>& misses, const Question& q) {
    for (const reference::Miss& miss : misses) {
        if (miss.tick == q.tick.value && miss.level == q.level && miss.cache == q.cache &&
            miss.block == q.block.value) {
            return static_cast<int>(miss.kind);
        }
    }
    return std::nullopt;
}

TEST(Quiz, AnswersAreThoseOfTheReference) {
    std::uint64_t asked = 0;
    std::uint64_t victims = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(60); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const reference::Case random = reference::randomCase(seed, 300);
        const auto run = built(sitedTrace(random.trace), random.machine);
        const MachineConfig& machine = run->machine();
        std::vector<Access> accesses;
        run->trace().forEach(Tick{0}, Tick{300}, [&](Tick, const Access& a) { accesses.push_back(a); });
        ASSERT_EQ(accesses.size(), random.trace.size());
        reference::Reference slow(machine, reference::futureOf(machine, accesses));
        std::vector<Question> missed;
        for (std::uint64_t t = 0; t < accesses.size(); ++t) {
            const Access& access = accesses[t];
            std::vector<std::optional<Question>> questions;
            for (std::size_t l = 0; l < machine.levels.size(); ++l) {
                const auto& q = questions.emplace_back(questionAt(*run, l, Tick{t}));
                if (!q) continue;
                EXPECT_EQ(q->fields.tag * q->fields.sets + q->fields.set,
                          access.address.value / machine.levels[l].block);
                EXPECT_EQ(blocksOf(q->before), orderOf(slow.machine(), l, q->cache, q->fields.set));
            }
            const auto happenings = slow.play(access);
            const std::uint64_t nearest = machine.levels[0].block;
            const bool counts = !access.unrecorded && !(access.modify && machine.conventions.modifyCountsOnce);
            const bool isValid = counts && access.address.value / nearest == access.last().value / nearest;
            for (std::size_t l = 0; l < machine.levels.size(); ++l) {
                const Told told = toldBy(happenings, machine, l, access);
                const auto& q = questions[l];
                ASSERT_EQ(q.has_value(), isValid && told.asked) << "access " << t << " at level " << l;
                if (!q) continue;
                ++asked;
                EXPECT_EQ(q->hit, told.hit) << "access " << t;
                EXPECT_EQ(q->fills, told.fills) << "access " << t;
                EXPECT_EQ(q->victim.has_value(), told.victim.has_value()) << "access " << t;
                if (q->victim && told.victim) {
                    EXPECT_EQ(q->victim->value, *told.victim);
                    ++victims;
                }
                EXPECT_EQ(blocksOf(q->after), orderOf(slow.machine(), l, q->cache, q->fields.set)) << "access " << t;
                if (!q->hit) missed.push_back(*q);
            }
        }
        for (const Question& q : missed) {
            ASSERT_TRUE(q.kind.has_value());
            EXPECT_EQ(std::optional(static_cast<int>(*q.kind)), kindOf(slow.misses(), q)) << "access " << q.tick.value;
        }
    }
    EXPECT_GT(asked, testRounds(60) * 100);
    EXPECT_GT(victims, testRounds(60) * 10);
}

/// When the blocks of a set came and were used, against a list of all accesses before.
TEST(Quiz, TellsWhenBlocksCameAndWereUsed) {
    const auto run = built(traceOfProgram("matmul:n=8"), *loadMachine("1K/2/32"));
    std::vector<Access> past;
    std::uint64_t known = 0;
    run->trace().forEach(Tick{0}, Tick{run->trace().size()}, [&](Tick t, const Access& access) {
        const auto q = questionAt(*run, 0, t);
        ASSERT_TRUE(q.has_value());
        for (const SetLine& line : q->before) {
            const auto last = std::find_if(past.rbegin(), past.rend(),
                                           [&](const Access& a) { return a.address.value / 32 == line.block.value; });
            ASSERT_NE(last, past.rend());
            EXPECT_EQ(line.used, Tick{static_cast<std::uint64_t>(past.rend() - last) - 1});
            EXPECT_EQ(line.usedAt, last->address);
            EXPECT_LE(line.filled, line.used);
            ++known;
        }
        past.push_back(access);
    });
    EXPECT_GT(known, 500u);
}

QuizChoice allOf(const sim::Run& run) {
    return {.level = 0, .range = {Tick{0}, Tick{run.trace().size()}}};
}

TEST(Quiz, EveryAccessAskedHitsAndMissesAsOftenAsCounted) {
    for (const char* program : {"matmul:n=8", "mergesort:n=64", "conflict"}) {
        for (const std::size_t level : {0u, 1u}) {
            const auto run = built(traceOfProgram(program), *loadMachine("1K/1/32, 4K/4/32"));
            QuizChoice choice = allOf(*run);
            choice.level = level;
            choice.every = 1;
            choice.count = run->trace().size();
            Progress progress;
            const auto questions = chosenQuestions(*run, choice, progress);
            ASSERT_TRUE(questions.has_value());
            const auto hits = static_cast<std::uint64_t>(
                std::count_if(questions->begin(), questions->end(), [](const Question& q) { return q.hit; }));
            const CacheCounters counted = run->totals().level(level);
            if (level == 0) {
                EXPECT_EQ(questions->size(), counted.accesses()) << program;
                EXPECT_EQ(hits, counted.hits()) << program;
            }
            // The other requests to the second level are write-backs.
            const auto misses = questions->size() - hits;
            EXPECT_LE(misses, counted.misses()) << program;
            EXPECT_EQ(questions->size(), level == 0 ? run->trace().size() : run->totals().level(0).misses()) << program;
        }
    }
}

TEST(Quiz, EveryNthIsEveryNthOfThem) {
    const auto run = built(traceOfProgram("matmul:n=4"), *loadMachine("1K/1/32"));
    QuizChoice choice = allOf(*run);
    choice.every = 7;
    choice.count = 5;
    Progress progress;
    const auto questions = chosenQuestions(*run, choice, progress);
    ASSERT_EQ(questions->size(), 5u);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ((*questions)[i].tick.value, 7 * i + 6);
}

/// What the sheet says of a set before the access is enough to answer, whatever else happens on the machine.
TEST(Quiz, AnswersFollowFromTheSheet) {
    std::uint64_t asked = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(150); ++seed) {
        const reference::Case random = reference::randomCase(seed, 200);
        const auto run = built(sitedTrace(random.trace), random.machine);
        QuizChoice choice = allOf(*run);
        choice.every = 1;
        choice.count = run->trace().size();
        for (choice.level = 0; choice.level < random.machine.levels.size(); ++choice.level) {
            Progress progress;
            const auto questions = chosenQuestions(*run, choice, progress);
            ASSERT_TRUE(questions.has_value());
            for (const Question& q : *questions) {
                ++asked;
                const std::vector<std::uint64_t> before = blocksOf(q.before);
                const bool isThere = std::find(before.begin(), before.end(), q.block.value) != before.end();
                ASSERT_EQ(q.hit, isThere) << "seed " << seed << " access " << q.tick.value;
                const bool isFull = before.size() == q.ways;
                ASSERT_EQ(q.victim.has_value(), q.fills && isFull) << "seed " << seed << " access " << q.tick.value;
                if (q.victim && q.asksForVictim()) {
                    ASSERT_EQ(q.victim->value, before.back()) << "seed " << seed << " access " << q.tick.value;
                }
            }
        }
    }
    EXPECT_GT(asked, testRounds(150) * 50);
}

std::vector<std::uint64_t> ticksOf(const std::vector<Question>& questions) {
    std::vector<std::uint64_t> out;
    for (const Question& q : questions) out.push_back(q.tick.value);
    return out;
}

TEST(Quiz, TellingOnesAreAMixThatFollowsFromTheSeed) {
    const auto run = built(traceOfProgram("matmul:n=16"), *loadMachine("1K/2/32, 4K/4/32"));
    QuizChoice choice = allOf(*run);
    std::set<std::vector<std::uint64_t>> seen;
    for (choice.seed = 1; choice.seed <= 5; ++choice.seed) {
        Progress progress;
        const auto questions = chosenQuestions(*run, choice, progress);
        ASSERT_EQ(questions->size(), 10u);
        EXPECT_EQ(ticksOf(*questions), ticksOf(*chosenQuestions(*run, choice, progress)));
        seen.insert(ticksOf(*questions));
        std::set<std::uint64_t> sets;
        std::set<MissKind> kinds;
        std::size_t hits = 0;
        for (const Question& q : *questions) {
            sets.insert(q.fields.set);
            hits += q.hit ? 1 : 0;
            if (q.kind) kinds.insert(*q.kind);
        }
        EXPECT_EQ(hits, 5u);
        EXPECT_GE(kinds.size(), 3u);
        EXPECT_GE(sets.size(), 8u);
        EXPECT_TRUE(std::is_sorted(questions->begin(), questions->end(),
                                   [](const Question& a, const Question& b) { return a.tick < b.tick; }));
    }
    EXPECT_EQ(seen.size(), 5u);
}

/// As many as can be had: of each kind in turn, of the set that was asked about least, by the lowest lot.
TEST(Quiz, ThousandsAreChosenAtOnceAndAsEvenlyAsFew) {
    const auto run = built(traceOfProgram("matmul:n=16"), *loadMachine("1K/2/32, 4K/4/32"));
    QuizChoice choice = allOf(*run);
    choice.count = 4000;
    Progress progress;
    const auto questions = chosenQuestions(*run, choice, progress);
    ASSERT_EQ(questions->size(), 4000u);
    std::set<std::uint64_t> ticks;
    std::map<std::uint64_t, int> ofSet;
    for (const Question& q : *questions) {
        ticks.insert(q.tick.value);
        ++ofSet[q.fields.set];
    }
    EXPECT_EQ(ticks.size(), 4000u) << "none twice";
    const auto [least, most] = std::minmax_element(ofSet.begin(), ofSet.end(),
                                                   [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_LE(most->second - least->second, 1);
    EXPECT_EQ(progress.done(), 4000u);
    EXPECT_EQ(progress.fraction(), 1.0);
}

TEST(Quiz, OnlyTheRangeIsAskedAbout) {
    const auto run = built(traceOfProgram("matmul:n=16"), *loadMachine("1K/2/32"));
    QuizChoice choice = allOf(*run);
    choice.range = {Tick{1000}, Tick{1100}};
    choice.count = 50;
    Progress progress;
    const auto questions = chosenQuestions(*run, choice, progress);
    ASSERT_EQ(questions->size(), 50u);
    for (const Question& q : *questions) EXPECT_TRUE(choice.range.contains(q.tick));
}

/// Each content of a set follows from the one before and the accesses on the sheet alone, by the rules of LRU.
TEST(Quiz, ASequenceCanBePlayedByHand) {
    for (const char* program : {"matmul:n=16", "mergesort:n=64", "conflict", "vecadd:n=64"}) {
        const auto run = built(traceOfProgram(program), *loadMachine("512/2/32, 4K/4/32"));
        QuizChoice choice = allOf(*run);
        choice.count = 12;
        Progress progress;
        const auto sequence = chosenSequence(*run, choice, progress);
        ASSERT_TRUE(sequence.has_value() && !sequence->empty()) << program;
        std::list<std::uint64_t> held;
        for (const SetLine& line : sequence->front().before) held.push_back(line.block.value);
        for (const Question& q : *sequence) {
            EXPECT_EQ(q.fields.set, sequence->front().fields.set);
            EXPECT_EQ(q.cache, sequence->front().cache);
            EXPECT_EQ(blocksOf(q.before), std::vector(held.begin(), held.end())) << program << " " << q.tick.value;
            const auto at = std::find(held.begin(), held.end(), q.block.value);
            EXPECT_EQ(q.hit, at != held.end());
            if (at != held.end()) held.erase(at);
            held.push_front(q.block.value);
            if (held.size() > 2) held.pop_back();
            EXPECT_EQ(blocksOf(q.after), std::vector(held.begin(), held.end())) << program << " " << q.tick.value;
        }
    }
}

TEST(Quiz, TheSequenceHasBothAnswers) {
    const auto run = built(traceOfProgram("matmul:n=16"), *loadMachine("1K/2/32"));
    QuizChoice choice = allOf(*run);
    choice.count = 12;
    Progress progress;
    const auto sequence = chosenSequence(*run, choice, progress);
    ASSERT_EQ(sequence->size(), 12u);
    const auto hits = std::count_if(sequence->begin(), sequence->end(), [](const Question& q) { return q.hit; });
    EXPECT_GE(hits, 4);
    EXPECT_LE(hits, 8);
}

TEST(Quiz, NoQuestionWhereThereIsNone) {
    const auto run =
        built(sitedTrace({{.address = ByteAddress{30}, .size = 4}, {.address = ByteAddress{0}, .size = 4}}),
              *loadMachine("64/1/32, 256/1/32"));
    EXPECT_FALSE(questionAt(*run, 0, Tick{0}).has_value()) << "it straddles two blocks";
    EXPECT_TRUE(questionAt(*run, 0, Tick{1}).has_value());
    EXPECT_FALSE(questionAt(*run, 1, Tick{1}).has_value()) << "the second level is not accessed";
    EXPECT_FALSE(questionAt(*run, 0, Tick{2}).has_value()) << "there is no such access";
    EXPECT_FALSE(questionAt(*run, 2, Tick{1}).has_value()) << "there is no such level";
}

}  // namespace
}  // namespace whorl::sim
