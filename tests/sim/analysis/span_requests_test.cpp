// The requests of each cache over a span are those that the counters and the ledger have.
#include "sim/analysis/level_gauge.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sim/machine/machine_config.h"
#include "support/runs.h"

namespace whorl::sim {
namespace {

/// Four CPUs with private and shared caches.
Measures measuredWhole(Range* whole) {
    const auto run = test::built(test::ran("matmul:n=8"), *loadMachine("coherence"));
    *whole = test::wholeOf(run->trace());
    Progress progress;
    return *run->between(*whole, progress);
}

TEST(SpanRequests, AreTheCountsOfEachCache) {
    Range whole;
    const Measures measures = measuredWhole(&whole);
    const SpanRequests span = spanRequests(measures, whole, true);
    ASSERT_EQ(span.caches.size(), measures.machine.levels.size());
    for (std::size_t l = 0; l < span.caches.size(); ++l) {
        ASSERT_EQ(span.caches[l].size(), measures.machine.caches(l));
        std::uint64_t accesses = 0;
        for (std::uint32_t c = 0; c < span.caches[l].size(); ++c) {
            const CacheRequests& requests = span.caches[l][c];
            EXPECT_EQ(requests.hits, measures.counters.cache(l, c).hits());
            EXPECT_EQ(requests.misses, measures.counters.cache(l, c).misses());
            accesses += requests.accesses;
        }
        EXPECT_EQ(accesses, measures.counters.accesses()) << "each CPU uses one cache of a level";
        const CacheRequests all = span.sum(l, {0, std::uint32_t(span.caches[l].size())});
        EXPECT_EQ(all.misses, measures.counters.level(l).misses());
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            EXPECT_EQ(all.kinds[k], measures.ledger->misses(measures.machine, l, static_cast<MissKind>(k)));
        }
        EXPECT_EQ(std::accumulate(all.kinds.begin(), all.kinds.end(), std::uint64_t{0}), all.misses);
    }
}

TEST(SpanRequests, GiveTheValuesOfGauges) {
    const CacheRequests requests{.accesses = 10, .hits = 2, .misses = 6, .kinds = {3, 0, 3, 0, 0}};
    using What = GaugeSettings::What;
    EXPECT_DOUBLE_EQ(*gaugeValue({.what = What::missRate}, 0, requests), 0.75);
    EXPECT_DOUBLE_EQ(*gaugeValue({.what = What::missKind, .kind = static_cast<MissKind>(2)}, 0, requests), 0.5);
    // (6 · -4 + 2 · 1) / 10, of -4; in a farther level (6 · -1 + 2 · 1) / 10, of -1.
    EXPECT_DOUBLE_EQ(*gaugeValue({.what = What::temperature}, 0, requests), -0.55);
    EXPECT_DOUBLE_EQ(*gaugeValue({.what = What::temperature}, 1, requests), -0.4);
    EXPECT_DOUBLE_EQ(*askedTemperature({}, 1, requests), -0.5);
    EXPECT_FALSE(gaugeValue({.what = What::missRate}, 0, {}));
    EXPECT_FALSE(gaugeValue({.what = What::missKind}, 0, {.hits = 1}));
    EXPECT_FALSE(askedTemperature({}, 0, {}));
    EXPECT_DOUBLE_EQ(*gaugeValue({.what = What::temperature}, 0, {}), 0);
}

TEST(SpanRequests, AreForMeasuresThatLookBack) {
    using What = GaugeSettings::What;
    using Over = GaugeSettings::Over;
    EXPECT_TRUE((GaugeSettings{.what = What::missRate, .over = Over::run}.isOfSpan()));
    EXPECT_FALSE((GaugeSettings{.what = What::missRate, .over = Over::last}.isOfSpan()));
    EXPECT_FALSE((GaugeSettings{.what = What::occupancy, .over = Over::run}.isOfSpan()));
}

}  // namespace
}  // namespace whorl::sim
