// Lives of objects: two CPUs by hand, and on random runs their exact laws, against the history of the place and against
// the episodes of each block counted one by one.
#include "sim/analysis/object_life.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>

#include "sim/analysis/history_help.h"
#include "sim/analysis/place_history.h"
#include "sim/report/json.h"
#include "sim/report/place_tables.h"
#include "sim/trace/source_lines.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

std::shared_ptr<const ObjectLife> lifeOf(const sim::Run& run, const LifeSubject& subject,
                                         std::size_t most = ObjectLife::kMaxNodes) {
    Progress progress;
    return objectLifeOf(run, subject, progress, most);
}

/// Two CPUs with a cache of their own, memory 50 cycles away, write an object in turns: f on CPU 0, g on CPU 1.
///   tick  CPU                        cycles
///   0     0   f writes               1 + 50   from memory
///   1     1   g writes               1 + 50   taken from CPU 0
///   2     1   g reads                1
///   3     0   f writes               1 + 50   taken from CPU 1
///   4     1   g writes, +4           1 + 50   taken from CPU 0
///   5     0   h reads another block  (not in the object)
///   6     0   h reads, when the object is no longer
class PingPong : public testing::Test {
  protected:
    PingPong() {
        TraceBuilder b("ping-pong");
        std::array<SiteId, 3> sites;
        for (std::uint32_t i = 0; i < sites.size(); ++i) {
            sites[i] = b.site("p.c", i + 1);
            b.locate(sites[i], "p.c", i + 1, std::string(1, static_cast<char>('f' + i)));
        }
        b.newObject(test::object("ball", 0x1000, 8));
        b.add(test::access(Op::write, 0x1000, 4, 0, sites[0]));
        b.add(test::access(Op::write, 0x1000, 4, 1, sites[1]));
        b.add(test::access(Op::read, 0x1000, 4, 1, sites[1]));
        b.add(test::access(Op::write, 0x1000, 4, 0, sites[0]));
        b.add(test::access(Op::write, 0x1004, 4, 1, sites[1]));
        b.add(test::access(Op::read, 0x2000, 4, 0, sites[2]));
        b.deleteObject(ByteAddress{0x1000});
        b.add(test::access(Op::read, 0x1000, 4, 0, sites[2]));
        MachineConfig machine = withCpus(parseGeometry("1K/2/32").value(), 2);
        machine.levels[0].sharedBy = 1;
        machine.levels[0].latency = 1;
        machine.memoryLatency = 50;
        machine.upgradeLatency = 0;
        machine.writebackLatency = 0;
        run_ = test::built(b, machine);
        const Place place{.from = ByteAddress{0x1000}, .bytes = 8};
        life_ = lifeOf(*run_, lifeSubjectOf(place, run_->trace(), {Tick{0}, Tick{7}}));
    }
    LifeWords words() const { return {*life_, run_->trace(), run_->machine()}; }

    std::shared_ptr<const sim::Run> run_;
    std::shared_ptr<const ObjectLife> life_;
};

TEST_F(PingPong, HasTheNodesAndMovesThatWereWorkedOutByHand) {
    EXPECT_EQ(life_->subject.range, (Range{Tick{0}, Tick{6}})) << "the lifetime of the object";
    ASSERT_EQ(life_->nodes.size(), 2u);
    const LifeNode& f = life_->nodes[0];
    const LifeNode& g = life_->nodes[1];
    EXPECT_EQ(words().node(0), "f on CPU 0");
    EXPECT_EQ(words().node(1), "g on CPU 1");
    EXPECT_EQ(std::tuple(f.accesses, f.writes, f.cycles, f.episodes, f.begins, f.ends), std::tuple(2, 2, 102, 2, 1, 0));
    EXPECT_EQ(std::tuple(g.accesses, g.writes, g.cycles, g.episodes, g.begins, g.ends), std::tuple(3, 2, 103, 2, 0, 1));
    EXPECT_EQ(f.taken, (LifeFetches{1, 50}));
    EXPECT_EQ(f.fetched, (LifeFetches{1, 50}));
    EXPECT_EQ(g.taken, (LifeFetches{2, 100}));
    EXPECT_EQ(g.fetched, (LifeFetches{}));
    // CPU 0 has written the first word in turns with CPU 1, and never the second.
    EXPECT_EQ(f.falseShared, (LifeFetches{}));
    EXPECT_EQ(g.falseShared, (LifeFetches{1, 50}));
    EXPECT_EQ(std::pair(f.first, f.last), std::pair(Tick{0}, Tick{3}));
    ASSERT_EQ(life_->edges.size(), 2u);
    const LifeEdge& there = life_->edges[0];
    const LifeEdge& back = life_->edges[1];
    EXPECT_EQ(std::tuple(there.from, there.to, there.count), std::tuple(0u, 1u, 2u));
    EXPECT_EQ(there.taken, (LifeFetches{2, 100}));
    EXPECT_EQ(std::tuple(back.from, back.to, back.count), std::tuple(1u, 0u, 1u));
    EXPECT_EQ(back.taken, (LifeFetches{1, 50}));
}

