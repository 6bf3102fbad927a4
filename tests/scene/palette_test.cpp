// The palettes stay distinguishable under all four kinds of vision, and text keeps its contrast.
#include "render/scene/palette.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <vector>

#include "sim/analysis/cycle_walk.h"
#include "sim/machine/machine_config.h"

namespace whorl::scene {
namespace {

// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB; rows as printed there.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

double linear(std::uint8_t c) {
    const double x = c / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

std::uint8_t encoded(double c) {
    c = std::min(1.0, std::max(0.0, c));
    const double x = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
    return static_cast<std::uint8_t>(std::lround(x * 255));
}

Rgba seen(Rgba c, const Matrix& m) {
    const std::array<double, 3> in = {linear(c.r), linear(c.g), linear(c.b)};
    std::array<double, 3> out{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) out[i] += m[i][j] * in[j];
    }
    return {encoded(out[0]), encoded(out[1]), encoded(out[2]), 255};
}

template <class Colours>
double worstPair(const Colours& colours) {
    double worst = 1e9;
    for (const Matrix& m : {kNormal, kProtan, kDeutan, kTritan}) {
        for (std::size_t i = 0; i < colours.size(); ++i) {
            for (std::size_t j = i + 1; j < colours.size(); ++j) {
                const glm::vec3 a = oklab(seen(colours[i], m));
                const glm::vec3 b = oklab(seen(colours[j], m));
                worst = std::min(worst, 100.0 * glm::distance(a, b));
            }
        }
    }
    return worst;
}

TEST(Palette, HuesStayApartUnderAllFourVisions) {
    EXPECT_GE(worstPair(paletteFor(Ground::dark).hues), 13.2);
    EXPECT_GE(worstPair(paletteFor(Ground::light).hues), 12.6);
}

std::array<Rgba, 8> cpuColours(Ground ground) {
    std::array<Rgba, 8> out{};
    for (std::uint32_t cpu = 0; cpu < out.size(); ++cpu) out[cpu] = cpuColour(ground, cpu);
    return out;
}

Rgba shaded(Rgba c, double light) {
    const auto part = [&](std::uint8_t x) { return static_cast<std::uint8_t>(std::lround(x * light)); };
    return {part(c.r), part(c.g), part(c.b), 255};
}

TEST(Palette, EightCpusStayApartUnderAllFourVisionsAndInTheShade) {
    EXPECT_GE(worstPair(cpuColours(Ground::dark)), 8);
    EXPECT_GE(worstPair(cpuColours(Ground::light)), 8);
    for (const Ground ground : {Ground::dark, Ground::light}) {
        // A box viewed by the default camera: its broad side, and its top.
        const double ambient = paletteFor(ground).ambient;
        const std::array lights = {ambient + 0.92 * (1 - ambient), ambient + 0.26 * (1 - ambient)};
        const auto colours = cpuColours(ground);
        for (std::size_t i = 0; i < 64; ++i) {
            if (i / 8 == i % 8) continue;
            for (const double a : lights) {
                for (const double b : lights) {
                    const glm::vec3 one = oklab(shaded(colours[i / 8], a));
                    const glm::vec3 other = oklab(shaded(colours[i % 8], b));
                    EXPECT_GE(100 * glm::distance(one, other), 7.5) << i / 8 << " and " << i % 8;
                }
            }
        }
    }
}

TEST(Palette, TextCanBeRead) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const Palette& p = paletteFor(ground);
        EXPECT_GE(contrast(p.text, p.ground), 7);
        EXPECT_GE(contrast(p.muted, p.ground), 4.5);
        for (const Rgba hue : p.hues) EXPECT_GE(contrast(hue, p.ground), 3);
    }
}

/// All colours in which a block may be drawn.
std::vector<Rgba> regionColours(Ground ground) {
    const Palette& p = paletteFor(ground);
    std::vector<Rgba> out(p.hues.begin(), p.hues.end());
    out.push_back(p.scrap);
    return out;
}

