// Tables of cells of memory: against the definitions, against the counters, and against each other.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>

#include "sim/analysis/cell_table.h"
#include "sim/analysis/history_help.h"
#include "sim/analysis/naive_cells.h"
#include "sim/analysis/sampled_replay.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"

namespace whorl::sim {
namespace {

using test::NaiveCells;
using test::RandomRun;

std::uint64_t grainOf(std::uint64_t seed) {
    return std::uint64_t{4} << seed % 9;
}

std::shared_ptr<const CellTable> cells(const RandomRun& random, std::uint64_t grain,
                                       std::size_t most = CellRequest::kMaxCells) {
    Progress progress;
    return cellsOf(*random.run, {.range = random.range, .grain = grain, .sample = 0, .most = most}, progress);
}

TEST(Cells, AreSummedUpAsTheReferenceDoes) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const RandomRun random(seed);
        const NaiveCells naive(*random.run, random.range, grainOf(seed));
        const auto table = cells(random, grainOf(seed));
        ASSERT_EQ(table->share(), 1);
        ASSERT_EQ(table->size(), naive.cells().size()) << "seed " << seed;
        std::size_t i = 0;
        for (const auto& [address, cell] : naive.cells()) {
            ASSERT_EQ(table->address(i).value, address) << "seed " << seed;
            ASSERT_EQ(table->sums(i), cell.sums) << "seed " << seed << ", cell " << std::hex << address;
            for (std::size_t l = 0; l < table->levels(); ++l) {
                ASSERT_EQ(table->conflictingRegions(l, table->address(i), 1), naive.conflicts(l, address, address))
                    << "seed " << seed << ", level " << l << ", cell " << std::hex << address;
            }
            ++i;
        }
    }
}

TEST(Cells, OfSomeMemoryAreThoseThatBeginInIt) {
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const RandomRun random(seed, 500);
        const NaiveCells naive(*random.run, random.range, 4);
        const auto table = cells(random, 4);
        std::mt19937_64 dice(seed);
        for (int i = 0; i < 40; ++i) {
            const std::uint64_t near = table->address(dice() % table->size()).value;
            const std::uint64_t from = near - std::min<std::uint64_t>(near, dice() % 200);
            const std::uint64_t bytes = dice() % 3 == 0 ? ~std::uint64_t{0} : 1 + dice() % 600;
            const std::uint64_t last = from + std::min(bytes - 1, ~std::uint64_t{0} - from);
            ASSERT_EQ(table->sums(ByteAddress{from}, bytes), naive.sums(from, last)) << "seed " << seed;
            for (std::size_t l = 0; l < table->levels(); ++l) {
                const auto expected = naive.conflicts(l, from, last);
                ASSERT_EQ(table->conflictingRegions(l, ByteAddress{from}, bytes), expected) << "seed " << seed;
                ASSERT_EQ(table->conflicts(l, ByteAddress{from}, bytes), expected.size());
            }
        }
        EXPECT_EQ(table->sums(ByteAddress{0}, 0), CellSums{});
        EXPECT_EQ(table->from(ByteAddress{0}), 0u);
        EXPECT_EQ(table->from(ByteAddress{table->address(0).value + 1}), 1u);
    }
}

/// Whatever the grain, all cells together are what the counters have.
void expectCounters(const CellTable& table, const Measures& measures) {
    const CellSums sum = table.total();
    EXPECT_EQ(sum.accesses, measures.counters.accesses());
    EXPECT_EQ(sum.writes, measures.counters.writes);
    EXPECT_EQ(sum.cycles, measures.cyclesOfAll());
    std::uint64_t tlbMisses = 0;
    for (const std::uint64_t n : measures.counters.tlbMisses) tlbMisses += n;
    EXPECT_EQ(sum.tlbMisses, tlbMisses);
    std::uint64_t served = 0;
    for (const std::uint64_t n : sum.served) served += n;
    EXPECT_EQ(served, sum.accesses);
    for (std::size_t l = 0; l < table.levels(); ++l) {
        EXPECT_EQ(sum.hits[l], measures.counters.level(l).hits());
        EXPECT_EQ(sum.misses[l], measures.counters.level(l).misses());
        EXPECT_EQ(sum.stays[l], measures.ledger->staysAt(measures.machine, l));
    }
}

TEST(Cells, TogetherAreTheCounters) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const RandomRun random(seed, 200);
        Progress progress;
        const auto measures = random.run->between(random.range, progress);
        expectCounters(*cells(random, grainOf(seed)), *measures);
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

