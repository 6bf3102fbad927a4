#include "render/scene/rings/level_gauges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/analysis/level_gauge.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

using What = sim::GaugeSettings::What;

constexpr double kFaint = 0.4;     ///< the power that brings out temperatures near 0
constexpr float kRim = 4.0f;       ///< pixels of a picture 720 high
constexpr float kSoft = 0.22f;     ///< share of a ring's breadth in which its fill fades in and out
constexpr double kEven = 0.2;      ///< a temperature nearer to 0 than this means neither many misses nor many hits
constexpr float kMaxBreadth = 60;  ///< breadth from which on the fill fades no slower, pixels

std::optional<double> valueOf(const FrameContext& frame, std::size_t level, std::uint32_t cache,
                              std::span<const sim::Glance> window) {
    if (frame.view.gauge.isOfSpan()) {
        const sim::SpanRequests* const span = frame.view.gaugeSpan.get();
        return span != nullptr ? sim::gaugeValue(frame.view.gauge, level, span->caches[level][cache]) : std::nullopt;
    }
    return sim::gaugeValue(frame.view.gauge, frame.snapshot.now.hierarchy(), frame.subject.trace, level, cache, window);
}

class LevelGauges {
  public:
    LevelGauges(Scene& scene, const FrameContext& frame)
        : scene_(scene), frame_(frame), palette_(frame.style.palette()), window_(windowOf(frame)) {}

    void add() {
        for (std::size_t l = 0; l < frame_.layout.levels.size(); ++l) {
            for (std::uint32_t shown = 0; shown < frame_.layout.levels[l].caches(); ++shown) add(l, shown);
        }
    }

    static std::vector<sim::Glance> windowOf(const FrameContext& frame) {
        return {frame.snapshot.window.begin(), frame.snapshot.window.end()};
    }

  private:
    GaugeColours coloursOf(std::size_t level, std::uint32_t cache) const {
        const auto value = valueOf(frame_, level, cache, window_);
        if (!value) return {palette_.ring, palette_.line};
        switch (frame_.view.gauge.what) {
            case What::temperature:
                return temperatureColours(frame_.view.ground, *value);
            case What::regionShare:
                return shareColours(frame_.view.ground, frame_.style.hue(frame_.view.gauge.region), *value);
            case What::missRate:
            case What::missKind:
                return shareColours(frame_.view.ground, palette_.flash, *value);
            default:
                return shareColours(frame_.view.ground, palette_.accent, std::min(1.0, *value));
        }
    }

    void add(std::size_t level, std::uint32_t shown) {
        const LevelRing& ring = frame_.layout.levels[level];
        const std::uint32_t cache = frame_.layout.cacheShown(level, shown);
        const GaugeColours colours = coloursOf(level, cache);
        scene_.legend.idle |= scene_.legend.temperature && !frame_.view.gauge.isOfSpan() &&
                              !sim::recentHitRate(frame_.subject.machine, level, {cache, cache + 1}, window_);
        const float rim = kRim * frame_.layout.detail / frame_.lens.zoom;
        const float soft = kSoft * std::min(ring.outer() - ring.inner(), kMaxBreadth * frame_.layout.detail);
        const float edge = ring.outer() + 0.3f * rim;
        addBand(ring, shown, ring.inner(), ring.inner() + soft, palette_.ring, colours.fill);
        addBand(ring, shown, ring.inner() + soft, ring.outer() - soft, colours.fill, colours.fill);
        addBand(ring, shown, ring.outer() - soft, edge, colours.fill, palette_.ring);
        addBand(ring, shown, edge, edge + rim, colours.rim, colours.rim);
    }

    /// A part of the ring between two radii, in pieces where the sides of the sector change their curve.
    void addBand(const LevelRing& ring, std::uint32_t shown, float inner, float outer, Rgba from, Rgba to) {
        const float zoom = frame_.lens.zoom;
        if (ring.caches() == 1) {
            scene_.annuli.push_back({inner * zoom, outer * zoom, from, to});
            return;
        }
        const auto colourAt = [&](float r) { return mixed(from, to, (r - inner) / (outer - inner)); };
        for (const Arms& band : ring.bands()) {
            const bool last = &band == &ring.bands().back();
            const float low = std::max(inner, band.inner());
            const float high = last ? outer : std::min(outer, band.outer());
            if (high <= low) continue;
            const Sector sector = ring.sector(shown, low);
            scene_.ringSectors.push_back({.inner = low * zoom,
                                          .outer = high * zoom,
                                          .from = sector.from,
                                          .span = sector.span,
                                          .base = low > ring.outer() ? 0 : band.base() * zoom,
                                          .innerColour = colourAt(low),
                                          .outerColour = colourAt(high)});
        }
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Palette& palette_;
    std::vector<sim::Glance> window_;
};

}  // namespace

GaugeColours temperatureColours(Ground ground, double value) {
    const Palette& palette = paletteFor(ground);
    // Few accesses reach a far level, so that its temperature stays near 0; it must be visible all the same.
    const double shown = std::copysign(std::pow(std::abs(value), kFaint), value);
    return {palette.temperatureFill.at(shown), palette.temperatureRim.at(shown)};
}

std::string_view temperatureInWords(double value) {
    return value < -kEven ? "many misses" : value > kEven ? "many hits" : "hits and misses";
}

