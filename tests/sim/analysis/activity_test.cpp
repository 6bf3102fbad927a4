// What the last accesses did: against the reference simulator, against the contents of the caches access by access, and
// the same however one gets to a time.
#include "sim/analysis/activity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <tuple>
#include <vector>

#include "sim/analysis/history_help.h"
#include "sim/reference/reference.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

auto fieldsOf(const Touch& t) {
    return std::tuple(t.tick, t.address, t.size, t.cpu, t.served, t.write);
}
auto fieldsOf(const CacheTouch& t) {
    return std::tuple(t.tick, t.slot, t.cache, t.hit, t.write);
}
auto fieldsOf(const Replacement& r) {
    return std::tuple(r.tick, r.out, r.in, r.level, r.cache);
}

template <class A, class B>
void expectSameList(const A& a, const B& b, const char* what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(fieldsOf(a[i]), fieldsOf(b[i])) << what << ' ' << i;
}

/// All that an activity can hold, of a whole run and one level's caches, from single steps of the machine. What was in
/// a way is kept here, by what came and left.
class Truth {
  public:
    Truth(const sim::Run& run, std::uint8_t level) : level_(level) {
        std::vector<Access> accesses;
        run.trace().forEach(Tick{0}, Tick{run.trace().size()}, [&](Tick, const Access& a) { accesses.push_back(a); });
        reference::Reference reference(run.machine(), reference::futureOf(run.machine(), accesses));
        Simulator machine = run.stateAt(Tick{0});
        for (std::size_t t = 0; t < accesses.size(); ++t) {
            EventList events;
            machine.step(accesses[t], events);
            const auto happenings = reference.play(accesses[t]);
            for (const Event& e : events) take(Tick{t}, accesses[t], e, machine.machine());
            if (accesses[t].unrecorded) continue;
            touches.push_back(
                {.tick = Tick{t},
                 .address = accesses[t].address,
                 .size = accesses[t].size,
                 .cpu = accesses[t].cpu,
                 .served = isHalf(accesses[t], machine.machine()) ? servedBy(events) : servedBy(happenings),
                 .write = accesses[t].isWrite()});
        }
    }

    std::vector<Touch> touches;
    std::vector<CacheTouch> cacheTouches;
    std::vector<Replacement> replacements;

    template <class T>
    static std::vector<T> within(const std::vector<T>& all, std::uint64_t from, std::uint64_t to) {
        std::vector<T> out;
        for (const T& t : all) {
            if (from <= t.tick.value && t.tick.value < to) out.push_back(t);
        }
        return out;
    }

  private:
    using Way = std::tuple<std::uint8_t, std::uint8_t, std::uint32_t, std::uint32_t>;  // level, cache, set, way
    struct Content {
        BlockAddress block;
        std::optional<Tick> evicted;
    };

    static std::uint8_t servedBy(const std::vector<reference::Happening>& happenings) {
        std::size_t served = 0;
        for (const auto& h : happenings) {
            const bool isMiss = h.what == reference::What::miss;
            if (h.demand && (isMiss || h.what == reference::What::hit)) served = h.level + (isMiss ? 1 : 0);
        }
        return static_cast<std::uint8_t>(served);
    }
    /// Of the write half of a modify that is not counted, the reference tells the misses only.
    static bool isHalf(const Access& a, const MachineConfig& machine) {
        return a.isWrite() && a.modify && machine.conventions.modifyCountsOnce;
    }
    static std::uint8_t servedBy(const EventList& events) {
        std::uint8_t served = 0;
        for (const Event& e : events) {
            if (e.demand && e.kind == EventKind::hit) served = e.level;
            if (e.demand && e.kind == EventKind::miss) served = static_cast<std::uint8_t>(e.level + 1);
        }
        return served;
    }
    void take(Tick tick, const Access& access, const Event& e, const MachineConfig& machine) {
        if (!e.isInCache()) return;
        const Way way{e.level, e.cache, e.set.value, e.way.value};
        if (e.kind == EventKind::eviction) contents_.at(way).evicted = tick;
        const bool isTouch = e.level == level_ && (e.kind == EventKind::hit || e.kind == EventKind::fill);
        if (isTouch && !access.unrecorded) {
            const bool isHit = e.kind == EventKind::hit;
            cacheTouches.push_back({.tick = tick,
                                    .slot = e.set.value * machine.levels[e.level].ways + e.way.value,
                                    .cache = e.cache,
                                    .hit = isHit,
                                    .write = isHit ? e.write : access.isWrite()});
        }
        if (e.kind != EventKind::fill) return;
        const auto before = contents_.find(way);
        if (before != contents_.end() && before->second.evicted == tick && !access.unrecorded) {
            replacements.push_back(
                {.tick = tick, .out = before->second.block, .in = e.block, .level = e.level, .cache = e.cache});
        }
        contents_[way] = {e.block, std::nullopt};
    }