/// Plain machines count simple hits apart, which random ones hardly are.
TEST(Cells, OfProgramsTogetherAreTheCounters) {
    for (const char* const words : {"matmul:n=24", "mergesort:n=3000", "conflict"}) {
        for (const char* const machine : {"1K/2/32, 8K/4/64", "paper", "512/1/16"}) {
            const auto trace = test::traceOfProgram(words);
            const auto run = test::built(trace, *loadMachine(machine));
            const std::uint64_t size = trace->size();
            for (const std::uint64_t grain : {4, 16, 64, 4096}) {
                Progress progress;
                const Range range{Tick{size / 3}, Tick{size - size / 5}};
                const auto table = cellsOf(*run, {.range = range, .grain = grain}, progress);
                expectCounters(*table, *run->between(range, progress));
            }
            ASSERT_FALSE(testing::Test::HasFailure()) << words << " on " << machine;
        }
    }
}

void expectDoubled(const CellTable& fine, const CellTable& coarse) {
    ASSERT_EQ(coarse.grain(), 2 * fine.grain());
    for (std::size_t i = 0; i < coarse.size(); ++i) {
        ASSERT_EQ(coarse.sums(i), fine.sums(coarse.address(i), coarse.grain()));
        for (std::size_t l = 0; l < coarse.levels(); ++l) {
            ASSERT_EQ(coarse.conflictingRegions(l, coarse.address(i), 1),
                      fine.conflictingRegions(l, coarse.address(i), coarse.grain()));
        }
    }
    ASSERT_EQ(coarse.total(), fine.total());
}

TEST(Cells, OfTwiceTheGrainAreTwoTogether) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const RandomRun random(seed);
        expectDoubled(*cells(random, grainOf(seed)), *cells(random, 2 * grainOf(seed)));
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

void expectSame(const CellTable& a, const CellTable& b) {
    ASSERT_EQ(a.grain(), b.grain());
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_EQ(a.address(i), b.address(i));
        ASSERT_EQ(a.sums(i), b.sums(i));
        for (std::size_t l = 0; l < a.levels(); ++l) {
            ASSERT_EQ(a.conflictingRegions(l, a.address(i), 1), b.conflictingRegions(l, b.address(i), 1));
        }
    }
}

TEST(Cells, WidenUntilThereIsRoom) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const RandomRun random(seed);
        const std::size_t most = 1 + seed % 20;
        const auto narrow = cells(random, 4, most);
        EXPECT_LE(narrow->size(), std::max<std::size_t>(most, 2));
        expectSame(*narrow, *cells(random, narrow->grain()));
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    // Where simple hits are counted apart, too.
    const auto run = test::built(test::traceOfProgram("mergesort:n=3000"), *parseGeometry("1K/2/32, 8K/4/64"));
    const Range all{Tick{0}, Tick{run->trace().size()}};
    Progress progress;
    const auto narrow = cellsOf(*run, {.range = all, .grain = 4, .most = 100}, progress);
    EXPECT_GT(narrow->grain(), 64u);
    expectSame(*narrow, *cellsOf(*run, {.range = all, .grain = narrow->grain()}, progress));
}

/// With more regions than fit in a word of bits.
TEST(Cells, MayConflictWithManyRegions) {
    TraceBuilder b("many");
    std::mt19937_64 dice(1);
    constexpr std::uint64_t kRegions = 150;
    for (std::uint64_t r = 0; r < kRegions; ++r) b.addRegion(test::region("r" + std::to_string(r), r * 64, 64));
    for (int i = 0; i < 2000; ++i) b.add(test::access(Op::read, dice() % (kRegions * 64 - 4), 4));
    const auto run = test::built(b, *parseGeometry("512/2/32, 2K/4/128"));
    const Range range{Tick{300}, Tick{1900}};
    for (const std::uint64_t grain : {8, 32, 256}) {
        Progress progress;
        const auto table = cellsOf(*run, {.range = range, .grain = grain}, progress);
        const NaiveCells naive(*run, range, grain);
        for (std::size_t i = 0; i < table->size(); ++i) {
            for (std::size_t l = 0; l < 2; ++l) {
                const std::uint64_t address = table->address(i).value;
                ASSERT_EQ(table->conflictingRegions(l, ByteAddress{address}, 1), naive.conflicts(l, address, address));
            }
        }
        expectSame(*cellsOf(*run, {.range = range, .grain = 4, .most = table->size()}, progress),
                   *cellsOf(*run, {.range = range, .grain = grain}, progress));
    }
}

class SampledCells : public testing::Test {
  protected:
    SampledCells()
        : run_(test::built(test::traceOfProgram("mergesort:n=30000"), *parseGeometry("4K/2/64, 64K/4/64"))) {}

    Range all() const { return {Tick{0}, Tick{run_->trace().size()}}; }

    std::shared_ptr<const sim::Run> run_;
    Progress progress_;
};

