#include "sim/analysis/level_gauge.h"

#include <algorithm>

#include "sim/analysis/span_requests.h"
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
struct Contents {
    double blocks = 0;
    double dirty = 0;
    double ofRegion = 0;
};

Contents contentsOf(const Cache& cache, const Trace& trace, std::size_t region) {
    Contents contents;
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
            const Contents contents = contentsOf(c, trace, shows.region);
            return share(contents.ofRegion, contents.blocks);
        }
        case What::dirtiness: {
            const Contents contents = contentsOf(c, trace, shows.region);
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