    std::uint8_t level_;
    std::map<Way, Content> contents_;
};

std::uint8_t levelOf(const sim::Run& run, std::uint64_t seed) {
    return static_cast<std::uint8_t>(seed % run.machine().levels.size());
}

void expectTrue(const Activity& activity, const Truth& truth, const sim::Run& run, double t,
                const ActivityRequest& request) {
    const auto size = static_cast<double>(run.trace().size());
    const auto to = static_cast<std::uint64_t>(std::ceil(std::clamp(t, 0.0, size)));
    const std::uint64_t from = to > request.lookback ? to - request.lookback : 0;
    EXPECT_EQ(activity.begun().value, to);
    EXPECT_EQ(activity.from.value, from);
    expectSameList(activity.touches, Truth::within(truth.touches, from, to), "touch");
    expectSameList(activity.replacements, Truth::within(truth.replacements, from, to), "replacement");
    const auto inCaches = request.cacheLevel ? Truth::within(truth.cacheTouches, from, to) : std::vector<CacheTouch>();
    expectSameList(activity.cacheTouches, inCaches, "touch of a cell");
    EXPECT_TRUE(activity.now == run.stateAt(Tick{to})) << "the machine at " << t;
}

/// Any order of times, forward by little and much, and back, with any lookback, with and without a level.
TEST(Activity, IsWhatHappenedHoweverOneGetsThere) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const RandomRun random(seed, 200);
        const sim::Run& run = *random.run;
        const std::uint8_t level = levelOf(run, seed);
        const Truth truth(run, level);
        ActivityReader reader(random.run);
        EXPECT_EQ(reader.last(), nullptr);
        std::mt19937_64 dice(seed);
        double t = 0;
        for (int i = 0; i < 40; ++i) {
            const bool isFar = dice() % 4 == 0;
            const auto by = static_cast<double>(dice() % (isFar ? 400 : 8)) - (isFar ? 200 : 2);
            t = std::clamp(t + by + static_cast<double>(dice() % 4) / 4, -3.0, 210.0);
            ActivityRequest request{.lookback = dice() % 3 == 0 ? dice() % 300 : 25, .cacheLevel = {}};
            if (dice() % 3 != 0) request.cacheLevel = level;
            const Activity& activity = reader.at(t, request);
            expectTrue(activity, truth, run, t, request);
            EXPECT_EQ(reader.last(), &activity);
            ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", call " << i << ", t " << t;
        }
    }
}

/// So that the laws above are about something.
TEST(Activity, OfRandomMachinesHasEverything) {
    std::uint64_t hits = 0;
    std::uint64_t fills = 0;
    std::uint64_t replacements = 0;
    std::uint64_t fromMemory = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const RandomRun random(seed, 200);
        const Truth truth(*random.run, levelOf(*random.run, seed));
        replacements += truth.replacements.size();
        for (const CacheTouch& t : truth.cacheTouches) ++(t.hit ? hits : fills);
        for (const Touch& t : truth.touches) fromMemory += t.served == random.run->machine().levels.size() ? 1 : 0;
    }
    EXPECT_GT(hits, 500u);
    EXPECT_GT(fills, 500u);
    EXPECT_GT(replacements, 200u);
    EXPECT_GT(fromMemory, 200u);
}

