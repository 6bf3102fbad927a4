#include "render/scene/rings/level_gauges.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

using What = sim::GaugeSettings::What;

constexpr float kRim = 4.0f;        ///< pixels of a picture 720 high
constexpr float kSoft = 0.22f;      ///< of a ring's breadth: where its fill fades in and out
constexpr float kMostBreadth = 60;  ///< pixels: beyond this it fades no slower

/// A scale of three colours.
struct Scale {
    Rgba low;
    Rgba middle;
    Rgba high;

    Rgba at(double value) const {
        return value < 0 ? mixed(middle, low, static_cast<float>(-value))
                         : mixed(middle, high, static_cast<float>(value));
    }
};

constexpr Scale kDarkFill{hex(0x0F2E57), hex(0x10151F), hex(0x521D13)};
constexpr Scale kDarkRim{hex(0x5AA9FF), hex(0x8A93A3), hex(0xFF7A55)};
constexpr Scale kLightFill{hex(0xD5E6F7), hex(0xF3F4F3), hex(0xFADAD3)};
constexpr Scale kLightRim{hex(0x2166AC), hex(0xB9BDC3), hex(0xB2182B)};

std::optional<double> valueOf(const Shot& shot, std::size_t level, std::uint32_t cache,
                              std::span<const sim::Glance> window) {
    return sim::gaugeValue(shot.view.gauge, shot.snapshot.now.hierarchy(), shot.subject.trace, level, cache, window);
}

class Disks {
  public:
    Disks(Scene& scene, const Shot& shot)
        : scene_(scene), shot_(shot), palette_(shot.style.palette()), window_(windowOf(shot)) {}

    void add() {
        for (std::size_t l = 0; l < shot_.layout.levels.size(); ++l) {
            for (std::uint32_t shown = 0; shown < shot_.layout.levels[l].caches(); ++shown) add(l, shown);
        }
    }

    static std::vector<sim::Glance> windowOf(const Shot& shot) {
        return {shot.snapshot.window.begin(), shot.snapshot.window.end()};
    }

  private:
    GaugeColours coloursOf(std::size_t level, std::uint32_t cache) const {
        const auto value = valueOf(shot_, level, cache, window_);
        if (!value) return {palette_.ring, palette_.line};
        switch (shot_.view.gauge.what) {
            case What::temperature:
                return temperatureColours(shot_.view.ground, *value);
            case What::regionShare:
                return shareColours(shot_.view.ground, shot_.style.hue(shot_.view.gauge.region), *value);
            case What::missRate:
            case What::missKind:
                return shareColours(shot_.view.ground, palette_.flash, *value);
            default:
                return shareColours(shot_.view.ground, palette_.accent, *value);
        }
    }

    void add(std::size_t level, std::uint32_t shown) {
        const LevelRing& ring = shot_.layout.levels[level];
        const GaugeColours colours = coloursOf(level, shot_.layout.cacheShown(level, shown));
        const float rim = kRim * shot_.layout.detail / shot_.lens.zoom;
        const float soft = kSoft * std::min(ring.outer() - ring.inner(), kMostBreadth * shot_.layout.detail);
        const float edge = ring.outer() + 0.3f * rim;
        addBand(ring, shown, ring.inner(), ring.inner() + soft, palette_.ring, colours.fill);
        addBand(ring, shown, ring.inner() + soft, ring.outer() - soft, colours.fill, colours.fill);
        addBand(ring, shown, ring.outer() - soft, edge, colours.fill, palette_.ring);
        addBand(ring, shown, edge, edge + rim, colours.rim, colours.rim);
    }

    /// A part of the ring between two radii, in pieces where the sides of the sector change their curve.
    void addBand(const LevelRing& ring, std::uint32_t shown, float inner, float outer, Rgba from, Rgba to) {
        const float zoom = shot_.lens.zoom;
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
            scene_.petals.push_back({.inner = low * zoom,
                                     .outer = high * zoom,
                                     .from = sector.from,
                                     .span = sector.span,
                                     .base = (low > ring.outer() ? 1e-3f : band.base()) * zoom,
                                     .innerColour = colourAt(low),
                                     .outerColour = colourAt(high)});
        }
    }

    Scene& scene_;
    const Shot& shot_;
    const Palette& palette_;
    std::vector<sim::Glance> window_;
};

}  // namespace

GaugeColours temperatureColours(Ground ground, double value) {
    const bool dark = ground == Ground::dark;
    return {(dark ? kDarkFill : kLightFill).at(value), (dark ? kDarkRim : kLightRim).at(value)};
}

GaugeColours shareColours(Ground ground, Rgba hue, double value) {
    const Palette& palette = paletteFor(ground);
    const auto share = static_cast<float>(value);
    return {mixed(palette.ring, hue, 0.22f * share), mixed(palette.line, hue, 0.15f + 0.85f * share)};
}

void addLevelGauges(Scene& scene, const Shot& shot) {
    scene.legend.temperature = shot.view.gauge.what == What::temperature;
    Disks(scene, shot).add();
}

std::string gaugeText(const Shot& shot, std::size_t level, std::uint32_t cache) {
    if (shot.view.gauge.what == What::nothing) return {};
    const auto value = valueOf(shot, level, cache, Disks::windowOf(shot));
    if (!value) return {};
    const double percent = 100 * *value;
    switch (shot.view.gauge.what) {
        case What::temperature:
            return fmt::format("temp {}{:.2f}", *value < -0.004 ? "−" : *value > 0.004 ? "+" : "", std::abs(*value));
        case What::occupancy:
            return fmt::format("full {:.0f} %", percent);
        case What::regionShare: {
            const auto& regions = shot.subject.trace.regions();
            const std::size_t r = shot.view.gauge.region;
            return fmt::format("{} {:.0f} %", r < regions.size() ? regions[r].name : "other", percent);
        }
        case What::dirtiness:
            return fmt::format("dirty {:.0f} %", percent);
        case What::missRate:
            return fmt::format("missing {:.0f} %", percent);
        case What::missKind:
            return fmt::format("{} {:.0f} %", sim::kMissKindWords[static_cast<std::size_t>(shot.view.gauge.kind)],
                               percent);
        default:
            return {};
    }
}

}  // namespace whorl::scene
