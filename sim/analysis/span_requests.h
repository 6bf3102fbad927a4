// What was asked of each cache over a span of accesses: what level gauges show that are not of the last accesses. The
// counts are those of `whorl stats` over the same span.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/analysis/level_gauge.h"
#include "sim/base/types.h"
#include "sim/replay/measures.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

struct CacheRequests {
    std::uint64_t accesses = 0;  ///< of the CPUs that use the cache, whether or not they asked it
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t transfers = 0;                    ///< CacheCounters::transfers()
    std::array<std::uint64_t, kMissKinds> kinds{};  ///< of the misses

    bool operator==(const CacheRequests&) const = default;
};

struct SpanRequests {
    Range of;
    bool isWhole = false;                            ///< it is the whole trace
    std::vector<std::vector<CacheRequests>> caches;  ///< by level, then by cache

    /// Summed over some caches of a level.
    CacheRequests sum(std::size_t level, CacheRange range) const;
};

/// From the measures of a range, which must have a ledger.
SpanRequests spanRequests(const Measures& measures, Range of, bool isWhole);

/// The mean score of so many accesses, of which some hit or missed in a level, divided by the worst possible score if
/// below zero, else by the best: -1 to 1; 0 without accesses.
double temperatureOf(const TemperatureScores& scores, std::size_t level, double accesses, double hits, double misses);

/// The value of a gauge that is of a span (GaugeSettings::isOfSpan), on the scales of the other gaugeValue(); empty
/// when there is nothing to measure.
std::optional<double> gaugeValue(const GaugeSettings& shows, std::size_t level, const CacheRequests& requests);

/// The temperature of the requests alone, without accesses that did not ask the level; empty when there were none.
std::optional<double> askedTemperature(const TemperatureScores& scores, std::size_t level,
                                       const CacheRequests& requests);

}  // namespace whorl::sim
