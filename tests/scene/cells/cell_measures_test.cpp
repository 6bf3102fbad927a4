// The numbers of pictures against the tables that they come from, and the light of recent accesses against a plain sum.
#include "render/scene/cells/cell_measures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "sim/analysis/history_help.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

using sim::test::RandomRun;

/// Cells as large as the largest block, so that whatever belongs to a block belongs to a cell that is shown.
MemoryShape shapeFor(const sim::MachineConfig& machine, std::uint64_t seed) {
    std::uint64_t largest = kMinCell;
    for (const auto& level : machine.levels) largest = std::max<std::uint64_t>(largest, level.block);
    return {.cell = largest << seed % 3,
            .columns = 8u << seed % 2,
            .groups = static_cast<MemoryGroups>(seed % 3),
            .curve = static_cast<MemoryCurve>(seed / 3 % 2),
            .piece = (largest << seed % 3) * 64};
}

double sumOf(const CellValues& values) {
    double sum = 0;
    for (std::uint32_t g = 0; g < values.groups(); ++g) {
        for (const CellValues::Entry& e : values.rows(g, 0, ~std::uint32_t{0})) sum += static_cast<double>(e.value);
    }
    return sum;
}

/// A prefetch may request what no region holds; then some of its cells have no place in a picture of regions.
bool hasPrefetch(const sim::MachineConfig& machine) {
    return std::any_of(machine.levels.begin(), machine.levels.end(),
                       [](const auto& level) { return level.prefetch != sim::LevelConfig{}.prefetch; });
}

TEST(CellMeasures, OfMemoryAddUpToTheTable) {
    std::uint64_t leftOut = 0;
    for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(80, testRounds(200)); ++seed) {
        const RandomRun random(seed);
        const sim::MachineConfig& machine = random.run->machine();
        const MemoryCells cells(random.run->trace(), shapeFor(machine, seed));
        sim::Progress progress;
        const auto table = sim::cellsOf(
            *random.run, {.range = random.range, .grain = std::max<std::uint64_t>(4, cells.shape().cell >> seed % 4)},
            progress);
        const sim::CellSums total = table->total();
        const auto sum = [&](CellMetric metric, std::uint8_t level = 0) {
            const CellValues values = memoryValues({metric, level}, *table, cells, machine);
            const bool mayLeaveOut =
                hasPrefetch(machine) && (metric == CellMetric::hits || metric == CellMetric::misses);
            EXPECT_TRUE(mayLeaveOut || values.leftOut().cells == 0) << "seed " << seed;
            leftOut += values.leftOut().cells;
            return sumOf(values) + values.leftOut().sum;
        };
        // The last byte of the address space belongs to no region.
        const auto last = cells.placeOf(sim::ByteAddress{~std::uint64_t{0}});
        const bool hasLast = table->size() > 0 && table->address(table->size() - 1).value > ~std::uint64_t{0} - 4096;
        if (hasLast && !last) continue;
        EXPECT_EQ(sum(CellMetric::accesses), static_cast<double>(total.accesses)) << "seed " << seed;
        EXPECT_EQ(sum(CellMetric::reads), static_cast<double>(total.reads())) << "seed " << seed;
        EXPECT_EQ(sum(CellMetric::writes), static_cast<double>(total.writes)) << "seed " << seed;
        EXPECT_EQ(sum(CellMetric::penalty), static_cast<double>(total.penalty)) << "seed " << seed;
        EXPECT_EQ(sum(CellMetric::tlbMisses), static_cast<double>(total.tlbMisses)) << "seed " << seed;
        EXPECT_EQ(sum(CellMetric::pageFaults), static_cast<double>(total.pageFaults)) << "seed " << seed;
        for (std::uint8_t l = 0; l < table->levels(); ++l) {
            EXPECT_EQ(sum(CellMetric::hits, l), static_cast<double>(total.hits[l])) << "seed " << seed;
            EXPECT_EQ(sum(CellMetric::misses, l), static_cast<double>(total.misses[l])) << "seed " << seed;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(leftOut, 0u);
}

TEST(CellMeasures, OfEachCellAreItsValue) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const RandomRun random(seed);
        const sim::MachineConfig& machine = random.run->machine();
        const MemoryCells cells(random.run->trace(), shapeFor(machine, seed));
        sim::Progress progress;
        const auto table = sim::cellsOf(*random.run, {.range = random.range, .grain = cells.shape().cell}, progress);
        for (const CellQuantity& quantity : quantitiesOf(CellDisplay::memory, machine)) {
            const CellValues values = memoryValues(quantity, *table, cells, machine);
            for (std::size_t i = 0; i < table->size(); ++i) {
                const auto place = cells.placeOf(table->address(i));
                if (!place) continue;
                const auto value = valueOf(quantity, *table, table->address(i), cells.shape().cell, machine);
                const CellValues::Entry* const entry = values.at(*place);
                ASSERT_EQ(entry != nullptr, value.has_value()) << wordOf(quantity, machine);
                if (entry != nullptr) {
                    ASSERT_EQ(entry->value, static_cast<float>(*value)) << wordOf(quantity, machine);
                }
            }
        }
    }
}

