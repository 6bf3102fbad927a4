#include "sim/analysis/span_requests.h"

#include <algorithm>

namespace whorl::sim {

CacheRequests SpanRequests::sum(std::size_t level, CacheRange range) const {
    CacheRequests sum;
    for (std::uint32_t c = range.first; c < range.end; ++c) {
        const CacheRequests& cache = caches[level][c];
        sum.accesses += cache.accesses;
        sum.hits += cache.hits;
        sum.misses += cache.misses;
        sum.transfers += cache.transfers;
        for (std::size_t k = 0; k < kMissKinds; ++k) sum.kinds[k] += cache.kinds[k];
    }
    return sum;
}

SpanRequests spanRequests(const Measures& measures, Range of, bool isWhole) {
    const MachineConfig& machine = measures.machine;
    const Ledger& ledger = *measures.ledger;
    SpanRequests out{.of = of, .isWhole = isWhole, .caches = {}};
    std::size_t flat = 0;  // the ledger has its caches level by level
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        std::vector<CacheRequests>& level = out.caches.emplace_back(measures.counters.cachesAt(l));
        for (std::uint32_t c = 0; c < level.size(); ++c, ++flat) {
            const CacheCounters& counts = measures.counters.cache(l, c);
            level[c] = {
                .accesses = 0, .hits = counts.hits(), .misses = counts.misses(), .transfers = counts.transfers()};
            for (std::uint32_t cpu = machine.firstCpu(l, c); cpu < machine.endCpu(l, c); ++cpu) {
                level[c].accesses += ledger.cpus.accesses(cpu);
            }
            for (const SetTally& set : ledger.sets[flat]) {
                for (std::size_t k = 0; k < kMissKinds; ++k) level[c].kinds[k] += set.misses[k];
            }
        }
    }
    return out;
}

double temperatureOf(const TemperatureScores& scores, std::size_t level, double accesses, double hits, double misses) {
    if (accesses == 0) return 0;
    const double miss = level == 0 ? scores.nearestMiss : scores.miss;
    const double mean = (miss * misses + scores.hit * hits) / accesses;
    const double extreme = mean < 0 ? -std::min(miss, scores.hit) : std::max(miss, scores.hit);
    return extreme == 0 ? 0 : std::clamp(mean / extreme, -1.0, 1.0);
}

std::optional<double> gaugeValue(const GaugeSettings& shows, std::size_t level, const CacheRequests& requests) {
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
    };
    switch (shows.what) {
        case GaugeSettings::What::temperature:
            return temperatureOf(shows.scores, level, static_cast<double>(requests.accesses),
                                 static_cast<double>(requests.hits), static_cast<double>(requests.misses));
        case GaugeSettings::What::missRate:
            return share(requests.misses, requests.hits + requests.misses);
        case GaugeSettings::What::traffic:
            return share(requests.transfers, requests.accesses);
        case GaugeSettings::What::missKind:
            return share(requests.kinds[static_cast<std::size_t>(shows.kind)], requests.misses);
        default:
            return std::nullopt;
    }
}

std::optional<double> askedTemperature(const TemperatureScores& scores, std::size_t level,
                                       const CacheRequests& requests) {
    const std::uint64_t asked = requests.hits + requests.misses;
    if (asked == 0) return std::nullopt;
    return temperatureOf(scores, level, static_cast<double>(asked), static_cast<double>(requests.hits),
                         static_cast<double>(requests.misses));
}

}  // namespace whorl::sim