TEST_F(PingPong, IsToldAsAStory) {
    EXPECT_EQ(
        lifeDocument(life_, run_).text(10),
        "ball: 8 bytes, 1 block of 32 bytes touched, accesses 0 to 6\n"
        "  created at access 0, of class Node; first touched by f on CPU 0 at access 0\n"
        "  f (p.c:1)\n"
        "    CPU 0: 0 reads, 2 writes, 102 cycles; 1 access took a block from another CPU: 50 cycles; 1 access was "
        "served from farther levels: 50 cycles; the first to touch 1 block; 2 episodes, from access 0 to 3\n"
        "  then g (p.c:2)\n"
        "    CPU 1: 1 read, 2 writes, 103 cycles; 2 accesses took a block from another CPU: 100 cycles; 1 access "
        "missed by "
        "false sharing, as no other CPU had written what it used: 50 cycles; the last to touch 1 block; 2 episodes, "
        "from access 1 to 4\n"
        "  last touched by g on CPU 1 at access 4; ended at access 6\n"
        "Together: 5 accesses, 205 cycles: look-ups 5, taken from other CPUs 150, farther levels 50; of these by false "
        "sharing 50.\n"
        "\n"
        "Moves of blocks, the most frequent first:\n"
        "  f on CPU 0 -> g on CPU 1: 2 moves of blocks; 2 taken from another CPU: 100 cycles\n"
        "  g on CPU 1 -> f on CPU 0: 1 move of a block; 1 taken from another CPU: 50 cycles\n");
    EXPECT_NE(jsonText(lifeDocument(life_, run_).json()).find("\"taken_cycles\": 100"), std::string::npos);
}

TEST_F(PingPong, IsEmptyWhereNothingTouchedIt) {
    const auto none = lifeOf(*run_, {ByteAddress{0x5000}, 64, {Tick{0}, Tick{7}}});
    EXPECT_TRUE(none->nodes.empty());
    EXPECT_NE(lifeDocument(none, run_).text(10).find("Nothing touched it"), std::string::npos);
}

LifeSubject someSubject(const RandomRun& random, std::mt19937_64& dice) {
    const CursorLoan loan(random.run->trace());
    const Access near = loan.cursor().at(Tick{dice() % random.run->trace().size()});
    const std::uint64_t from = near.address.value - std::min(near.address.value, dice() % 200);
    const std::uint64_t most = ~std::uint64_t{0} - from;
    return {ByteAddress{from}, std::min<std::uint64_t>(dice() % 900, most) + 1, random.range};
}

