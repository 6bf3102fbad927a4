// The palettes stay distinguishable under all four kinds of vision, and text keeps its contrast.
#include "render/scene/palette.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "render/scene/space/space_palette.h"

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
    EXPECT_GE(worstPair(cpuColours(Ground::dark)), 12);
    EXPECT_GE(worstPair(cpuColours(Ground::light)), 11);
    for (const Ground ground : {Ground::dark, Ground::light}) {
        // A box viewed by the default camera: its broad side, and its top.
        const double ambient = spacePaletteFor(ground).ambient;
        const std::array lights = {ambient + 0.92 * (1 - ambient), ambient + 0.26 * (1 - ambient)};
        const auto colours = cpuColours(ground);
        for (std::size_t i = 0; i < 64; ++i) {
            if (i / 8 == i % 8) continue;
            for (const double a : lights) {
                for (const double b : lights) {
                    const glm::vec3 one = oklab(shaded(colours[i / 8], a));
                    const glm::vec3 other = oklab(shaded(colours[i % 8], b));
                    EXPECT_GE(100 * glm::distance(one, other), 11) << i / 8 << " and " << i % 8;
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

TEST(Palette, BeyondEightRegionsTheShapeChanges) {
    const Palette& p = paletteFor(Ground::dark);
    EXPECT_EQ(hueOf(p, 0), hueOf(p, 8));
    EXPECT_NE(shapeOf(0), shapeOf(8));
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

}  // namespace
}  // namespace whorl::scene
