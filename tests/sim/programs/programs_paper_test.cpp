// What Choudhury and Rosen say of these programs ("Abstract Visualization of Runtime Memory Behavior", V), measured on
// their machine like everything that is displayed; and what Proudfoot says of aligned arrays.
#include <gtest/gtest.h>

#include <memory>

#include "sim/programs/programs_support.h"
#include "sim/replay/measuring.h"

namespace whorl::sim {
namespace {

/// Counts of a region, or of all, in a range of time.
struct Part {
    std::uint64_t accesses = 0;
    std::array<std::uint64_t, 2> misses{};  ///< by level
    std::uint64_t conflicts = 0;            ///< those of the misses in L1
    std::uint64_t cycles = 0;

    double l1HitRate() const { return 1.0 - ratio(misses[0], accesses); }
    double l2HitRate() const { return 1.0 - ratio(misses[1], misses[0]); }
    double cyclesPerAccess() const { return ratio(cycles, accesses); }
    static double ratio(std::uint64_t a, std::uint64_t b) { return static_cast<double>(a) / static_cast<double>(b); }
};

/// A program that was run, on a machine with two levels: its own unless another is named.
class Case {
  public:
    explicit Case(const std::string& spec, const std::string& machine = "")
        : trace(std::make_shared<Trace>(ran(spec))),
          machine_(
              loadMachine(machine.empty() ? programNamed(spec.substr(0, spec.find(':')))->machine : machine).value()) {}

    std::uint64_t size() const { return trace->size(); }

    Measures figures(std::uint64_t from, std::uint64_t to) const {
        Progress progress;
        return measure(trace, machine_, {.from = Tick{from}, .to = Tick{to}}, true, progress).value();
    }
    Measures figures() const { return figures(0, size()); }

    Part region(const std::string& name) const { return region(name, figures()); }
    Part region(const std::string& name, const Measures& figures) const {
        for (std::size_t i = 0; i < trace->regions().size(); ++i) {
            if (trace->regions()[i].name == name) return partOf(figures.ledger->owners, i);
        }
        return {};
    }
    /// Of all regions.
    Part all(std::uint64_t from, std::uint64_t to) const {
        const Measures measured = figures(from, to);
        Part sum;
        for (std::size_t i = 0; i < trace->regions().size(); ++i) {
            const Part part = partOf(measured.ledger->owners, i);
            sum.accesses += part.accesses;
            sum.misses[0] += part.misses[0];
            sum.misses[1] += part.misses[1];
            sum.conflicts += part.conflicts;
            sum.cycles += part.cycles;
        }
        return sum;
    }
    Part all() const { return all(0, size()); }

    /// The first access to an element of the first region, or the one after its last.
    std::uint64_t firstTouch(std::uint64_t element) const { return touches(element).first; }
    std::uint64_t lastTouch(std::uint64_t element) const { return touches(element).second; }

    const std::shared_ptr<const Trace> trace;

  private:
    static Part partOf(const TallyTable& table, std::size_t row) {
        return {.accesses = table.accesses(row),
                .misses = {table.misses(row, 0), table.misses(row, 1)},
                .conflicts = table.misses(row, 0, MissKind::conflict),
                .cycles = table.cycles(row)};
    }
    std::pair<std::uint64_t, std::uint64_t> touches(std::uint64_t element) const {
        const Region& region = trace->regions()[0];
        const ByteAddress address{region.base.value + element * region.elementSize};
        std::pair<std::uint64_t, std::uint64_t> found{size(), 0};
        trace->forEach(Tick{0}, Tick{size()}, [&](Tick t, const Access& a) {
            if (a.address != address) return;
            found.first = std::min(found.first, t.value);
            found.second = t.value + 1;
        });
        return found;
    }