TEST(CellMeasures, OfACacheAddUpToItsTable) {
    for (std::uint64_t seed = 0; seed < testRounds(150); ++seed) {
        const RandomRun random(seed);
        const sim::MachineConfig& machine = random.run->machine();
        const std::size_t level = seed % machine.levels.size();
        sim::Progress progress;
        const auto table = sim::cacheCellsOf(*random.run, {.range = random.range, .level = level}, progress);
        for (std::uint32_t cache = 0; cache < table->caches(); ++cache) {
            sim::CacheCellSums total;
            for (std::uint32_t s = 0; s < table->sets(); ++s) {
                for (std::uint32_t w = 0; w < table->ways(); ++w) {
                    total += table->at(cache, sim::SetIndex{s}, sim::WayIndex{w});
                }
            }
            for (const bool interleaved : {false, true}) {
                const CacheArray array({table->sets(), table->ways(), 1u << seed % 4, interleaved});
                for (const CellMetric metric : {CellMetric::accesses, CellMetric::hits, CellMetric::misses,
                                                CellMetric::penalty, CellMetric::evictions, CellMetric::writebacks}) {
                    EXPECT_EQ(sumOf(cacheValues(metric, *table, cache, array)), valueOf(metric, total))
                        << "seed " << seed;
                }
            }
        }
    }
}

/// Each touch of a cell adds its light; the last one gives the rest.
TEST(CellMeasures, OfAMomentAreThoseOfTheTouches) {
    for (std::uint64_t seed = 0; seed < testRounds(100); ++seed) {
        const RandomRun random(seed);
        const sim::MachineConfig& machine = random.run->machine();
        const MemoryCells cells(random.run->trace(), shapeFor(machine, seed));
        const CellMoment moment{100.25, 12};
        sim::ActivityReader reader(random.run);
        const sim::Activity& activity =
            reader.at(moment.t, {.lookback = sim::reachOf(moment.halfLife), .cacheLevel = {}});
        const auto level = static_cast<std::uint8_t>(seed % machine.levels.size());
        std::map<CellPlace, std::pair<float, float>> light;
        std::map<CellPlace, const sim::Touch*> newest;
        for (const sim::Touch& touch : activity.touches) {
            if (touch.served < level) continue;
            std::map<CellPlace, bool> touched;
            for (std::uint64_t i = 0; i < touch.size; ++i) {
                if (const auto place = cells.placeOf(sim::ByteAddress{touch.address.value + i})) touched[*place] = true;
            }
            for (const auto& [place, yes] : touched) {
                (touch.served == level ? light[place].first : light[place].second) += lightOf(touch.tick, moment);
                newest[place] = &touch;
            }
        }
        std::erase_if(light, [](const auto& l) { return l.second.first + l.second.second == 0; });
        const CellValues glow = memoryNow({CellMetric::glow, level}, activity, cells, moment);
        ASSERT_EQ(glow.size(), light.size()) << "seed " << seed;
        for (const auto& [place, sums] : light) {
            ASSERT_NE(glow.at(place), nullptr);
            EXPECT_NEAR(glow.at(place)->value, sums.first, 1e-4f);
            EXPECT_NEAR(glow.at(place)->other, sums.second, 1e-4f);
        }
        const CellValues last = memoryNow({CellMetric::lastLevel, level}, activity, cells, moment);
        const CellValues writes = memoryNow({CellMetric::lastWrite, level}, activity, cells, moment);
        ASSERT_EQ(last.size(), newest.size());
        for (const auto& [place, touch] : newest) {
            EXPECT_EQ(last.at(place)->value, touch->served) << "seed " << seed;
            EXPECT_EQ(writes.at(place)->value, touch->write ? 1 : 0) << "seed " << seed;
        }
    }
}

/// The light of an access comes up while it is in motion, and halves from then on.
TEST(CellMeasures, LightComesUpAndDecays) {
    const sim::Tick tick{10};
    const auto at = [&](double t) { return lightOf(tick, {t, 20}); };
    EXPECT_EQ(at(9), 0);
    EXPECT_EQ(at(10), 0);
    EXPECT_FLOAT_EQ(at(10.5), 0.5f);
    EXPECT_FLOAT_EQ(at(11), 1);
    EXPECT_FLOAT_EQ(at(31), 0.5f);
    EXPECT_FLOAT_EQ(at(51), 0.25f);
    EXPECT_EQ(at(211), 0);
}

}  // namespace
}  // namespace whorl::scene