GaugeColours shareColours(Ground ground, Rgba hue, double value) {
    const Palette& palette = paletteFor(ground);
    const auto share = static_cast<float>(value);
    return {mixed(palette.ring, hue, 0.22f * share), mixed(palette.line, hue, 0.15f + 0.85f * share)};
}

void addLevelGauges(Scene& scene, const FrameContext& frame) {
    scene.legend.temperature = frame.view.gauge.what == What::temperature && !frame.layout.levels.empty();
    LevelGauges(scene, frame).add();
}

namespace {

/// The value of a miss rate, a kind of misses, or traffic: "missing 58.0 %", "traffic 1.25 an access".
std::string spanValue(const sim::GaugeSettings& gauge, double value) {
    if (gauge.what == What::traffic) return fmt::format("traffic {:.2f} an access", value);
    return fmt::format(
        "{} {:.1f} %",
        gauge.what == What::missRate ? "missing" : sim::kMissKindWords[static_cast<std::size_t>(gauge.kind)],
        100 * value);
}

/// "missing 58.0 % in the run", with the same number of decimals as the hit rates beside it.
std::string spanText(const FrameContext& frame, std::size_t level, std::uint32_t cache) {
    const sim::SpanRequests* const span = frame.view.gaugeSpan.get();
    if (span == nullptr) return "not measured yet";
    const sim::GaugeSettings& gauge = frame.view.gauge;
    const sim::CacheRequests& requests = span->caches[level][cache];
    const char* const where = span->isWhole ? "in the run" : "in the range";
    if (gauge.what == What::temperature) {
        const auto asked = sim::askedTemperature(gauge.scores, level, requests);
        return fmt::format("{} {}", asked ? temperatureInWords(*asked) : "idle", where);
    }
    const auto value = sim::gaugeValue(gauge, level, requests);
    if (!value) return fmt::format("{} {}", gauge.what == What::missKind ? "no misses" : "idle", where);
    return fmt::format("{} {}", spanValue(gauge, *value), where);
}

}  // namespace

std::vector<std::string> gaugeSpanNotes(const FrameContext& frame, std::size_t level, sim::CacheRange caches,
                                        bool tellsValue) {
    const sim::SpanRequests* const span = frame.view.gaugeSpan.get();
    if (span == nullptr)
        return tellsValue ? std::vector{spanText(frame, level, caches.first)} : std::vector<std::string>{};
    const std::string accesses = span->isWhole
                                     ? fmt::format("of all {} accesses", sim::grouped(span->of.size()))
                                     : fmt::format("of accesses {} – {} ({})", sim::grouped(span->of.from.value),
                                                   sim::grouped(span->of.to.value), sim::grouped(span->of.size()));
    const sim::CacheRequests requests = span->sum(level, caches);
    const std::uint64_t asked = requests.hits + requests.misses;
    if (frame.view.gauge.what == What::temperature) {
        if (asked == 0) return {"no requests", accesses};
        const double hits = 100 * static_cast<double>(requests.hits) / static_cast<double>(asked);
        return {fmt::format("{:.1f} % hits of the requests", hits), accesses};
    }
    const auto value = sim::gaugeValue(frame.view.gauge, level, requests);
    if (frame.view.gauge.what == What::traffic) {
        return {tellsValue && value ? spanValue(frame.view.gauge, *value) : "blocks and writes, in and out", accesses};
    }
    const std::string whole = frame.view.gauge.what == What::missKind ? "misses" : "requests";
    if (!tellsValue) return {fmt::format("of the {} {}", whole, accesses)};
    if (!value) return {"no " + whole, accesses};
    return {fmt::format("{} of {}", spanValue(frame.view.gauge, *value), whole), accesses};
}

std::string gaugeText(const FrameContext& frame, std::size_t level, std::uint32_t cache) {
    if (frame.view.gauge.what == What::nothing) return {};
    if (frame.view.gauge.isOfSpan()) return spanText(frame, level, cache);
    const std::vector<sim::Glance> window = LevelGauges::windowOf(frame);
    const auto value = valueOf(frame, level, cache, window);
    if (!value) return {};
    const double percent = 100 * *value;
    switch (frame.view.gauge.what) {
        case What::temperature: {
            // Only the accesses that reached the cache, so that the words agree with its hit rate.
            const auto asked = sim::askedTemperature(frame.view.gauge.scores, frame.subject.machine, level,
                                                     {cache, cache + 1}, window);
            return asked ? std::string(temperatureInWords(*asked)) : "idle";
        }
        case What::occupancy:
            return fmt::format("full {:.0f} %", percent);
        case What::regionShare: {
            const auto& regions = frame.subject.trace.regions();
            const std::size_t r = frame.view.gauge.region;
            return fmt::format("{} {:.0f} %", r < regions.size() ? regions[r].name : "other", percent);
        }
        case What::dirtiness:
            return fmt::format("dirty {:.0f} %", percent);
        case What::traffic:
            return spanValue(frame.view.gauge, *value);
        case What::missRate:
            return fmt::format("missing {:.0f} %", percent);
        case What::missKind:
            return fmt::format("{} {:.0f} %", sim::kMissKindWords[static_cast<std::size_t>(frame.view.gauge.kind)],
                               percent);
        default:
            return {};
    }
}

}  // namespace whorl::scene
