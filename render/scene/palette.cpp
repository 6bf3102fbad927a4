#include "render/scene/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/analysis/cycle_walk.h"
#include "sim/analysis/history.h"

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
    const float light = (isDark(ground) ? 0.62F : 0.36F) + step;
    const glm::vec3 lab(light, family.chroma * std::cos(angle), family.chroma * std::sin(angle));
    glm::vec3 out = lab;
    for (int i = 1; i < 12 && isTaken(ground, oklab(fromOklab(out))); ++i) {
        const int steps = (i + 1) / 2;
        out.x = light + (i % 2 == 0 ? -0.02F : 0.02F) * static_cast<float>(steps);
    }
    return fromOklab(out);
}

using ManyColours = std::array<Rgba, kColours>;

ManyColours coloursOf(const Family& family, Ground ground) {
    ManyColours out{};
    for (std::uint32_t i = 0; i < kColours; ++i) {
        out[i] = i < kHues ? (paletteFor(ground).*family.first)[i] : laterColour(family, ground, i);
    }
    return out;
}

/// All colours on a ground.
struct Colours {
    Palette palette;
    ManyColours cpus;
    ManyColours classes;
};

/// The colours of the table, on the dark and on the light ground.
const std::array<Colours, 2>& usualColours() {
    const auto of = [](Ground ground) {
        return Colours{paletteFor(ground), coloursOf(kCpus, ground), coloursOf(kClasses, ground)};
    };
    static const std::array kUsual{of(Ground::dark), of(Ground::light)};
    return kUsual;
}

struct RoleRow : ColourRole {
    Rgba& (*in)(Colours&, std::size_t) = nullptr;
    std::size_t index = 0;  ///< among several colours of one row of the palette
};

template <auto kMember>
Rgba& inPalette(Colours& colours, std::size_t index) {
    auto& colour = colours.palette.*kMember;
    if constexpr (std::is_same_v<decltype(colour), Rgba&>) {
        return colour;
    } else {
        return colour[index];
    }
}

void addSeveral(std::vector<RoleRow>& rows) {
    for (std::size_t i = 0; i < kColours; ++i) {
        rows.push_back({{fmt::format("cpu-{}", i), fmt::format("CPU {}", i), static_cast<std::uint32_t>(i)},
                        [](Colours& colours, std::size_t cpu) -> Rgba& { return colours.cpus[cpu]; },
                        i});
    }
    for (std::size_t i = 0; i < sim::kHoldingNames.size(); ++i) {
        const char* const name = sim::kHoldingNames[i];
        rows.push_back(
            {{fmt::format("state-{}", name), fmt::format("{} blocks", name)}, inPalette<&Palette::holding>, i});
    }
    for (std::size_t i = 0; i < sim::kMissKinds; ++i) {
        const std::string_view name = sim::kMissKindWords[i];
        rows.push_back(
            {{fmt::format("{}-miss", name), fmt::format("misses: {}", name)}, inPalette<&Palette::missKinds>, i});
    }
}

/// One row a colour that can be chosen.
const std::vector<RoleRow>& roleRows() {
    static const std::vector<RoleRow> kRows = [] {
        std::vector<RoleRow> rows{
            {{"source", "a picked source line, and what goes with it"}, inPalette<&Palette::source>},
            {{"object", "a picked object, and what goes with it"}, inPalette<&Palette::object>},
            {{"picked", "a picked stay"}, inPalette<&Palette::picked>},
            {{"mark", "what is under the pointer, or selected"}, inPalette<&Palette::mark>},
            {{"watch", "watched blocks"}, inPalette<&Palette::watch>},
            {{"flash", "the flash of a miss"}, inPalette<&Palette::flash>},
            {{"hit", "the light of a hit"}, inPalette<&Palette::hit>},
            {{"miss", "the light of a miss"}, inPalette<&Palette::miss>},
            {{"dirty", "dirty data"}, inPalette<&Palette::dirty>},
            {{"conflict", "lines of conflict"}, inPalette<&Palette::conflict>},
            {{"boundary", "boundaries of ways of the nearest level"}, inPalette<&Palette::boundary>},
            {{"boundary2", "boundaries of ways of the next level"}, inPalette<&Palette::boundary2>},
            {{"page", "boundaries of pages"}, inPalette<&Palette::page>},
            {{"untouched", "cells that were never accessed"}, inPalette<&Palette::untouched>},
            {{"node", "nodes of folded graphs"}, inPalette<&Palette::node>},
            {{"several", "marks of several CPUs, states or classes"}, inPalette<&Palette::several>},
            {{"lens", "the lens"}, inPalette<&Palette::lens>},
            {{"playhead", "the playhead"}, inPalette<&Palette::playhead>},
            {{"critical-path", "the critical path"}, inPalette<&Palette::criticalPath>},
            {{"work", "cycles of work"}, inPalette<&Palette::work>},
            {{"memory", "cycles that memory takes"}, inPalette<&Palette::memory>},
            {{"coherence", "cycles that coherence takes"}, inPalette<&Palette::coherence>},
            {{"overhead", "cycles of overhead"}, inPalette<&Palette::overhead>},
            {{"locks", "waits for locks"}, inPalette<&Palette::locks>},
            {{"barriers", "waits at barriers"}, inPalette<&Palette::barriers>},
            {{"other-waits", "other waits"}, inPalette<&Palette::otherWaits>},
        };
        addSeveral(rows);
        return rows;
    }();
    return kRows;
}

