// Collisions computed by hand, and against the ledger's conflicts.
#include "sim/analysis/collisions.h"

#include <map>
#include "support/json.h"

#include "sim/analysis/history_help.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/history_tables.h"
#include "sim/report/json.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using Counted = std::map<std::tuple<std::size_t, std::string, std::string>, std::uint64_t>;

template <class Name>
Counted countedBy(const Conflicts& conflicts, Name&& name) {
    Counted out;
    for (const auto& [c, count] : conflicts) {
        if (count > 0) out[{c.level, name(c.evictor), name(c.victim)}] += count;
    }
    return out;
}

Counted counted(const Collisions& collisions) {
    Counted out;
    for (const Collision& c : collisions.cells) {
        out[{c.level, collisions.names[c.evictor], collisions.names[c.victim]}] += c.count();
        EXPECT_TRUE(std::is_sorted(c.moments.begin(), c.moments.end()));
    }
    return out;
}

/// The evictions by counted accesses of a range, event by event.
Counted evictionsByObject(const test::RandomRun& random) {
    const Trace& trace = random.run->trace();
    const MachineConfig& machine = random.run->machine();
    const auto name = [&](ByteAddress address, Tick t) {
        const Object* const object = trace.objectAt(address, t);
        return object == nullptr ? std::string("(no object)") : object->name;
    };
    Counted out;
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            if (access.unrecorded() || t < random.range.from) return;
            for (const Event& e : events) {
                if (e.kind != EventKind::eviction) continue;
                const ByteAddress victim{e.block.value * machine.levels[e.level].block};
                ++out[{e.level, name(access.address(), t), name(victim, t)}];
            }
        });
    });
    Progress progress;
    Simulator simulator(machine, futureOf(machine, trace, progress).value());
    EXPECT_TRUE(replay(trace, simulator, {Tick{0}, random.range.to}, observer, progress));
    return out;
}

TEST(Collisions, AreTheConflictsOfTheLedger) {
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const test::RandomRun random(seed);
        const Trace& trace = random.run->trace();
        Progress progress;
        const auto measures = random.run->between(random.range, progress);
        const auto history = random.history();
        EXPECT_EQ(counted(collisionsOf(*history, trace, CollisionsOf::region)),
                  countedBy(measures->ledger->regionConflicts,
                            [&](std::uint32_t r) {
                                return r < trace.regions().size() ? trace.regions()[r].name : "(no region)";
                            }))
            << "seed " << seed;
        EXPECT_EQ(counted(collisionsOf(*history, trace, CollisionsOf::object)), evictionsByObject(random))
            << "seed " << seed;
    }
}

/// What `whorl collisions` lists of the nearest level, in its order, without the names.
std::vector<std::uint64_t> nearestCounts(const Collisions& collisions) {
    std::vector<std::uint64_t> out;
    for (const Collision& c : collisions.cells) {
        if (c.level == 0) out.push_back(c.count());
    }
    return out;
}

TEST(EvictionPairs, AreTheCollisionsInTheirOrder) {
    std::size_t selfEvictions = 0;
    for (std::uint64_t seed = 0; seed < testRounds(80); ++seed) {
        const test::RandomRun random(seed);
        Progress progress;
        const auto measures = random.run->between(random.range, progress);
        const Collisions collisions = collisionsOf(*random.history(), random.run->trace(), CollisionsOf::region);
        const std::size_t levels = random.run->machine().levels.size();
        std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::uint64_t> expected;
        for (const Collision& c : collisions.cells) {
            expected[{c.level, collisions.things[c.evictor], collisions.things[c.victim]}] += c.count();
        }
        std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::uint64_t> shown;
        std::vector<std::uint64_t> nearest;
        for (const EvictionPair& pair : evictionPairs(measures->ledger->regionConflicts, levels)) {
            ASSERT_EQ(pair.evictions.size(), levels);
            for (std::size_t l = 0; l < levels; ++l) {
                if (pair.evictions[l] > 0) shown[{l, pair.evictor, pair.victim}] += pair.evictions[l];
            }
            if (pair.evictions[0] > 0) nearest.push_back(pair.evictions[0]);
            selfEvictions += pair.evictor == pair.victim ? 1 : 0;
        }
        EXPECT_EQ(shown, expected) << "seed " << seed;
        EXPECT_EQ(nearest, nearestCounts(collisions)) << "seed " << seed;
    }
    EXPECT_GT(selfEvictions, 0u);
}

