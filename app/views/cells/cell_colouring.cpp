#include "app/views/cells/cell_colouring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "render/scene/cells/chart.h"
#include "render/scene/palette.h"
#include "sim/report/report.h"

namespace whorl::app {

namespace {

using Metric = scene::CellMetric;
using Sign = scene::CellKey::Sign;

/// The share of the largest number from which all are nearly the same.
constexpr float kAlike = 0.9f;
/// As many regions as a key names.
constexpr std::size_t kMaxNamed = 16;

/// A value is the index of its sign; greater ones have the last.
Colouring byCategory(std::vector<Sign> signs, std::string note = {}) {
    std::vector<scene::Ink> colours;
    colours.reserve(signs.size());
    for (const Sign& sign : signs) colours.push_back(sign.colour);
    Colouring out;
    out.key = {.scaling = scene::CellScaling::category, .signs = std::move(signs), .note = std::move(note)};
    out.colourOf = [colours = std::move(colours)](const scene::CellValues::Entry& e) {
        return colours[std::min(colours.size() - 1, static_cast<std::size_t>(std::max(0.0f, e.value)))];
    };
    return out;
}

std::vector<Sign> levelSigns(const ColouringOf& of, bool withMemory) {
    std::vector<Sign> signs;
    const std::size_t levels = of.machine.levels.size();
    for (std::size_t l = 0; l < levels; ++l) {
        signs.push_back({of.machine.levels[l].name, scene::servedColour(of.ground, l, levels)});
    }
    if (withMemory) signs.push_back({"memory", scene::servedColour(of.ground, levels, levels)});
    return signs;
}

Colouring byRegion(const ColouringOf& of) {
    std::vector<Sign> signs;
    const std::size_t regions = of.trace.regions().size();
    for (std::size_t r = 0; r < regions; ++r) {
        signs.push_back({of.trace.regions()[r].name, of.looks.inkOf(r, of.hues, of.ground)});
    }
    signs.push_back({"no region", scene::paletteFor(of.ground).muted});
    Colouring out = byCategory(std::move(signs));
    if (out.key.signs.size() > kMaxNamed) {
        out.key.note = fmt::format("and {} more", out.key.signs.size() - kMaxNamed);
        std::vector<Sign> named;
        for (std::size_t i = 0; i < kMaxNamed; ++i) named.push_back(out.key.signs[of.looks.byRank()[i]]);
        out.key.signs = std::move(named);
    }
    return out;
}

Colouring glow(const ColouringOf& of) {
    const scene::Palette& palette = scene::paletteFor(of.ground);
    Colouring out;
    out.key = {.scaling = scene::CellScaling::glow,
               .signs = {{"hit", palette.hit},
                         {"miss", palette.miss},
                         {"both", scene::glowColour(of.ground, palette.untouched, 1, 1)}},
               .note = fmt::format("halved every {:g} accesses", of.choice.halfLife)};
    out.colourOf = [ground = of.ground, base = palette.untouched](const scene::CellValues::Entry& e) {
        return scene::glowColour(ground, base, e.value, e.other);
    };
    return out;
}

Colouring onRamp(const ColouringOf& of) {
    const scene::CellScaling scaling = scene::kindOf(of.quantity.metric).scaling;
    const bool isShare = scaling == scene::CellScaling::share;
    const float most = isShare ? 1 : std::max(1.0f, of.most);
    // Where all cells have nearly the same number, the scale begins there: it shows what differs.
    const bool areAlike = !isShare && of.runs == 1 && of.least < most && of.least >= kAlike * most;
    const float least = areAlike ? std::floor(of.least) : 0;
    const bool isLogarithmic = !isShare && (of.choice.logarithmic || of.quantity.metric == Metric::since);
    const auto ramp = scaling == scene::CellScaling::misses ? scene::CellRamp::misses : scene::CellRamp::neutral;
    Colouring out;
    out.key = {.scaling = scaling,
               .most = isShare ? "100 %" : sim::grouped(static_cast<std::uint64_t>(std::ceil(most))),
               .least = sim::grouped(static_cast<std::uint64_t>(least)),
               .logarithmic = isLogarithmic};
    if (of.runs > 0 && !isShare) out.key.note = scene::commonScaleInWords(of.runs);
    if (of.display == scene::CellDisplay::cache && most > 0 && of.least >= kAlike * most) {
        scene::addNote(out.key,
                       "all cells are alike: what differs may be the blocks that compete for a set, or the "
                       "regions in \"cache now\"");
    }
    out.colourOf = [table = scene::ColourTable(of.ground, ramp, most, isLogarithmic, least)](
                       const scene::CellValues::Entry& e) { return table.of(e.value); };
    return out;
}

/// What a cell without a number is.
std::string_view wordsOfUntouched(const ColouringOf& of) {
    if (of.quantity.metric == Metric::residence) return "in memory only";
    if (of.quantity.metric == Metric::valid || of.quantity.metric == Metric::owner) return "empty";
    if (!scene::isLive(of.display)) return scene::isOfMemory(of.display) ? "not accessed" : "never used";
    return "not lately";
}

Colouring withoutSignOfUntouched(const ColouringOf& of) {
    const scene::Palette& palette = scene::paletteFor(of.ground);
    // For pairs that are neither good nor bad, the important one is bright; hues are reserved for regions.
    const scene::Rgba quiet = palette.quiet;
    const scene::Rgba loud = palette.text;
    switch (of.quantity.metric) {
        case Metric::glow:
            return glow(of);
        case Metric::served:
        case Metric::lastLevel:
            return byCategory(levelSigns(of, true));
        case Metric::residence:
            return byCategory(levelSigns(of, false));
        case Metric::lastHit:
            return byCategory({{"hit", palette.hit}, {"miss", palette.miss}});
        case Metric::lastWrite:
            return byCategory({{"read", quiet}, {"write", loud}});
        case Metric::valid:
            return byCategory({{"clean", quiet}, {"dirty", loud}});
        case Metric::owner:
            return byRegion(of);
        default:
            return onRamp(of);
    }
}

}  // namespace

Colouring colouringOf(const ColouringOf& of) {
    Colouring out = withoutSignOfUntouched(of);
    out.key.signs.push_back({std::string(wordsOfUntouched(of)), scene::paletteFor(of.ground).untouched});
    return out;
}

}  // namespace whorl::app
