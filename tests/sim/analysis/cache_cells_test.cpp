// Tables of cells of caches: against the events of the accesses, one by one, and against the ledger.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/sampled_replay.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::RandomRun;

/// Cache, set, and way; ~0 for what filled none.
using CellKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
constexpr std::uint32_t kUnplaced = ~std::uint32_t{0};

std::map<CellKey, CacheCellSums> scaled(std::map<CellKey, CacheCellSums> sums) {
    std::erase_if(sums, [](const auto& of) { return of.second == CacheCellSums{}; });
    return sums;
}

/// What happens in the caches of a level, access by access.
class NaiveCacheCells {
  public:
    NaiveCacheCells(const sim::Run& run, Range range, std::size_t level) : machine_(run.machine()), level_(level) {
        Simulator state = run.stateAt(range.from);
        for (std::uint32_t c = 0; c < machine_.caches(level); ++c) {
            const Cache& cache = state.hierarchy().cache(level, c);
            for (std::uint32_t s = 0; s < cache.sets(); ++s) {
                for (const Line& line : cache.lines(SetIndex{s})) {
                    if (!line.valid) continue;
                    lived({c, s, wayOf(cache, s, line.block)}, line.block);
                }
            }
        }
        run.trace().forEach(range.from, range.to, [&](Tick, const Access& a) {
            const Cycles before = state.clock(a.cpu);
            EventList events;
            state.step(a, events);
            take(a, {events.begin(), events.end()}, state.clock(a.cpu) - before);
        });
        for (const auto& [cell, blocks] : blocks_) sums_[cell].distinctBlocks = blocks.size();
    }
    std::map<CellKey, CacheCellSums> sums() const { return scaled(sums_); }
    std::size_t blocksInSet(std::uint32_t cache, std::uint32_t set) const {
        std::set<std::uint64_t> all;
        for (const auto& [cell, blocks] : blocks_) {
            if (std::get<0>(cell) == cache && std::get<1>(cell) == set) all.insert(blocks.begin(), blocks.end());
        }
        return all.size();
    }

  private:
    static std::uint32_t wayOf(const Cache& cache, std::uint32_t set, BlockAddress block) {
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            if (cache.isValid(SetIndex{set}, WayIndex{w}) && cache.blockIn(SetIndex{set}, WayIndex{w}) == block)
                return w;
        }
        return kUnplaced;
    }
    void lived(CellKey cell, BlockAddress block) { blocks_[cell].insert(block.value); }
    /// The fill after a miss of the same block in the same cache, unless the block is missed or prefetched before.
    static const Event* fillOf(const std::vector<Event>& events, std::size_t miss) {
        for (std::size_t i = miss + 1; i < events.size(); ++i) {
            const Event& e = events[i];
            const Event& m = events[miss];
            if (e.level != m.level || e.cache != m.cache || e.block != m.block) continue;
            if (e.kind == EventKind::fill) return &e;
            if (e.kind == EventKind::miss || e.kind == EventKind::prefetch) return nullptr;
        }
        return nullptr;
    }
    /// By convention a straddling access counts by the first of its blocks that misses, or else the first.
    bool counts(const std::vector<Event>& events, std::size_t i) const {
        if (events[i].half) return false;
        if (!machine_.conventions.straddleCountsOnce || !events[i].demand) return true;
        std::optional<std::size_t> counted;
        for (std::size_t j = 0; j < events.size(); ++j) {
            const Event& e = events[j];
            if (e.level != level_ || !e.demand || e.half) continue;
            if (e.kind == EventKind::miss) return i == j;
            if (e.kind == EventKind::hit && !counted) counted = j;
        }
        return counted == i;
    }
    void take(const Access& a, const std::vector<Event>& events, Cycles cost) {
        const bool isExclusive = machine_.levels[level_].inclusion == Inclusion::exclusive;
        bool isCharged = false;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const Event& e = events[i];
            if (e.level != level_ || e.kind == EventKind::tlbMiss || e.kind == EventKind::memory) continue;
            const CellKey here{e.cache, e.set.value, e.way.value};
            if (e.kind == EventKind::fill) lived(here, e.block);
            if (a.unrecorded) continue;
            if (e.kind == EventKind::hit && counts(events, i)) ++sums_[here].hits;
            if (e.kind == EventKind::eviction) ++sums_[here].evictions;
            if (e.kind == EventKind::writeback) ++sums_[here].writebacks;
            if (e.kind != EventKind::miss || !counts(events, i)) continue;
            const Event* const fill = isExclusive ? nullptr : fillOf(events, i);
            CacheCellSums& sums = sums_[{e.cache, e.set.value, fill == nullptr ? kUnplaced : fill->way.value}];
            ++sums.misses;
            if (e.demand && !isCharged) {
                isCharged = true;
                const std::uint64_t counts = a.modify && machine_.conventions.modifyCountsOnce ? 0 : 1;
                sums.penalty += cost - counts * machine_.levels[0].latency;
            }
        }
    }

    const MachineConfig& machine_;
    std::size_t level_;
    std::map<CellKey, CacheCellSums> sums_;
    std::map<CellKey, std::set<std::uint64_t>> blocks_;
};

std::map<CellKey, CacheCellSums> sumsOf(const CacheCellTable& table) {
    std::map<CellKey, CacheCellSums> sums;
    for (std::uint32_t c = 0; c < table.caches(); ++c) {
        for (std::uint32_t s = 0; s < table.sets(); ++s) {
            for (std::uint32_t w = 0; w < table.ways(); ++w) sums[{c, s, w}] = table.at(c, SetIndex{s}, WayIndex{w});
            sums[{c, s, kUnplaced}] = table.unplaced(c, SetIndex{s});
        }
    }
    return scaled(sums);
}