TEST_F(SampledCells, AreThoseOfTheirPiecesScaledUp) {
    const std::uint64_t size = all().size();
    for (const Range range : {all(), Range{Tick{size / 4}, Tick{size - 17}}}) {
        const auto table = cellsOf(*run_, {.range = range, .grain = 64, .sample = 200000}, progress_);
        EXPECT_LT(table->share(), 0.9);
        EXPECT_GT(table->share(), 0);
        const double accesses = static_cast<double>(table->total().accesses);
        EXPECT_NEAR(accesses, static_cast<double>(range.size()), 1) << "of a trace in which all accesses count";
        const Sample sample = sampleOf(*run_, range, 200000);
        EXPECT_GT(sample.pieces.size(), 3u);
        CellSums sum;
        for (const Range piece : sample.pieces) {
            EXPECT_TRUE(range.from <= piece.from && piece.to <= range.to);
            sum += cellsOf(*run_, {.range = piece, .grain = 64}, progress_)->total();
        }
        for (std::size_t l = 0; l < 2; ++l) {
            EXPECT_NEAR(static_cast<double>(table->total().misses[l]),
                        static_cast<double>(sum.misses[l]) / table->share(), 1);
        }
    }
}

TEST_F(SampledCells, AreAllWhereThereAreFew) {
    const Range few{Tick{70000}, Tick{71000}};
    const auto table = cellsOf(*run_, {.range = few, .grain = 64, .sample = 1000}, progress_);
    EXPECT_EQ(table->share(), 1);
    expectSame(*table, *cellsOf(*run_, {.range = few, .grain = 64}, progress_));
    const auto none = cellsOf(*run_, {.range = {Tick{5}, Tick{5}}, .grain = 64, .sample = 9}, progress_);
    EXPECT_EQ(none->size(), 0u);
    EXPECT_EQ(none->total(), CellSums{});
}

TEST_F(SampledCells, CanBeCancelled) {
    progress_.cancel();
    EXPECT_EQ(cellsOf(*run_, {.range = all()}, progress_), nullptr);
    EXPECT_EQ(cellsOf(*run_, {.range = all(), .sample = 100000}, progress_), nullptr);
}

/// While a run is built, all sums but those of stays are known of what is built already.
TEST(Cells, OfARunThatIsNotCompleteHaveNoStays) {
    const auto trace = test::traceOfProgram("mergesort:n=100000");
    const MachineConfig machine = *parseGeometry("4K/2/64, 64K/4/64");
    // Cancelled in the middle; again, if another thread was so late that it was complete.
    std::unique_ptr<sim::Run> made;
    for (int i = 0; i < 50 && (!made || made->complete()); ++i) {
        made = std::make_unique<sim::Run>(trace, machine);
        Progress building;
        std::thread builder([&] { made->build(building); });
        while (made->built() == Tick{0}) std::this_thread::yield();
        building.cancel();
        builder.join();
    }
    ASSERT_FALSE(made->complete());
    const sim::Run& run = *made;
    const Range range{Tick{1000}, run.built()};
    Progress progress;
    CellSums sums = cellsOf(run, {.range = range}, progress)->total();
    for (const StaySum& stays : sums.stays) EXPECT_EQ(stays, StaySum{});
    CellSums later = cellsOf(*test::built(trace, machine), {.range = range}, progress)->total();
    EXPECT_GT(later.stays[0].fills, 0u);
    later.stays = {};
    EXPECT_EQ(sums, later);
}

/// Sums may exceed 32 bits.
TEST(CellRows, HoldWhatIsBeyondTheirBits) {
    CellRows rows(2);
    rows.resize(3);
    constexpr std::uint64_t kMany = (std::uint64_t{1} << 32) - 1;
    for (int i = 0; i < 5; ++i) rows.add(1, CellRows::kPenalty, kMany);
    rows.add(1, CellRows::kWrites, 7 * kMany);
    EXPECT_EQ(rows.at(1, CellRows::kPenalty), 5 * kMany);
    EXPECT_EQ(rows.at(1, CellRows::kWrites), 7 * kMany);
    EXPECT_EQ(rows.at(2, CellRows::kPenalty), 0u);
    CellRows others(2);
    others.resize(1);
    others.add(0, CellRows::kPenalty, 1);
    others.add(0, rows, 1);
    EXPECT_EQ(others.at(0, CellRows::kPenalty), 5 * kMany + 1);
}

TEST(CellSums, AreServedMostlyByTheNearestOfSeveral) {
    CellSums sums;
    EXPECT_EQ(sums.mostServed(2), 0u);
    sums.served = {1, 3, 3};
    EXPECT_EQ(sums.mostServed(2), 1u);
    sums.served = {1, 3, 4};
    EXPECT_EQ(sums.mostServed(2), 2u);
    EXPECT_EQ(sums.mostServed(1), 1u);
}

}  // namespace
}  // namespace whorl::sim