TEST(EvictionPairs, AreOrderedFromTheNearestLevelOutward) {
    // Level, evictor, victim.
    const Conflicts conflicts{{{0, 0, 1}, 8},  {{0, 1, 1}, 32}, {{1, 0, 1}, 2},
                              {{1, 1, 0}, 90}, {{0, 2, 1}, 8},  {{1, 2, 1}, 3}};
    EXPECT_EQ(evictionPairs(conflicts, 2),
              (std::vector<EvictionPair>{{1, 1, {32, 0}}, {2, 1, {8, 3}}, {0, 1, {8, 2}}, {1, 0, {0, 90}}}));
    EXPECT_TRUE(evictionPairs({}, 2).empty());
}

/// A direct-mapped cache of two blocks of 32 bytes.
class CollisionsByHand : public testing::Test {
  protected:
    CollisionsByHand() {
        TraceBuilder b("hand");
        b.addRegion(test::region("A", 0x1000, 64));
        b.addRegion(test::region("B", 0x2000, 64));
        b.newObject(test::object("n1", 0x3000, 32));
        for (const std::uint64_t a : {0x1000, 0x2000, 0x1000, 0x2000, 0x3000, 0x1020, 0x2020}) {
            b.add(test::access(Op::read, a, 4));
        }
        trace_ = test::shared(b);
        history_ = test::historyOfAll(*test::built(trace_, parseGeometry("64/1/32").value()));
    }
    std::shared_ptr<const Trace> trace_;
    std::shared_ptr<const History> history_;
};

TEST_F(CollisionsByHand, HaveTheirMoments) {
    const Collisions c = collisionsOf(*history_, *trace_, CollisionsOf::className);
    EXPECT_EQ(tableAsCsv(collisionPairs(c, *history_, 0)),
              "level,culprit,victim,evictions,moments\nL1,B,A,3,\"1, 3, 6\"\nL1,A,B,1,2\nL1,Node,B,1,4\n");
    const test::Json json(jsonText(collisionDocument(c, history_, std::nullopt).json()));
    EXPECT_EQ(json["pairs"][0].dump(), R"({"culprit":"B","evictions":3,"level":"L1","moments":[1,3,6],"victim":"A"})");
    EXPECT_EQ(json["left_out"], 0);
}

TEST_F(CollisionsByHand, MakeAMatrix) {
    const Collisions c = collisionsOf(*history_, *trace_, CollisionsOf::className);
    EXPECT_EQ(tableAsCsv(collisionMatrix(c, *history_, 0, 9)), "culprit,A,B,in_all\nB,3,,3\nA,,1,1\nNode,,1,1\n");
    EXPECT_EQ(tableAsCsv(collisionMatrix(c, *history_, 0, 1)), "culprit,A,others,in_all\nB,3,0,3\nA,,1,1\nNode,,1,1\n");
}

TEST_F(CollisionsByHand, SumUpByEitherSide) {
    const Collisions c = collisionsOf(*history_, *trace_, CollisionsOf::region);
    const auto named = [&](std::uint32_t Collision::*side) {
        std::vector<std::pair<std::string, std::uint64_t>> out;
        for (const CollisionSum& sum : collisionSums(c, 0, side)) out.emplace_back(c.names[sum.name], sum.count);
        return out;
    };
    using Sums = std::vector<std::pair<std::string, std::uint64_t>>;
    EXPECT_EQ(named(&Collision::evictor), (Sums{{"B", 3}, {"A", 1}, {"n1", 1}}));
    EXPECT_EQ(named(&Collision::victim), (Sums{{"A", 3}, {"B", 2}}));
    EXPECT_TRUE(collisionSums(c, 1, &Collision::victim).empty());
}

TEST_F(CollisionsByHand, KnowTheirRegionsAndObjects) {
    const Collisions regions = collisionsOf(*history_, *trace_, CollisionsOf::region);
    ASSERT_EQ(regions.things.size(), regions.names.size());
    for (std::size_t i = 0; i < regions.names.size(); ++i) {
        const std::size_t r = regions.things[i];
        EXPECT_EQ(regions.names[i], r < trace_->regions().size() ? trace_->regions()[r].name : "(no region)");
    }
    const Collisions objects = collisionsOf(*history_, *trace_, CollisionsOf::object);
    ASSERT_EQ(objects.things.size(), objects.names.size());
    for (std::size_t i = 0; i < objects.names.size(); ++i) {
        EXPECT_EQ(objects.names[i], objects.things[i] == 0 ? "n1" : "(no object)");
    }
    EXPECT_TRUE(collisionsOf(*history_, *trace_, CollisionsOf::className).things.empty());
}

TEST(CollisionsOf, GoesByItsName) {
    EXPECT_EQ(collisionsNamed("class"), CollisionsOf::className);
    EXPECT_EQ(collisionsNamed("line"), std::nullopt);
}

}  // namespace
}  // namespace whorl::sim
