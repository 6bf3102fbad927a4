#include "sim/replay/level_gauge.h"

#include <algorithm>

#include "sim/replay/totals/ledger.h"

namespace whorl::sim {

namespace {

/// How the accesses of the CPUs that use a cache fared there.
struct Fares {
    double accesses = 0;
    double hits = 0;
    double misses = 0;
    double ofKind = 0;
};

Fares faresOf(const MachineConfig& machine, std::size_t level, std::uint32_t cache, std::span<const Glance> window,
              MissKind kind = MissKind::conflict) {
    Fares fares;
    const auto bit = static_cast<std::uint8_t>(1u << level);
    for (const Glance& g : window) {
        if (machine.cacheOf(level, g.cpu) != cache) continue;
        ++fares.accesses;
        if ((g.asked & bit) == 0) continue;
        const bool missed = (g.missed & bit) != 0;
        ++(missed ? fares.misses : fares.hits);
        fares.ofKind += missed && g.kindAt(level) == kind;
    }
    return fares;
}

std::optional<double> share(double part, double whole) {
    return whole == 0 ? std::nullopt : std::optional(part / whole);
}

double temperature(const TemperatureScores& scores, std::size_t level, const Fares& fares) {
    if (fares.accesses == 0) return 0;
    const double miss = level == 0 ? scores.nearestMiss : scores.miss;
    const double mean = (miss * fares.misses + scores.hit * fares.hits) / fares.accesses;
    const double extreme = mean < 0 ? -std::min(miss, scores.hit) : std::max(miss, scores.hit);
    return extreme == 0 ? 0 : std::clamp(mean / extreme, -1.0, 1.0);
}

/// What a cache holds.
struct Stock {
    double blocks = 0;
    double dirty = 0;
    double ofRegion = 0;
};

Stock stockOf(const Cache& cache, const Trace& trace, std::size_t region) {
    Stock stock;
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        if (cache.occupied(SetIndex{s}) == 0) continue;
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            const BlockAddress block = cache.blockIn(SetIndex{s}, WayIndex{w});
            if (block.value == Cache::kNoBlock) continue;
            ++stock.blocks;
            stock.dirty += cache.has(SetIndex{s}, WayIndex{w}, Cache::dirty);
            const auto size = std::uint64_t{1} << cache.blockShift();
            stock.ofRegion += regionOfBlock(trace, cache.addressOf(block), size) == region;
        }
    }
    return stock;
}

}  // namespace

std::optional<double> gaugeValue(const GaugeSettings& shows, const Hierarchy& caches, const Trace& trace,
                                 std::size_t level, std::uint32_t cache, std::span<const Glance> window) {
    using What = GaugeSettings::What;
    const Cache& c = caches.cache(level, cache);
    switch (shows.what) {
        case What::nothing:
            return std::nullopt;
        case What::temperature:
            return temperature(shows.scores, level, faresOf(caches.machine(), level, cache, window));
        case What::missRate: {
            const Fares fares = faresOf(caches.machine(), level, cache, window);
            return share(fares.misses, fares.misses + fares.hits);
        }
        case What::missKind: {
            const Fares fares = faresOf(caches.machine(), level, cache, window, shows.kind);
            return share(fares.ofKind, fares.misses);
        }
        case What::occupancy: {
            double held = 0;
            for (std::uint32_t s = 0; s < c.sets(); ++s) held += c.occupied(SetIndex{s});
            return held / (static_cast<double>(c.sets()) * c.ways());
        }
        case What::regionShare: {
            const Stock stock = stockOf(c, trace, shows.region);
            return share(stock.ofRegion, stock.blocks);
        }
        case What::dirtiness: {
            const Stock stock = stockOf(c, trace, shows.region);
            return share(stock.dirty, stock.blocks);
        }
    }
    return std::nullopt;
}

}  // namespace whorl::sim
