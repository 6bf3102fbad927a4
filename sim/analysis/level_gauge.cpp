#include "sim/analysis/level_gauge.h"

#include <algorithm>

#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

namespace {

/// The accesses of the CPUs that use a cache, and their hits and misses there.
struct Requests {
    double accesses = 0;
    double hits = 0;
    double misses = 0;
    double ofKind = 0;
    double transfers = 0;
};

Requests requestsOf(const MachineConfig& machine, std::size_t level, CacheRange caches, std::span<const Glance> window,
                    MissKind kind = MissKind::conflict) {
    Requests requests;
    const auto bit = static_cast<std::uint8_t>(1u << level);
    for (const Glance& g : window) {
        const std::uint32_t cache = machine.cacheOf(level, g.cpu);
        if (cache < caches.first || cache >= caches.end) continue;
        ++requests.accesses;
        requests.transfers += g.transfersAt(level);
        if ((g.asked & bit) == 0) continue;
        const bool missed = (g.missed & bit) != 0;
        ++(missed ? requests.misses : requests.hits);
        requests.ofKind += missed && g.kindAt(level) == kind;
    }
    return requests;
}

std::optional<double> share(double part, double whole) {
    return whole == 0 ? std::nullopt : std::optional(part / whole);
}

double temperature(const TemperatureScores& scores, std::size_t level, const Requests& requests) {
    return temperatureOf(scores, level, requests.accesses, requests.hits, requests.misses);
}

/// The contents of a cache.
struct Residents {
    double blocks = 0;
    double dirty = 0;
    double ofRegion = 0;
};

Residents residentsOf(const Cache& cache, const Trace& trace, std::size_t region) {
    Residents contents;
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        if (cache.occupied(SetIndex{s}) == 0) continue;
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            if (!cache.isValid(SetIndex{s}, WayIndex{w})) continue;
            const BlockAddress block = cache.blockIn(SetIndex{s}, WayIndex{w});
            ++contents.blocks;
            contents.dirty += cache.has(SetIndex{s}, WayIndex{w}, Cache::dirty);
            const auto size = std::uint64_t{1} << cache.blockShift();
            contents.ofRegion += regionOfBlock(trace, cache.addressOf(block), size) == region;
        }
    }
    return contents;
}

}  // namespace

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
    const auto ratio = [](std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
    };
    switch (shows.what) {
        case GaugeSettings::What::temperature:
            return temperatureOf(shows.scores, level, static_cast<double>(requests.accesses),
                                 static_cast<double>(requests.hits), static_cast<double>(requests.misses));
        case GaugeSettings::What::missRate:
            return ratio(requests.misses, requests.hits + requests.misses);
        case GaugeSettings::What::traffic:
            return ratio(requests.transfers, requests.accesses);
        case GaugeSettings::What::missKind:
            return ratio(requests.kinds[static_cast<std::size_t>(shows.kind)], requests.misses);
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

std::optional<double> gaugeValue(const GaugeSettings& shows, const Hierarchy& caches, const Trace& trace,
                                 std::size_t level, std::uint32_t cache, std::span<const Glance> window) {
    using What = GaugeSettings::What;
    const Cache& c = caches.cache(level, cache);
    const CacheRange only{cache, cache + 1};
    switch (shows.what) {
        case What::nothing:
            return std::nullopt;
        case What::temperature:
            return temperature(shows.scores, level, requestsOf(caches.machine(), level, only, window));
        case What::missRate: {
            const Requests requests = requestsOf(caches.machine(), level, only, window);
            return share(requests.misses, requests.misses + requests.hits);
        }
        case What::missKind: {
            const Requests requests = requestsOf(caches.machine(), level, only, window, shows.kind);
            return share(requests.ofKind, requests.misses);
        }
        case What::traffic: {
            const Requests requests = requestsOf(caches.machine(), level, only, window);
            return share(requests.transfers, requests.accesses);
        }
        case What::occupancy: {
            double held = 0;
            for (std::uint32_t s = 0; s < c.sets(); ++s) held += c.occupied(SetIndex{s});
            return held / (static_cast<double>(c.sets()) * c.ways());
        }
        case What::regionShare: {
            const Residents contents = residentsOf(c, trace, shows.region);
            return share(contents.ofRegion, contents.blocks);
        }
        case What::dirtiness: {
            const Residents contents = residentsOf(c, trace, shows.region);
            return share(contents.dirty, contents.blocks);
        }
    }
    return std::nullopt;
}

std::optional<double> askedTemperature(const TemperatureScores& scores, const MachineConfig& machine, std::size_t level,
                                       CacheRange caches, std::span<const Glance> window) {
    Requests requests = requestsOf(machine, level, caches, window);
    requests.accesses = requests.hits + requests.misses;
    if (requests.accesses == 0) return std::nullopt;
    return temperature(scores, level, requests);
}

std::optional<double> recentHitRate(const MachineConfig& machine, std::size_t level, CacheRange caches,
                                    std::span<const Glance> window) {
    const Requests requests = requestsOf(machine, level, caches, window);
    return share(requests.hits, requests.misses + requests.hits);
}

}  // namespace whorl::sim
