// Arrays at a moment against the reference simulator, and their last accesses against a plain scan.
#include "sim/analysis/array_moment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "sim/reference/random_cases.h"
#include "sim/reference/reference.h"
#include "sim/trace/changed_trace.h"
#include "support/rounds.h"
#include "support/runs.h"
#include "support/traces.h"

namespace whorl::sim::test {
namespace {

struct Played {
    std::shared_ptr<sim::Run> run;
    ArrayShape shape;
    ArrayGrid grid;
};

/// A random machine plays random accesses to an array, in a layout of its own.
std::optional<Played> randomPlay(std::uint64_t seed) {
    std::mt19937_64 dice(seed);
    const std::uint64_t rows = 1 + dice() % 12;
    const std::uint64_t columns = 1 + dice() % 12;
    MachineConfig machine = reference::randomCase(seed, 0).machine;
    TraceBuilder builder("array");
    Region b = region("B", 0x1008, rows * columns * 8);
    b.elementSize = 8;
    b.rows = rows;
    b.columns = columns;
    builder.addRegion(b);
    builder.addRegion(region("other", 0x3000, 0x200));
    for (int i = 0; i < 300; ++i) {
        const bool isOther = dice() % 4 == 0;
        const std::uint64_t at = isOther ? 0x3000 + dice() % 0x1f0 : b.base.value + 8 * (dice() % (rows * columns));
        builder.add(access(dice() % 3 == 0 ? Op::write : Op::read, at, dice() % 8 == 0 ? 1 : 8,
                           static_cast<std::uint8_t>(dice() % machine.cpus)));
    }
    const std::array<std::vector<std::string>, 5> layouts = {
        {{},
         {"transpose:B"},
         {"block:B:3"},
         {fmt::format("spread:B:{}:{}", columns * 8 + 32, columns * 8)},
         {"pad:B:256"}}};
    auto trace = changed(shared(builder), layouts[seed % layouts.size()]);
    if (!trace) return std::nullopt;
    auto run = built(*std::move(trace), machine);
    auto shape = ArrayShape::of(run->trace(), 0);
    const ArrayGrid grid{
        .rows = rows, .columns = columns, .rowsOfCell = 1 + dice() % 2, .columnsOfCell = 1 + dice() % 3};
    return Played{std::move(run), *shape, grid};
}

/// The nearest level of the reference that holds a byte of an element.
std::size_t levelIn(const reference::Machine& machine, const ArrayShape& shape, std::uint64_t element) {
    for (std::size_t l = 0; l < machine.config().levels.size(); ++l) {
        for (std::size_t c = 0; c < machine.config().caches(l); ++c) {
            for (std::uint32_t byte = 0; byte < shape.elementSize(); ++byte) {
                if (machine.cache(l, c).holds(shape.addressOf(element, byte).value / machine.config().levels[l].block))
                    return l;
            }
        }
    }
    return machine.config().levels.size();
}

TEST(ArrayMoment, HasTheLevelsOfTheReference) {
    std::set<std::size_t> met;
    for (std::uint64_t seed = 0; seed < testRounds(120); ++seed) {
        const auto random = randomPlay(seed);
        if (!random) continue;
        const auto& [run, shape, grid] = *random;
        SCOPED_TRACE(fmt::format("seed {}", seed));
        SnapshotReader reader(run);
        std::vector<std::uint64_t> all(shape.elements());
        for (std::uint64_t e = 0; e < all.size(); ++e) all[e] = e;
        const std::vector<Access> accesses = accessesIn(run->trace());
        reference::Reference truth(run->machine(), reference::futureOf(run->machine(), accesses));
        std::uint64_t played = 0;
        for (const std::uint64_t at : {std::uint64_t{0}, std::uint64_t{1}, 7 + seed % 90, std::uint64_t{300}}) {
            while (played < at) truth.play(accesses[played++]);
            const Snapshot& snapshot = reader.at(static_cast<double>(at), {.steps = 3});
            const ArrayMoment moment = arrayAt(snapshot, shape, grid, all, ageIn(snapshot));
            std::vector<std::size_t> cells(grid.cells(), run->machine().levels.size());
            for (const std::uint64_t e : all) {
                const std::size_t expected = levelIn(truth.machine(), shape, e);
                ASSERT_EQ(moment.singles[e], expected) << "element " << e << " at " << at;
                cells[grid.cellOf(e)] = std::min(cells[grid.cellOf(e)], expected);
                met.insert(expected);
            }
            for (std::size_t c = 0; c < cells.size(); ++c) ASSERT_EQ(moment.levels[c], cells[c]) << "cell " << c;
        }
    }
    EXPECT_GT(met.size(), 2u);
}

/// What comes in and leaves is what the caches hold after an access and did not hold before it, or the reverse.
TEST(ArrayMoment, MovesAreDifferencesOfTheCaches) {
    std::size_t ins = 0;
    std::size_t outs = 0;
    for (std::uint64_t seed = 0; seed < testRounds(60); ++seed) {
        const auto played = randomPlay(seed);
        if (!played) continue;
        const auto& [run, shape, grid] = *played;
        SnapshotReader reader(run);
        const auto held = [&, &shape = shape](const Simulator& machine) {
            std::set<std::tuple<std::size_t, std::uint32_t, std::uint64_t>> out;
            for (std::size_t l = 0; l < machine.machine().levels.size(); ++l) {
                for (std::uint32_t c = 0; c < machine.hierarchy().caches(l); ++c) {
                    for (std::uint64_t e = 0; e < shape.elements(); ++e) {
                        const Cache& cache = machine.hierarchy().cache(l, c);
                        for (std::uint32_t byte = 0; byte < 8; ++byte) {
                            if (cache.holds(cache.blockOf(shape.addressOf(e, byte)))) out.insert({l, c, e});
                        }
                    }
                }
            }
            return out;
        };
        for (std::uint64_t t = 20; t < 40; ++t) {
            const auto before = held(run->stateAt(Tick{t}));
            const Snapshot& snapshot = reader.at(static_cast<double>(t) + 0.5, {.steps = 1});
            const auto after = held(snapshot.now);
            const ArrayMoment moment = arrayAt(snapshot, shape, grid, {}, ageIn(snapshot));
            std::set<std::uint64_t> in;
            std::set<std::uint64_t> out;
            for (const auto& m : moment.moved) {
                EXPECT_EQ(m.age, 0.5);
                (m.isIn ? in : out).insert(m.elements.begin(), m.elements.end());
            }
            for (const auto& [l, c, e] : after) {
                ASSERT_TRUE(before.contains({l, c, e}) || in.contains(e)) << "seed " << seed << ", " << t;
            }
            for (const auto& [l, c, e] : before) {
                ASSERT_TRUE(after.contains({l, c, e}) || out.contains(e)) << "seed " << seed << ", " << t;
            }
            ins += in.size();
            outs += out.size();
        }
    }
    EXPECT_GT(ins, 100u);
    EXPECT_GT(outs, 20u);
}

TEST(ElementTouches, KnowTheLastAccessAtAnyTime) {
    for (std::uint64_t seed = 0; seed < testRounds(40); ++seed) {
        const auto played = randomPlay(seed);
        if (!played) continue;
        const auto& [run, shape, grid] = *played;
        ElementTouches touches(run->trace(), shape);
        std::mt19937_64 dice(seed);
        const std::vector<Access> accesses = accessesIn(run->trace());
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t at = dice() % 301;
            touches.moveTo(Tick{at});
            std::map<std::uint64_t, Tick> last;
            std::optional<Tick> latest;
            for (std::uint64_t t = 0; t < at; ++t) {
                if (const auto e = shape.elementAt(accesses[t].address)) {
                    last[*e] = Tick{t};
                    latest = Tick{t};
                }
            }
            ASSERT_EQ(touches.latest(), latest);
            ASSERT_TRUE(!latest || touches.latestElement() == shape.elementAt(accesses[latest->value].address));
            for (std::uint64_t e = 0; e < shape.elements(); ++e) {
                const auto known = last.find(e);
                ASSERT_EQ(touches.last(e), known == last.end() ? std::nullopt : std::optional(known->second));
            }
        }
    }
}

/// In a run longer than what they look back, forwards, backwards and by jumps.
TEST(ElementTouches, DoNotDependOnTheWay) {
    const Trace trace = ran("matmul:n=90");
    ASSERT_GT(trace.size(), ElementTouches::kReach + 300'000);
    for (const std::size_t region : {0u, 2u}) {
        const ArrayShape shape = *ArrayShape::of(trace, region);
        ElementTouches touches(trace, shape);
        std::mt19937_64 dice(region);
        std::uint64_t at = trace.size();
        std::size_t forgotten = 0;
        for (int i = 0; i < 30; ++i) {
            touches.moveTo(Tick{at});
            ElementTouches fresh(trace, shape);
            fresh.moveTo(Tick{at});
            ASSERT_EQ(touches.latest(), fresh.latest());
            ASSERT_TRUE(!fresh.latest() || touches.latestElement() == fresh.latestElement());
            for (std::uint64_t e = 0; e < shape.elements(); ++e) {
                ASSERT_EQ(touches.last(e), fresh.last(e)) << "element " << e << " at " << at;
                forgotten += touches.last(e) ? 0 : 1;
            }
            const std::uint64_t by = dice() % (i % 3 == 0 ? 600'000 : 20'000);
            at = dice() % 3 != 0 || at + by > trace.size() ? at - std::min(at, by) : at + by;
        }
        EXPECT_GT(forgotten, 0u);
    }
}

}  // namespace
}  // namespace whorl::sim::test