    MachineConfig machine_;
};

TEST(PaperClaims, TheMachineIsThePapers) {
    const MachineConfig machine = loadMachine(programNamed("matmul")->machine).value();
    EXPECT_EQ(machine.name, "paper");
    EXPECT_EQ(geometryOf(machine), "512/8/32, 2K/16/32");
    EXPECT_EQ(machine.levels[0].sets(), 2u);
    EXPECT_EQ(machine.levels[1].sets(), 4u);
    const MachineConfig larger = loadMachine("paper4").value();
    for (const std::size_t level : {0u, 1u}) {
        EXPECT_EQ(larger.levels[level].size, 4 * machine.levels[level].size);
        EXPECT_EQ(larger.levels[level].sets(), 4 * machine.levels[level].sets());
    }
}

// "The cache misses incurred by the right matrix are almost constant, whereas the left matrix is able to achieve much
// more data reuse."
TEST(PaperClaims, StandardMultiplicationIsHardOnTheRightMatrix) {
    const Case standard("matmul");
    EXPECT_EQ(standard.region("B").misses[0], standard.region("B").accesses);
    EXPECT_GE(standard.region("B").misses[0], 5 * standard.region("A").misses[0]);
    EXPECT_EQ(standard.region("A").accesses, standard.region("B").accesses);
}

// "The number of cache misses is largely reduced. The left matrix is still seen to have better cache residency."
TEST(PaperClaims, StoringTheRightMatrixTransposedRemovesMostMisses) {
    const Case transposed("matmul:variant=transposed");
    EXPECT_LE(Part::ratio(transposed.all().misses[0], Case("matmul").all().misses[0]), 0.30);
    EXPECT_LT(4 * transposed.region("A").misses[0], transposed.region("Bt").misses[0]);
}

// "The overall volume of cache misses is reduced, and more evenly distributed between the matrices."
TEST(PaperClaims, BlockingRemovesMostMissesAndEvensThemOut) {
    const Case blocked("matmul:variant=blocked,block=4");
    EXPECT_LE(Part::ratio(blocked.all().misses[0], Case("matmul").all().misses[0]), 0.20);
    const double evenness = Part::ratio(blocked.region("A").misses[0], blocked.region("B").misses[0]);
    EXPECT_LT(evenness, 1.5);
    EXPECT_GT(evenness, 1 / 1.5);
}

/// The L1 sets of the rows of a block of B, four rows from the first on, as one digit each.
std::string setsOfRows(const Case& c, const MachineConfig& machine) {
    const Region& b = c.trace->regions()[1];
    std::string out;
    for (std::uint64_t row = 0; row < 4; ++row) {
        const std::uint64_t block = (b.base.value + row * b.columns * b.elementSize) / machine.levels[0].block;
        out += std::to_string(block % machine.levels[0].sets());
    }
    return out;
}

// Why the paper's last example is 12 x 12: rows of 16 doubles are a whole multiple of the two sets, so that all rows of
// a block map to one; rows of 12 are not.
TEST(PaperClaims, SixteenSquareByBlocksConflictsWithItselfAndTwelveDoesNot) {
    const MachineConfig machine = loadMachine("paper2x4").value();
    const Case sixteen("matmul:n=16,variant=blocked,block=4", "paper2x4");
    EXPECT_EQ(setsOfRows(sixteen, machine), "0000");
    EXPECT_EQ(sixteen.region("B").misses[0], sixteen.region("B").accesses);
    EXPECT_GT(sixteen.all().conflicts, sixteen.all().misses[0] * 8 / 10);
    const Case twelve("matmul:n=12,variant=blocked,block=4", "paper2x4");
    EXPECT_EQ(setsOfRows(twelve, machine), "0101");
    EXPECT_EQ(twelve.all().conflicts, 0u);
    EXPECT_LT(Part::ratio(twelve.all().misses[0], twelve.all().accesses), 0.08);
}

// "Because the sweeps become progressively shorter, the size of the working set continuously decreases until it fits
// first within L2, and then within L1." 768 numbers are more than L2 holds. What improves is the cost per access: L1's
// own hit rate even drops a little before the end, because there is less and less to swap, so that a block is accessed
// less often once it has been filled.
TEST(PaperClaims, BubbleSortComesToFitIntoL2AndThenIntoL1) {
    const Case bubble("bubblesort:n=768");
    const std::uint64_t fitsL2 = bubble.lastTouch(2048 / 4);
    const std::uint64_t fitsL1 = bubble.lastTouch(512 / 4);
    ASSERT_LT(bubble.size() / 4, fitsL2);
    ASSERT_LT(fitsL2, fitsL1);
    const Part first = bubble.all(0, fitsL2);
    const Part second = bubble.all(fitsL2, fitsL1);
    const Part third = bubble.all(fitsL1, bubble.size());
    EXPECT_LT(first.l2HitRate(), 0.1);
    const Part early = bubble.all(0, bubble.size() / 4);
    EXPECT_EQ(early.misses[1], early.misses[0]) << "each block has left L2 before the next sweep";
    EXPECT_LE(second.misses[1], 2048u / 32) << "the first sweep that fits still fetches all";
    EXPECT_GT(second.l2HitRate(), 0.99);
    EXPECT_LE(third.misses[0], 512u / 32);
    EXPECT_GT(third.l1HitRate(), 0.999);
    EXPECT_GT(third.l1HitRate(), first.l1HitRate());
    EXPECT_GT(first.cyclesPerAccess(), second.cyclesPerAccess());
    EXPECT_GT(second.cyclesPerAccess(), third.cyclesPerAccess());
}

// "As the algorithm nears completion, cache performance steadily improves": sweep by sweep there are fewer misses.
TEST(PaperClaims, BubbleSortMissesLessFromSweepToSweep) {
    const Case bubble("bubblesort:n=256");
    std::uint64_t before = bubble.size();
    for (std::uint64_t last = 255; last > 136; last -= 8) {
        // The sweep that ends with this element is the last to touch it.
        const std::uint64_t to = bubble.lastTouch(last);
        const std::uint64_t from = bubble.lastTouch(last + 1);
        const std::uint64_t misses = bubble.all(last == 255 ? 0 : from, to).misses[0];
        EXPECT_LE(misses, before) << last;
        before = misses;
    }
    EXPECT_EQ(bubble.all(bubble.size() * 9 / 10, bubble.size()).misses[0], 0u);
}

// "This phase starts out with good cache performance, as the lists to be sorted are small and fit entirely into L1, but
// … spatial locality degrades … the spilling over of the working set into L2, and then into main memory … At the midway
// point, the process begins again for the second half."
TEST(PaperClaims, MergeSortGetsWorseTwice) {
    const Case merge("mergesort");
    const std::uint64_t half = merge.firstTouch(256);
    // The last merge is longer than anything before: it begins where the first half is accessed again.
    std::uint64_t end = half;
    const std::uint64_t base = merge.trace->regions()[0].base.value;
    merge.trace->forEach(Tick{half}, Tick{merge.size()}, [&](Tick t, const Access& a) {
        if (end == half && a.address.value == base) end = t.value;
    });
    ASSERT_GT(end, half + half / 2);
    const auto quarter = [&](std::uint64_t from, std::uint64_t to, std::uint64_t i) {
        const std::uint64_t length = to - from;
        return merge.all(from + length * i / 4, from + length * (i + 1) / 4);
    };
    for (const auto& [from, to] : {std::pair(std::uint64_t{0}, half), {half, end}}) {
        EXPECT_GT(quarter(from, to, 0).l1HitRate(), 0.98);
        EXPECT_LT(quarter(from, to, 3).l1HitRate(), 0.95);
        EXPECT_GT(quarter(from, to, 3).l2HitRate(), 0.8) << "spilled over into L2, not into memory";
    }
    EXPECT_GT(quarter(half, end, 0).l1HitRate(), quarter(0, half, 3).l1HitRate()) << "it begins anew";
    const Part last = merge.all(end, merge.size());
    EXPECT_LT(last.l1HitRate(), 0.93);
    EXPECT_LT(last.l2HitRate(), 0.3) << "spilled over into memory";
}

// "The data comes into L1 and is initialized with a series of write operations … the initialized data becomes stale and
// moves slowly first out of L1 to L2, then out of L2 back into main memory."
TEST(PaperClaims, InitializationStreamsThrough) {
    const Case init("arrayinit");
    const Measures figures = init.figures();
    const CacheCounters l1 = figures.counters.level(0);
    const CacheCounters l2 = figures.counters.level(1);
    EXPECT_EQ(l1.misses(), init.size() / 4);  // one for each block of four doubles
    EXPECT_EQ(l1.evictions, l1.misses() - figures.machine.levels[0].blocks());
    EXPECT_EQ(l2.evictions, l1.misses() - figures.machine.levels[1].blocks());
    EXPECT_GT(l2.evictions, 0u);
}

/// What the material point method sweeps over, and how often.
struct Sweeps {
    const char* array;
    std::uint64_t atFirst;  ///< before the first timestep
    std::uint64_t eachStep;
};
constexpr Sweeps kSweeps[] = {
    {"mass", 1, 2}, {"velocity", 1, 2}, {"position", 1, 4}, {"stress", 0, 2}, {"model", 0, 2}};

// "The resulting visual pattern is that of data moving into L1, being operated upon a limited number of times, and then
// slowly migrating first to L2 and then back into main memory": every block of the particles' arrays comes from memory
// exactly once per sweep, so none is accessed again after its eviction from L1 until the next sweep.
TEST(PaperClaims, MaterialPointsStream) {
    struct {
        const char* spec;
        const char* machine;
        std::uint64_t steps;
    } const cases[] = {{"mpm", "paper", 3}, {"mpm:particles=32,grid=32,steps=2", "paper4", 2}};
    for (const auto& [spec, machine, steps] : cases) {
        const Case mpm(spec, machine);
        const Measures figures = mpm.figures();
        for (const Sweeps& s : kSweeps) {
            const Part part = mpm.region(s.array, figures);
            std::uint64_t blocks = 0;
            for (const Region& region : mpm.trace->regions()) {
                if (region.name == s.array) blocks = region.size / 32;
            }
            EXPECT_EQ(part.misses[0], blocks * (s.atFirst + s.eachStep * steps)) << spec << ' ' << s.array;
            EXPECT_EQ(part.misses[1], part.misses[0]) << spec << ' ' << s.array;
        }
        // "The algorithm tends to sweep through the values in order, resulting in good cache performance."
        EXPECT_GT(figures.counters.level(0).hitRate(), 0.85) << spec;
    }
}

// The grid is reused: of its blocks evicted from L1 many come back from L2.
TEST(PaperClaims, MaterialPointsUseTheGridAgain) {
    const Case mpm("mpm");
    const Measures figures = mpm.figures();
    for (const char* array : {"nodeMass", "momentum", "force"}) {
        EXPECT_GT(mpm.region(array, figures).l2HitRate(), 0.35) << array;
        EXPECT_GT(mpm.region(array, figures).l1HitRate(), 0.9) << array;
    }
}

// "The three arrays are aligned with one another and with the L1 cache boundary: all accesses conflict."
TEST(PaperClaims, AlignedArraysConflictUntilTheyAreNotAligned) {
    EXPECT_EQ(Case("conflict").all().misses[0], 3 * 64u);
    EXPECT_EQ(Case("conflict:align=32").all().misses[0], 3 * 64u / 8);  // one for each block of eight ints
}

}  // namespace
}  // namespace whorl::sim