TEST(Palette, NamesInAHueCanBeRead) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (const Rgba hue : regionColours(ground)) {
            EXPECT_GE(contrast(nameColour(hue, ground), paletteFor(ground).ground), 4.5);
        }
        // Whatever a person chooses.
        for (std::uint32_t c = 0; c < 1u << 24; c += 99991) {
            EXPECT_GE(contrast(nameColour(hex(c), ground), paletteFor(ground).ground), 4.5) << c;
        }
        // Where the hue itself can be read it stays.
        for (const Rgba hue : paletteFor(ground).hues) {
            if (contrast(hue, paletteFor(ground).ground) < 4.5) continue;
            EXPECT_EQ(nameColour(hue, ground), hue);
        }
    }
}

TEST(Palette, TheMarkOfADirtyBlockIsSeenOnEveryHue) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (const Rgba hue : regionColours(ground)) {
            EXPECT_GE(contrast(dirtyMark(hue, ground), hue), 3);
            EXPECT_EQ(dirtyMark(hue, ground), paletteFor(ground).ground);
        }
        for (std::uint32_t c = 0; c < 1u << 24; c += 9973) {
            EXPECT_GE(contrast(dirtyMark(hex(c), ground), hex(c)), 3) << c;
        }
    }
}

/// The least distance between a colour of one family and one of another, under one vision.
double apart(const std::vector<Rgba>& some, const std::vector<Rgba>& others, const Matrix& m) {
    double least = 1e9;
    for (const Rgba a : some) {
        for (const Rgba b : others) {
            least = std::min(least, 100.0 * glm::distance(oklab(seen(a, m)), oklab(seen(b, m))));
        }
    }
    return least;
}

std::vector<Rgba> colours(Rgba (*of)(Ground, std::uint32_t), Ground ground, std::uint32_t count) {
    std::vector<Rgba> out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(of(ground, i));
    return out;
}

std::vector<Rgba> reds(Ground ground) {
    const Palette& cells = paletteFor(ground);
    return {paletteFor(ground).flash, cells.miss};
}

struct Pair {
    const char* name;
    std::vector<Rgba> some;
    std::vector<Rgba> others;
    double normal;     ///< the least distance under normal vision
    double dichromat;  ///< … under protan, deutan and tritan vision
};

// On the light ground dichromats may take a miss for a rust-coloured region: the outline tells it, as everywhere.
TEST(Palette, WhatIsOnOneScreenSharesNoColour) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const Palette& space = paletteFor(ground);
        const std::vector<Rgba> regions = regionColours(ground);
        const std::vector<Rgba> cpus = colours(cpuColour, ground, 8);
        const std::vector<Rgba> classes = colours(classColour, ground, 8);
        const std::vector<Rgba> picks = {space.source, space.object};
        const std::vector<Rgba> lens = {space.lens};
        const Palette& cells = paletteFor(ground);
        std::vector<Rgba> ofCells = {cells.boundary2, cells.pageInTlb, cells.pageInMemory, cells.pageOnDisk};
        for (std::size_t l = 0; l < 4; ++l) ofCells.push_back(servedColour(ground, l, 4));
        const std::vector<Rgba> states(space.holding.begin(), space.holding.end());
        for (const Pair& p : {Pair{"regions, CPUs", regions, cpus, 7, 3.5},
                              Pair{"regions, classes", regions, classes, 7, 3.5},
                              Pair{"CPUs, classes", cpus, classes, 7, 3.5},
                              Pair{"regions, picks", regions, picks, 8, 3},
                              Pair{"regions, states", regions, states, 5, 2.5},
                              Pair{"CPUs, picks", cpus, picks, 10, 4},
                              Pair{"classes, picks", classes, picks, 10, 4},
                              Pair{"nodes, picks", {space.node}, picks, 11, 5},
                              Pair{"states, picks", states, picks, 8, 3},
                              Pair{"regions, lens", regions, lens, 5, 2.5},
                              Pair{"CPUs, lens", cpus, lens, 5, 2.5},
                              Pair{"classes, lens", classes, lens, 5, 2.5},
                              Pair{"picks, lens", picks, lens, 10, 4},
                              Pair{"regions, cells", regions, ofCells, 3.5, 1.5},
                              Pair{"watched, regions", {paletteFor(ground).watch}, regions, 5, 2.5},
                              Pair{"watched, CPUs", {paletteFor(ground).watch}, cpus, 5, 2.5},
                              Pair{"watched, picks", {paletteFor(ground).watch}, picks, 8, 3},
                              Pair{"watched, lens", {paletteFor(ground).watch}, lens, 5, 2.5},
                              Pair{"CPUs, cells", cpus, ofCells, 3.5, 1.5},
                              Pair{"misses, regions", reds(ground), regions, 8, 0},
                              Pair{"misses, CPUs", reds(ground), cpus, 10, 3.5},
                              Pair{"misses, classes", reds(ground), classes, 10, 3.5},
                              Pair{"misses, picks", reds(ground), picks, 10, 3.5},
                              Pair{"misses, lens", reds(ground), lens, 10, 3.5}}) {
            EXPECT_GE(apart(p.some, p.others, kNormal), p.normal) << p.name << static_cast<int>(ground);
            for (const Matrix& m : {kProtan, kDeutan, kTritan}) {
                EXPECT_GE(apart(p.some, p.others, m), p.dichromat) << p.name << static_cast<int>(ground);
            }
        }
    }
}