std::string inWords(const std::map<CellKey, CacheCellSums>& sums) {
    std::string out;
    for (const auto& [cell, s] : sums) {
        out += std::to_string(std::get<0>(cell)) + ':' + std::to_string(std::get<1>(cell)) + ':' +
               std::to_string(static_cast<std::int32_t>(std::get<2>(cell)));
        for (const std::uint64_t n : {s.hits, s.misses, s.evictions, s.writebacks, s.distinctBlocks, s.penalty}) {
            out += ' ' + std::to_string(n);
        }
        out += '\n';
    }
    return out;
}

TEST(CacheCells, AreSummedUpAccessByAccess) {
    for (std::uint64_t seed = 0; seed < testRounds(250); ++seed) {
        const RandomRun random(seed);
        for (std::size_t l = 0; l < random.run->machine().levels.size(); ++l) {
            Progress progress;
            const auto table = cacheCellsOf(*random.run, {.range = random.range, .level = l}, progress);
            const NaiveCacheCells naive(*random.run, random.range, l);
            ASSERT_EQ(inWords(sumsOf(*table)), inWords(naive.sums())) << "seed " << seed << ", level " << l;
            for (std::uint32_t c = 0; c < table->caches(); ++c) {
                for (std::uint32_t s = 0; s < table->sets(); ++s) {
                    ASSERT_EQ(table->ofSet(c, SetIndex{s}).distinctBlocks, naive.blocksInSet(c, s)) << "seed " << seed;
                }
            }
        }
    }
}

void expectLedger(const sim::Run& run, Range range) {
    Progress progress;
    const auto measures = run.between(range, progress);
    const MachineConfig& machine = run.machine();
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const auto table = cacheCellsOf(run, {.range = range, .level = l}, progress);
        for (std::uint32_t c = 0; c < table->caches(); ++c) {
            std::uint64_t writebacks = 0;
            for (std::uint32_t s = 0; s < table->sets(); ++s) {
                const SetTally& tally = measures->ledger->sets[machine.firstCache(l) + c][s];
                std::uint64_t misses = 0;
                for (const std::uint64_t n : tally.misses) misses += n;
                const CacheCellSums sums = table->ofSet(c, SetIndex{s});
                ASSERT_EQ(sums.requests(), tally.requests);
                ASSERT_EQ(sums.misses, misses);
                ASSERT_EQ(sums.evictions, tally.evictions);
                writebacks += sums.writebacks;
            }
            ASSERT_EQ(writebacks, measures->counters.cache(l, c).writebacks);
        }
    }
}

TEST(CacheCells, OfASetAreThoseOfTheLedger) {
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const RandomRun random(seed);
        expectLedger(*random.run, random.range);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    for (const char* const machine : {"1K/2/32, 8K/4/64", "paper"}) {
        const auto run = test::built(test::traceOfProgram("mergesort:n=3000"), *loadMachine(machine));
        expectLedger(*run, {Tick{1000}, Tick{run->trace().size() - 5}});
    }
}

TEST(CacheCells, AreEstimatedFromASample) {
    const auto run = test::built(test::traceOfProgram("mergesort:n=30000"), *parseGeometry("4K/2/64, 64K/4/64"));
    const Range all{Tick{0}, Tick{run->trace().size()}};
    Progress progress;
    const auto table = cacheCellsOf(*run, {.range = all, .level = 0, .sample = 200000}, progress);
    EXPECT_LT(table->share(), 0.9);
    std::uint64_t requests = 0;
    for (std::uint32_t s = 0; s < table->sets(); ++s) requests += table->ofSet(0, SetIndex{s}).requests();
    EXPECT_NEAR(static_cast<double>(requests), static_cast<double>(all.size()),
                static_cast<double>(table->sets() * table->ways()));
    const auto few = cacheCellsOf(*run, {.range = {Tick{5}, Tick{5}}, .level = 1, .sample = 9}, progress);
    EXPECT_EQ(few->share(), 1);
    progress.cancel();
    EXPECT_EQ(cacheCellsOf(*run, {.range = all}, progress), nullptr);
}

/// A block that was there before counts as one that lived there, and one that lived in both ways of a set once for it.
TEST(CacheCells, CountTheBlocksThatLivedThere) {
    TraceBuilder b("hand");
    for (const std::uint64_t address : {0x0, 0x40, 0x80, 0x0, 0x40}) b.add(test::access(Op::read, address, 4));
    const auto run = test::built(b, *parseGeometry("128/2/64"));
    Progress progress;
    const auto table = cacheCellsOf(*run, {.range = {Tick{2}, Tick{5}}, .level = 0}, progress);
    EXPECT_EQ(table->at(0, SetIndex{0}, WayIndex{0}).distinctBlocks, 3u) << "0, 0x80, 0x40";
    EXPECT_EQ(table->at(0, SetIndex{0}, WayIndex{1}).distinctBlocks, 2u) << "0x40, 0";
    EXPECT_EQ(table->ofSet(0, SetIndex{0}).distinctBlocks, 3u);
    EXPECT_EQ(table->ofSet(0, SetIndex{0}).misses, 3u);
}

}  // namespace
}  // namespace whorl::sim