/// The laws of a life, with or without others; `history` is that of the same memory.
void expectLaws(const ObjectLife& life, const PlaceHistory& history, const MachineConfig& machine) {
    std::uint64_t accesses = 0;
    std::uint64_t writes = 0;
    Cycles cycles = 0;
    for (const PlaceAccess& a : history.accesses) {
        accesses += a.counts ? 1 : 0;
        writes += a.counts && a.write ? 1 : 0;
        cycles += a.penalty + (a.counts ? machine.lookUp() : 0);
    }
    EXPECT_EQ(life.accesses(), accesses);
    EXPECT_EQ(life.cycles(), cycles);
    std::vector<std::uint64_t> begun(life.nodes.size());
    std::vector<LifeFetches> taken(life.nodes.size());
    for (const LifeEdge& e : life.edges) {
        ASSERT_NE(e.from, e.to);
        begun[e.to] += e.count;
        taken[e.to] += e.taken;
    }
    std::uint64_t written = 0;
    std::uint64_t begins = 0;
    std::uint64_t ends = 0;
    for (std::size_t n = 0; n < life.nodes.size(); ++n) {
        const LifeNode& node = life.nodes[n];
        EXPECT_EQ(begun[n] + node.begins, node.episodes);
        EXPECT_LE(taken[n].count, node.taken.count);
        EXPECT_LE(taken[n].cycles, node.taken.cycles);
        EXPECT_LE(node.falseShared.cycles, node.taken.cycles + node.fetched.cycles);
        EXPECT_LE(node.first, node.last);
        EXPECT_EQ(std::accumulate(node.when.begin(), node.when.end(), std::uint64_t{0}), node.accesses);
        begins += node.begins;
        ends += node.ends;
        written += node.writes;
    }
    EXPECT_EQ(written, writes);
    EXPECT_EQ(begins, life.blocks);
    EXPECT_EQ(ends, life.blocks);
    // What was not at hand costs all that is beyond the look-ups.
    Cycles penalties = 0;
    for (const PlaceAccess& a : history.accesses) penalties += a.penalty;
    EXPECT_EQ(life.taken().cycles + life.fetched().cycles, penalties);
}

/// Moves between lines on CPUs, by names, counted block by block.
std::map<std::pair<std::string, std::string>, std::uint64_t> movesByHand(const PlaceHistory& history,
                                                                         const LifeSubject& subject, const Trace& trace,
                                                                         std::uint64_t block) {
    std::map<std::pair<std::string, std::string>, std::uint64_t> moves;
    std::map<std::uint64_t, std::string> last;
    for (const PlaceAccess& a : history.accesses) {
        const std::string who = siteName(trace, trace.site(a.site)) + " by " + std::to_string(a.cpu);
        std::map<std::uint64_t, bool> seen;
        const std::uint64_t end = std::min(subject.from.value + (subject.bytes - 1), a.address.value + (a.size - 1));
        const std::uint64_t first = std::max(subject.from.value, a.address.value);
        for (std::uint64_t in = 0; in <= end - first; ++in) {
            const std::uint64_t at = first + in;
            if (std::exchange(seen[at / block], true)) continue;
            std::string& before = last[at / block];
            if (!before.empty() && before != who) ++moves[{before, who}];
            before = who;
        }
    }
    return moves;
}

TEST(ObjectLife, KeepsItsLawsOnRandomRuns) {
    for (std::uint64_t seed = 1; seed <= testRounds(150); ++seed) {
        SCOPED_TRACE(seed);
        const RandomRun random(seed);
        const Trace& trace = random.run->trace();
        std::mt19937_64 dice(seed);
        const LifeSubject subject = someSubject(random, dice);
        Progress progress;
        const auto history =
            placeHistoryOf(*random.run, {.from = subject.from, .bytes = subject.bytes}, subject.range, progress);
        const auto all = lifeOf(*random.run, subject, 100000);
        expectLaws(*all, *history, random.run->machine());
        std::map<std::pair<std::string, std::string>, std::uint64_t> moves;
        const auto who = [&](std::uint32_t n) {
            return all->codes[all->nodes[n].code].name + " by " + std::to_string(all->nodes[n].cpu);
        };
        for (const LifeEdge& e : all->edges) moves[{who(e.from), who(e.to)}] = e.count;
        EXPECT_EQ(moves, movesByHand(*history, subject, trace, random.run->machine().blockBytes()));

        const std::size_t most = 2 + dice() % 12;
        const auto folded = lifeOf(*random.run, subject, most);
        expectLaws(*folded, *history, random.run->machine());
        EXPECT_LE(folded->nodes.size(), std::max<std::size_t>(most, 2 * random.run->machine().cpus));
        std::uint32_t codes = 0;
        for (const LifeCode& code : folded->codes) codes += std::max<std::uint32_t>(1, code.others);
        EXPECT_EQ(codes, all->codes.size());
        if (testing::Test::HasFailure()) return;
    }
}

TEST(ObjectLife, IsNoLifeWhenCancelled) {
    const RandomRun random(2);
    Progress progress;
    progress.cancel();
    EXPECT_EQ(objectLifeOf(*random.run, {ByteAddress{0}, 64, random.range}, progress), nullptr);
}

}  // namespace
}  // namespace whorl::sim