TEST(Palette, ManyCpusAndClassesShareNoColourWithRegionsPicksAndMisses) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (const auto of : {cpuColour, classColour}) {
            const std::vector<Rgba> many = colours(of, ground, 64);
            EXPECT_GE(apart(many, regionColours(ground), kNormal), 4);
            const Palette& space = paletteFor(ground);
            EXPECT_GE(apart(many, {space.source, space.object}, kNormal), 6);
            EXPECT_GE(apart(many, reds(ground), kNormal), 8);
            const std::vector<Rgba> later(many.begin() + 8, many.end());
            for (const auto first : {cpuColour, classColour}) {
                EXPECT_GE(apart(later, colours(first, ground, 8), kNormal), 5);
            }
        }
    }
}

/// Whether a colour would be called red or pink: OKLab's red is at 29 degrees.
bool isRed(Rgba c) {
    const glm::vec3 lab = oklab(c);
    const double angle = std::atan2(lab.z, lab.y) * 57.29578;
    return std::hypot(lab.y, lab.z) > 0.1F && angle > 5 && angle < 45;
}

TEST(Palette, OnlyMissesAreRed) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        EXPECT_TRUE(isRed(paletteFor(ground).flash));
        EXPECT_TRUE(isRed(paletteFor(ground).miss));
        const Palette& space = paletteFor(ground);
        std::vector<Rgba> others = regionColours(ground);
        for (std::uint32_t i = 0; i < 64; ++i) others.push_back(cpuColour(ground, i));
        for (std::uint32_t i = 0; i < 64; ++i) others.push_back(classColour(ground, i));
        others.insert(others.end(), {space.source, space.object, space.lens, space.node});
        others.insert(others.end(), space.holding.begin(), space.holding.end());
        for (int i = 0; i <= 10; ++i) {
            others.push_back(paletteFor(ground).temperatureRim.at(i / 5.0 - 1));
            others.push_back(paletteFor(ground).temperatureFill.at(i / 5.0 - 1));
        }
        for (const Rgba c : others) {
            EXPECT_FALSE(isRed(c)) << static_cast<int>(c.r) << ' ' << static_cast<int>(c.g) << ' '
                                   << static_cast<int>(c.b) << " ground " << static_cast<int>(ground);
        }
    }
}

