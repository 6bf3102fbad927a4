#include "render/scene/cells/cell_colours.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace whorl::scene {

namespace {

constexpr CellPalette kDark{.ground = hex(0x0B0E14),
                            .untouched = hex(0x161B24),
                            .boundary = hex(0x6F7B8E),
                            .boundary2 = hex(0xFFDE9C),
                            .page = hex(0x8C96A8),
                            .pageInTlb = hex(0xA8F0C9),
                            .pageInMemory = hex(0x7EA2E7),
                            .pageOnDisk = hex(0x725442),
                            .outline = hex(0xC9D1DC),
                            .hit = hex(0x2A62FF),
                            .miss = hex(0xFF3020),
                            .conflict = hex(0xFFD166)};
constexpr CellPalette kLight{.ground = hex(0xFAFAF7),
                             .untouched = hex(0xE9E9E4),
                             .boundary = hex(0x000000),
                             .boundary2 = hex(0x5A3CC9),
                             .page = hex(0x6E747E),
                             .pageInTlb = hex(0x3C663F),
                             .pageInMemory = hex(0x4B60A5),
                             .pageOnDisk = hex(0x9A5B2F),
                             .outline = hex(0x3A3F47),
                             .hit = hex(0x1565E0),
                             .miss = hex(0xD11507),
                             .conflict = hex(0x4B3300)};

// Stops at even distances, mixed in OKLab between them.
constexpr std::array kMissesDark{hex(0x2A2527), hex(0x5E1F1C), hex(0xA62A20), hex(0xFF4A36)};
constexpr std::array kMissesLight{hex(0xF7DED6), hex(0xF5A493), hex(0xD63A2B), hex(0x6E0606)};
constexpr std::array kNeutralDark{hex(0x222C3D), hex(0x2C5F82), hex(0x3FA79F), hex(0xF2F0B0)};
constexpr std::array kNeutralLight{hex(0xD2E3E0), hex(0x8CC5BF), hex(0x35809C), hex(0x14265A)};

constexpr std::array kServedDark{hex(0x5A90ED), hex(0x51AE96), hex(0xDEC651), hex(0xE48448)};
constexpr std::array kServedLight{hex(0x2163DE), hex(0x098469), hex(0x9F7500), hex(0xC66642)};

Rgba along(std::span<const Rgba> stops, float share) {
    const float at = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(stops.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    return mixed(stops[i], stops[i + 1], at - static_cast<float>(i));
}

/// How bright a sum of decayed accesses is, 0 to 1.
float brightness(float sum) {
    return 1 - std::exp(-0.6f * sum);
}

std::uint8_t byteOf(float value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 255.0f)));
}

}  // namespace

const CellPalette& cellPaletteFor(Ground ground) {
    return ground == Ground::dark ? kDark : kLight;
}

Rgba rampColour(Ground ground, CellRamp ramp, float share) {
    const bool dark = ground == Ground::dark;
    if (ramp == CellRamp::misses) return along(dark ? std::span(kMissesDark) : std::span(kMissesLight), share);
    return along(dark ? std::span(kNeutralDark) : std::span(kNeutralLight), share);
}

Rgba servedColour(Ground ground, std::size_t level, std::size_t levels) {
    const auto& stops = ground == Ground::dark ? kServedDark : kServedLight;
    if (level >= levels) return cellPaletteFor(ground).miss;
    if (levels <= stops.size()) return stops[level];
    return along(stops, static_cast<float>(level) / static_cast<float>(levels - 1));
}

Rgba glowColour(Ground ground, Rgba cell, float hits, float misses) {
    const CellPalette& palette = cellPaletteFor(ground);
    const float h = brightness(hits);
    const float m = brightness(misses);
    const auto channel = [&](std::uint8_t below, std::uint8_t hit, std::uint8_t miss) {
        const auto base = static_cast<float>(below);
        if (ground == Ground::dark) {
            return byteOf(base + h * static_cast<float>(hit) + m * static_cast<float>(miss));
        }
        const float byHit = 1 - h * (1 - static_cast<float>(hit) / 255);
        const float byMiss = 1 - m * (1 - static_cast<float>(miss) / 255);
        return byteOf(base * byHit * byMiss);
    };
    return {channel(cell.r, palette.hit.r, palette.miss.r), channel(cell.g, palette.hit.g, palette.miss.g),
            channel(cell.b, palette.hit.b, palette.miss.b), 255};
}

}  // namespace whorl::scene