/// Beyond the distance over which it plays on, and across checkpoints.
TEST(Activity, OfALongRunIsTheSameFromAfar) {
    const auto run = test::built(test::traceOfProgram("mergesort:n=20000"), *parseGeometry("4K/2/64, 64K/4/64"));
    const auto size = static_cast<double>(run->trace().size());
    ActivityReader any(run);
    const ActivityRequest request{.lookback = 3000, .cacheLevel = std::uint8_t{1}};
    for (const double share : {0.0, 0.001, 0.002, 0.9, 0.9001, 0.4, 0.5, 0.4999, 1.0, 1.0}) {
        const double t = std::floor(share * size) + 0.25;
        const Activity& here = any.at(t, request);
        ActivityReader fresh(run);
        const Activity& there = fresh.at(t, request);
        EXPECT_EQ(here.from, there.from);
        EXPECT_TRUE(here.now == there.now);
        expectSameList(here.touches, there.touches, "touch");
        expectSameList(here.cacheTouches, there.cacheTouches, "touch of a cell");
        expectSameList(here.replacements, there.replacements, "replacement");
        ASSERT_FALSE(testing::Test::HasFailure()) << "at " << t;
    }
}

TEST(Activity, BeforeTheFirstAccessIsEmpty) {
    const auto run = test::built(test::traceOfProgram("matmul:n=4"), *parseGeometry("512/1/16"));
    ActivityReader reader(run);
    for (const double t : {0.0, -1.0}) {
        const Activity& none = reader.at(t, {.lookback = 10, .cacheLevel = std::uint8_t{0}});
        EXPECT_EQ(none.begun(), Tick{0});
        EXPECT_TRUE(none.touches.empty() && none.cacheTouches.empty() && none.replacements.empty());
    }
    // An access has begun as soon as the playhead is past its tick; without a lookback there is only the machine.
    EXPECT_EQ(reader.at(0.001, {.lookback = 10, .cacheLevel = {}}).touches.size(), 1u);
    EXPECT_TRUE(reader.at(5, {.lookback = 0, .cacheLevel = {}}).touches.empty());
    EXPECT_EQ(reader.last()->begun(), Tick{5});
}

/// Whatever sizes a trace can have, up to the last byte of the address space.
TEST(Activity, KeepsTheSizesOfAccesses) {
    TraceBuilder b("sizes");
    const std::vector<std::uint32_t> sizes{1, 255, 65535, 65536, 65537, kMaxAccessSize};
    for (const std::uint32_t size : sizes) b.add(test::access(Op::read, 0x1000, size));
    b.add(test::access(Op::write, ~std::uint64_t{0}, 1));
    const auto run = test::built(b, *parseGeometry("512/2/16"));
    ActivityReader reader(run);
    const Activity& activity = reader.at(99, {.lookback = 99, .cacheLevel = {}});
    ASSERT_EQ(activity.touches.size(), sizes.size() + 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(activity.touches[i].size, sizes[i]);
    EXPECT_EQ(activity.touches.back().address.value, ~std::uint64_t{0});
}

TEST(Decay, HalvesEveryHalfLifeAndEndsAfterTen) {
    for (const double halfLife : {1.0, 3.5, 200.0, 1e6}) {
        for (double halves = 0; halves < 10; halves += 0.125) {
            const double expected = std::pow(2.0, -halves);
            EXPECT_NEAR(decayed(halves * halfLife, halfLife), expected, 1e-6 * expected) << halves;
        }
        EXPECT_GT(decayed(9.999 * halfLife, halfLife), 0);
        EXPECT_EQ(decayed(10 * halfLife, halfLife), 0);
        EXPECT_EQ(decayed(1e9 * halfLife, halfLife), 0);
    }
}

/// What is farther back than the reach has no weight, and the reach is not longer than that.
TEST(Decay, HasTheReachThatItsWeightHas) {
    for (const double halfLife : {0.5, 1.0, 1.25, 37.77, 200.0, 99999.5}) {
        const auto reach = static_cast<double>(reachOf(halfLife));
        EXPECT_EQ(decayed(reach, halfLife), 0);
        EXPECT_GT(decayed(reach - 1, halfLife), 0);
    }
}

}  // namespace
}  // namespace whorl::sim
