// What the level gauges show: one number for each cache at a tick. The temperature after Choudhury and Rosen, "Abstract
// Visualization of Runtime Memory Behavior", IV.D.
//
// To add a measure: an enumerator of GaugeSettings::What with its two names here, its value in level_gauge.cpp, and the
// text and colours of its gauge in render/scene/rings/level_gauges.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/types.h"
#include "sim/cache/hierarchy.h"
#include "sim/replay/measures.h"
#include "sim/replay/snapshot.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// What an access adds to the temperature of a level. A level that it does not reach gets nothing.
struct TemperatureScores {
    double nearestMiss = -4;
    double miss = -1;
    double hit = 1;
    bool operator==(const TemperatureScores&) const = default;
};

struct GaugeSettings {
    enum class What : std::uint8_t {
        nothing,
        temperature,
        occupancy,    ///< the share of its ways that hold a block
        regionShare,  ///< the share of its blocks that belong to a region
        dirtiness,    ///< the share of its blocks that are dirty
        missRate,     ///< the share of the requests of the last accesses that missed
        missKind,     ///< the share of the misses of the last accesses that are of a kind
        traffic,  ///< blocks and writes in and out, per access: fills, write-backs, write-throughs; may be more than 1
    };
    /// The accesses over which a measure that looks back is computed.
    enum class Over : std::uint8_t {
        last,   ///< the last `window` accesses
        range,  ///< the accesses of the selected range
        run,    ///< the whole run
    };
    What what = What::temperature;
    Over over = Over::last;
    TemperatureScores scores;
    std::uint32_t window = 100;  ///< see Over::last
    std::size_t region = 0;      ///< for regionShare
    MissKind kind = MissKind::conflict;
    bool operator==(const GaugeSettings&) const = default;

    static constexpr std::uint32_t kMaxWindow = 1u << 16;
    bool looksBack() const {
        return what == What::temperature || what == What::missRate || what == What::missKind || what == What::traffic;
    }
    /// Whether the measure is computed over a span that does not follow the playhead.
    bool isOfSpan() const { return looksBack() && over != Over::last; }
};
inline constexpr int kGaugeMeasures = 8;
/// By GaugeSettings::What: the words for measures in options and state files, and their names in panels.
inline constexpr std::array<std::string_view, kGaugeMeasures> kGaugeWords = {
    "nothing", "temperature", "occupancy", "region", "dirty", "misses", "kind", "traffic"};
inline constexpr std::array<std::string_view, kGaugeMeasures> kGaugeNames = {"nothing",
                                                                             "temperature",
                                                                             "occupancy",
                                                                             "share of a region",
                                                                             "dirty blocks",
                                                                             "miss rate",
                                                                             "share of a kind of miss",
                                                                             "traffic, in and out"};

/// By GaugeSettings::Over: the words for spans in options and state files, and their names in panels.
inline constexpr std::array<std::string_view, 3> kGaugeOverWords = {"last", "range", "run"};
inline constexpr std::array<std::string_view, 3> kGaugeOverNames = {"the last accesses", "the range", "the whole run"};

/// Caches of a level: those from `first` up to, but not including, `end`.
struct CacheRange {
    std::uint32_t first = 0;
    std::uint32_t end = 1;
};

/// The value of a cache: a temperature from -1 (all misses) through 0 to 1 (all hits), any other measure from 0 to 1,
/// but traffic, which may be more; empty when there is nothing to measure. `window` contains the last accesses.
///
/// A temperature is the mean score of the accesses of the CPUs that use the cache, divided by the worst possible score
/// if below zero, else by the best.
std::optional<double> gaugeValue(const GaugeSettings& shows, const Hierarchy& caches, const Trace& trace,
                                 std::size_t level, std::uint32_t cache, std::span<const Glance> window);

/// The temperature of a range of a level's caches over the last accesses that asked one of them; empty when none did.
/// So a far level, which few accesses ask, is as warm as a near one where it does as well.
std::optional<double> askedTemperature(const TemperatureScores& scores, const MachineConfig& machine, std::size_t level,
                                       CacheRange caches, std::span<const Glance> window);

/// The share of hits among the last accesses' requests to a range of a level's caches; empty when there were none.
std::optional<double> recentHitRate(const MachineConfig& machine, std::size_t level, CacheRange caches,
                                    std::span<const Glance> window);

/// The requests to a cache over a span of accesses.
struct CacheRequests {
    std::uint64_t accesses = 0;  ///< accesses by the CPUs that use the cache, whether or not they reached it
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t transfers = 0;                    ///< CacheCounters::transfers()
    std::array<std::uint64_t, kMissKinds> kinds{};  ///< misses by kind

    bool operator==(const CacheRequests&) const = default;
};

/// The counts shown by gauges of a span (GaugeSettings::isOfSpan): those of `whorl stats` over the same span.
struct SpanRequests {
    Range of;
    bool isWhole = false;                            ///< the span is the whole trace
    std::vector<std::vector<CacheRequests>> caches;  ///< by level, then by cache

    /// The sums over some caches of a level.
    CacheRequests sum(std::size_t level, CacheRange range) const;
};

/// The requests in a range, from its measures, which must have a ledger.
SpanRequests spanRequests(const Measures& measures, Range of, bool isWhole);

/// The mean score of `accesses` accesses, of which `hits` hit and `misses` missed in a level, divided by the worst
/// possible score if below zero, else by the best: -1 to 1; 0 without accesses.
double temperatureOf(const TemperatureScores& scores, std::size_t level, double accesses, double hits, double misses);

/// The value of a gauge of a span (GaugeSettings::isOfSpan), on the scales of the other gaugeValue(); empty when there
/// is nothing to measure.
std::optional<double> gaugeValue(const GaugeSettings& shows, std::size_t level, const CacheRequests& requests);

/// The temperature of the requests alone, without accesses that did not ask the level; empty when there were none.
std::optional<double> askedTemperature(const TemperatureScores& scores, std::size_t level,
                                       const CacheRequests& requests);

}  // namespace whorl::sim