using Chosen = std::vector<ChosenColour>;

/// A set of chosen colours, and all colours with them. It is made once and kept for good; any thread may ask for it.
struct Choice {
    Chosen chosen;
    std::size_t number;
    const Choice* before;                             ///< the one that was made before
    std::array<Colours, 2> colours = usualColours();  ///< on the dark and on the light ground
};

std::atomic<const Choice*> newestChoice = nullptr;

/// Null: there is none.
template <class F>
const Choice* firstChoice(const F& isWanted) {
    const Choice* choice = newestChoice.load();
    while (choice != nullptr && !isWanted(*choice)) choice = choice->before;
    return choice;
}

/// Null: none was chosen on this ground.
const Choice* choiceOn(Ground ground) {
    if (ground == plain(ground)) return nullptr;
    // Pictures ask for many colours of one ground.
    thread_local const Choice* last = nullptr;
    const std::size_t number = static_cast<std::size_t>(ground) / 2;
    if (last == nullptr || last->number != number) {
        last = firstChoice([&](const Choice& choice) { return choice.number == number; });
    }
    return last;
}

const Colours& coloursOn(Ground ground) {
    const Choice* const choice = choiceOn(ground);
    return (choice == nullptr ? usualColours() : choice->colours)[isDark(ground) ? 0 : 1];
}

const Choice* choiceOf(const Chosen& chosen) {
    while (true) {
        const Choice* before = newestChoice.load();
        const Choice* const same = firstChoice([&](const Choice& choice) { return choice.chosen == chosen; });
        if (same != nullptr) return same;
        auto choice = std::make_unique<Choice>(Choice{chosen, before == nullptr ? 1 : before->number + 1, before});
        for (Colours& colours : choice->colours) {
            for (const ChosenColour& c : chosen) roleRows()[c.role].in(colours, roleRows()[c.role].index) = c.colour;
        }
        if (newestChoice.compare_exchange_strong(before, choice.get())) return choice.release();
    }
}

Ground groundOf(bool dark, const Chosen& chosen) {
    const std::size_t number = chosen.empty() ? 0 : choiceOf(chosen)->number;
    return static_cast<Ground>(2 * number + (dark ? 0 : 1));
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
    if (ground == Ground::dark) return kDark;
    return ground == Ground::light ? kLight : coloursOn(ground).palette;
}

std::span<const ColourRole> colourRoles() {
    static const std::vector<ColourRole> kRoles(roleRows().begin(), roleRows().end());
    return kRoles;
}

Rgba roleColour(Ground ground, std::size_t role) {
    Colours colours = coloursOn(ground);
    return roleRows()[role].in(colours, roleRows()[role].index);
}

std::span<const ChosenColour> chosenColours(Ground ground) {
    const Choice* const choice = choiceOn(ground);
    return choice == nullptr ? std::span<const ChosenColour>() : choice->chosen;
}

Ground withColour(Ground ground, std::size_t role, std::optional<Rgba> colour) {
    const auto before = chosenColours(ground);
    Chosen chosen(before.begin(), before.end());
    std::erase_if(chosen, [&](const ChosenColour& c) { return c.role == role; });
    if (colour) chosen.push_back({role, *colour});
    std::ranges::sort(chosen, {}, &ChosenColour::role);
    return groundOf(isDark(ground), chosen);
}

Ground withColours(Ground ground, Ground colours) {
    const auto chosen = chosenColours(colours);
    return groundOf(isDark(ground), Chosen(chosen.begin(), chosen.end()));
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
    return coloursOn(ground).cpus[cpu % kColours];
}

Rgba classColour(Ground ground, std::uint32_t number) {
    return coloursOn(ground).classes[number % kColours];
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
        if (isDark(ground)) {
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