TEST(Palette, WhatCyclesAreSpentOnIsToldApartAndIsNotRed) {
    sim::MachineConfig machine;
    machine.levels.resize(3);
    const sim::CycleClasses classes(machine);
    for (const Ground ground : {Ground::dark, Ground::light}) {
        std::vector<Rgba> own{paletteFor(ground).criticalPath};
        std::vector<Rgba> levels;
        for (std::size_t c = 0; c < classes.size(); ++c) {
            const bool isLevel = c > sim::CycleClasses::work() && c < sim::CycleClasses::served(classes.levels());
            (isLevel ? levels : own).push_back(cycleInk(ground, classes, c).stripe);
        }
        EXPECT_GE(worstPair(own), 9) << static_cast<int>(ground);
        for (const Matrix& m : {kNormal, kProtan, kDeutan, kTritan}) EXPECT_GE(apart(own, levels, m), 9);
        EXPECT_GE(apart(own, reds(ground), kNormal), 10);
        for (const Rgba c : own) EXPECT_FALSE(isRed(c));
    }
}

TEST(Palette, KindsOfMissesAreRedsThatAreToldApart) {
    EXPECT_GE(worstPair(paletteFor(Ground::dark).missKinds), 9);
    EXPECT_GE(worstPair(paletteFor(Ground::light).missKinds), 9);
}

TEST(Colour, OklabGoesThereAndBack) {
    for (std::uint32_t c : {0x000000u, 0xffffffu, 0xC64C9Au, 0x307AEDu, 0x887B29u}) {
        const Rgba back = fromOklab(oklab(hex(c)));
        EXPECT_NEAR(back.r, hex(c).r, 1);
        EXPECT_NEAR(back.g, hex(c).g, 1);
        EXPECT_NEAR(back.b, hex(c).b, 1);
    }
}

TEST(Colour, ContrastIsThatOfWcag) {
    EXPECT_NEAR(contrast(hex(0x000000), hex(0xffffff)), 21, 0.01);
    EXPECT_NEAR(contrast(hex(0x777777), hex(0xffffff)), 4.48, 0.01);
}

TEST(Colour, TextIsReadableOnAnyGround) {
    for (std::uint32_t c = 0; c < 1u << 24; c += 997) {
        EXPECT_GE(contrast(readableOn(hex(c)), hex(c)), 4.5f) << c;
    }
    EXPECT_EQ(readableOn(hex(0x222C3D)), hex(0xFFFFFF));
    EXPECT_EQ(readableOn(hex(0xF2F0B0)), hex(0x000000));
}

/// A chosen colour is that of its role and of no other, on both grounds, until it is reset; equal choices are equal
/// grounds, in whatever order they were made.
TEST(Palette, ColoursOfRolesAreChosen) {
    const Rgba odd = hex(0x123456);
    const auto roles = colourRoles();
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (std::size_t role = 0; role < roles.size(); ++role) {
            const Ground chosen = withColour(ground, role, odd);
            EXPECT_EQ(isDark(chosen), isDark(ground));
            EXPECT_EQ(plain(chosen), ground);
            for (std::size_t other = 0; other < roles.size(); ++other) {
                EXPECT_EQ(roleColour(chosen, other), other == role ? odd : roleColour(ground, other))
                    << roles[role].name << ", " << roles[other].name;
            }
            const Ground turned = isDark(ground) ? Ground::light : Ground::dark;
            EXPECT_EQ(roleColour(withColours(turned, chosen), role), odd);
            EXPECT_EQ(withColour(chosen, role, std::nullopt), ground);
        }
    }
    const Ground both = withColour(withColour(Ground::dark, 0, odd), 1, odd);
    EXPECT_EQ(withColour(withColour(Ground::dark, 1, odd), 0, odd), both);
    EXPECT_EQ(chosenColours(both).size(), 2u);
    EXPECT_TRUE(chosenColours(Ground::light).empty());
}

TEST(Palette, AChosenColourOfACpuIsThatOfItsMarks) {
    const auto roles = colourRoles();
    for (const std::uint32_t cpu : {0u, 7u, 8u, 63u}) {
        std::size_t role = 0;
        while (roles[role].name != "cpu-" + std::to_string(cpu)) ++role;
        const Ground chosen = withColour(Ground::dark, role, hex(0x123456));
        EXPECT_EQ(cpuColour(chosen, cpu), hex(0x123456));
        EXPECT_EQ(cpuColour(Ground::dark, cpu), roleColour(Ground::dark, role));
    }
}

}  // namespace
}  // namespace whorl::scene
