#include "render/scene/palette.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <span>

#include "sim/analysis/cycle_walk.h"

namespace whorl::scene {

namespace {

constexpr float kTextContrast = 4.5f;
constexpr float kSignContrast = 3;
constexpr int kNameSteps = 20;
constexpr std::uint32_t kColours = 64;

constexpr Palette kDark(Ground::dark);
constexpr Palette kLight(Ground::light);

/// CPUs or classes: the first colours are those of the palette, the later ones are made.
struct Family {
    std::array<Rgba, kHues> Palette::*first;
    float turn;    ///< the hue at which the later colours begin, in turns
    float chroma;  ///< chroma of the later colours, in OKLab
};
constexpr Family kCpus{&Palette::cpus, 0, 0.13F};
constexpr Family kClasses{&Palette::classes, 0.5F, 0.09F};

/// Whether a colour is too near to that of a region, of a miss, or of the first CPUs and classes.
bool isTaken(Ground ground, glm::vec3 lab) {
    const Palette& palette = paletteFor(ground);
    const auto near = [&](Rgba other, float reach) { return glm::distance(lab, oklab(other)) < reach; };
    if (near(palette.flash, 0.1F) || near(palette.scrap, 0.06F)) return true;
    const auto isAmong = [&](const auto& others, float reach) {
        return std::any_of(others.begin(), others.end(), [&](Rgba other) { return near(other, reach); });
    };
    return isAmong(palette.hues, 0.06F) || isAmong(palette.cpus, 0.05F) || isAmong(palette.classes, 0.05F);
}

/// A later colour of a family: hues a golden angle apart, none of them red, in three lightnesses by turns, so that
/// neighbours differ in both; and so much darker or lighter that it is not taken.
Rgba laterColour(const Family& family, Ground ground, std::uint32_t index) {
    const float turn = static_cast<float>(index) * 0.381966F + family.turn;
    const float angle = (65 + 285 * (turn - std::floor(turn))) / 180 * kPi;
    const float step = static_cast<float>(index % 3) * 0.11F;
    const float light = (ground == Ground::dark ? 0.62F : 0.36F) + step;
    const glm::vec3 lab(light, family.chroma * std::cos(angle), family.chroma * std::sin(angle));
    glm::vec3 out = lab;
    for (int i = 1; i < 12 && isTaken(ground, oklab(fromOklab(out))); ++i) {
        const int steps = (i + 1) / 2;
        out.x = light + (i % 2 == 0 ? -0.02F : 0.02F) * static_cast<float>(steps);
    }
    return fromOklab(out);
}

using Colours = std::array<Rgba, kColours>;

Colours coloursOf(const Family& family, Ground ground) {
    Colours out{};
    for (std::uint32_t i = 0; i < kColours; ++i) {
        out[i] = i < kHues ? (paletteFor(ground).*family.first)[i] : laterColour(family, ground, i);
    }
    return out;
}

Rgba colourOf(const std::array<Colours, 2>& byGround, Ground ground, std::uint32_t index) {
    return byGround[ground == Ground::dark ? 0 : 1][index % kColours];
}

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

/// Stripes of the colour itself on a page that it has dimmed.
Ink striped(Ground ground, Texture texture, Rgba colour) {
    return {mixed(colour, paletteFor(ground).ground, 0.45f), texture, colour};
}

}  // namespace

const Palette& paletteFor(Ground ground) {
    return ground == Ground::dark ? kDark : kLight;
}

Rgba nameColour(Rgba hue, Ground ground) {
    const Palette& palette = paletteFor(ground);
    Rgba name = hue;
    for (int step = 1; contrast(name, palette.ground) < kTextContrast && step <= kNameSteps; ++step) {
        name = mixed(hue, palette.text, static_cast<float>(step) / static_cast<float>(kNameSteps));
    }
    return name;
}

Rgba dirtyMark(Rgba hue, Ground ground) {
    const Rgba mark = paletteFor(ground).ground;
    return contrast(hue, mark) >= kSignContrast ? mark : readableOn(hue);
}

Rgba cpuColour(Ground ground, std::uint32_t cpu) {
    static const std::array colours{coloursOf(kCpus, Ground::dark), coloursOf(kCpus, Ground::light)};
    return colourOf(colours, ground, cpu);
}

Rgba classColour(Ground ground, std::uint32_t number) {
    static const std::array colours{coloursOf(kClasses, Ground::dark), coloursOf(kClasses, Ground::light)};
    return colourOf(colours, ground, number);
}

Rgba rampColour(Ground ground, CellRamp ramp, float share) {
    const Palette& palette = paletteFor(ground);
    const bool ofMisses = ramp == CellRamp::misses;
    if (share <= 0) return ofMisses ? palette.noMisses : palette.nothing;
    return along(ofMisses ? palette.missStops : palette.neutralStops, share);
}

Rgba servedColour(Ground ground, std::size_t level, std::size_t levels) {
    const auto& stops = paletteFor(ground).levelStops;
    if (level >= levels) return paletteFor(ground).miss;
    if (levels <= stops.size()) return stops[level];
    return along(stops, static_cast<float>(level) / static_cast<float>(levels - 1));
}

Rgba glowColour(Ground ground, Rgba cell, float hits, float misses) {
    const Palette& palette = paletteFor(ground);
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

Ink cycleInk(Ground ground, const sim::CycleClasses& classes, std::size_t what) {
    const Palette& palette = paletteFor(ground);
    if (what == sim::CycleClasses::work()) return palette.work;
    if (what < sim::CycleClasses::served(classes.levels())) return servedColour(ground, what - 1, classes.levels());
    if (what == sim::CycleClasses::served(classes.levels())) return palette.memory;
    if (what == classes.coherence()) return palette.coherence;
    if (what == classes.overhead()) return palette.overhead;
    if (what == classes.locks()) return striped(ground, Texture::rising, palette.locks);
    if (what == classes.barriers()) return striped(ground, Texture::level, palette.barriers);
    if (what == classes.otherWaits()) return striped(ground, Texture::upright, palette.otherWaits);
    return paletteFor(ground).untouched;
}

}  // namespace whorl::scene
