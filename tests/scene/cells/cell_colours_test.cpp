// The colours of cells: ramps are monotone and wide, and what differs in meaning differs in colour.
#include "render/scene/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <tuple>

#include "render/scene/cells/cell_painting.h"
#include "sim/machine/machine_config.h"

namespace whorl::scene {
namespace {

constexpr std::array kGrounds{Ground::dark, Ground::light};
constexpr std::array kRamps{CellRamp::misses, CellRamp::neutral};

float lightness(Rgba c) {
    return oklab(c).x;
}
float distance(Rgba a, Rgba b) {
    return glm::distance(oklab(a), oklab(b));
}

/// More is farther from the ground: lighter on the dark one, darker on the light one.
TEST(CellColours, OfARampAreMonotone) {
    for (const Ground ground : kGrounds) {
        for (const CellRamp ramp : kRamps) {
            float last = lightness(rampColour(ground, ramp, 0));
            for (int i = 1; i <= 200; ++i) {
                const float next = lightness(rampColour(ground, ramp, static_cast<float>(i) / 200));
                // Half a step of eight bits is no step back.
                EXPECT_GE(ground == Ground::dark ? next - last : last - next, -0.003f) << i;
                last = next;
            }
            EXPECT_EQ(rampColour(ground, ramp, -1), rampColour(ground, ramp, 0));
            EXPECT_EQ(rampColour(ground, ramp, 7), rampColour(ground, ramp, 1));
        }
    }
}

TEST(CellColours, OfTheEndsOfARampContrast) {
    for (const Ground ground : kGrounds) {
        const Palette& palette = paletteFor(ground);
        for (const CellRamp ramp : kRamps) {
            EXPECT_GE(contrast(rampColour(ground, ramp, 0), rampColour(ground, ramp, 1)), 4.5f);
            EXPECT_GE(contrast(palette.ground, rampColour(ground, ramp, 1)), 4.5f);
        }
    }
}

/// One miss among millions is seen.
TEST(CellColours, OfLittleContrast) {
    for (const Ground ground : kGrounds) {
        const Palette& palette = paletteFor(ground);
        for (const CellRamp ramp : kRamps) {
            const Rgba few = ColourTable(ground, ramp, 1e6f, false).of(1);
            EXPECT_GE(contrast(few, palette.ground), 3.0f);
            EXPECT_GE(contrast(few, palette.untouched), 3.0f);
        }
    }
}

TEST(CellColours, TellZeroFromUntouched) {
    for (const Ground ground : kGrounds) {
        const Palette& palette = paletteFor(ground);
        EXPECT_GT(distance(palette.untouched, palette.ground), 0.03f);
        for (const CellRamp ramp : kRamps) {
            EXPECT_GT(distance(rampColour(ground, ramp, 0), palette.untouched), 0.03f);
            EXPECT_GT(distance(rampColour(ground, ramp, 0), palette.ground), 0.03f);
        }
    }
}

TEST(CellColours, OfLevelsAreApart) {
    for (const Ground ground : kGrounds) {
        for (std::size_t levels = 1; levels <= sim::kMaxLevels; ++levels) {
            for (std::size_t a = 0; a <= levels; ++a) {
                for (std::size_t b = 0; b < a; ++b) {
                    EXPECT_GT(distance(servedColour(ground, a, levels), servedColour(ground, b, levels)), 0.04f)
                        << a << " and " << b << " of " << levels;
                }
            }
            EXPECT_EQ(servedColour(ground, levels, levels), paletteFor(ground).miss);
        }
    }
}

std::tuple<int, int, int> channels(Rgba c) {
    return {c.r, c.g, c.b};
}

/// Light only adds, ink only takes away; both saturate.
TEST(CellColours, OfTheGlowGrowAndSaturate) {
    for (const Ground ground : kGrounds) {
        const Rgba cell = paletteFor(ground).untouched;
        EXPECT_EQ(glowColour(ground, cell, 0, 0), cell);
        for (const bool ofHits : {true, false}) {
            const auto glow = [&](float sum) { return glowColour(ground, cell, ofHits ? sum : 0, ofHits ? 0 : sum); };
            Rgba last = cell;
            for (float sum = 0.1f; sum < 8; sum += 0.1f) {
                const auto [r, g, b] = channels(glow(sum));
                const auto [r0, g0, b0] = channels(last);
                const int sign = ground == Ground::dark ? 1 : -1;
                EXPECT_GE(sign * (r - r0), 0);
                EXPECT_GE(sign * (g - g0), 0);
                EXPECT_GE(sign * (b - b0), 0);
                last = glow(sum);
            }
            EXPECT_GT(distance(glow(1), cell), 0.1f) << "one access is bright";
            EXPECT_LT(distance(glow(3), glow(4)), 0.5f * distance(glow(0), glow(1)));
        }
        EXPECT_GT(distance(glowColour(ground, cell, 1, 0), glowColour(ground, cell, 0, 1)), 0.1f);
    }
}

TEST(ColourTable, IsMonotoneAndNeverShowsSomethingAsNothing) {
    for (const Ground ground : kGrounds) {
        for (const CellRamp ramp : kRamps) {
            for (const bool logarithmic : {false, true}) {
                for (const float most : {1.0f, 7.0f, 1e6f, 4e9f}) {
                    const ColourTable table(ground, ramp, most, logarithmic);
                    EXPECT_EQ(table.of(0), rampColour(ground, ramp, 0));
                    EXPECT_EQ(table.of(most), rampColour(ground, ramp, 1));
                    EXPECT_EQ(table.of(2 * most), rampColour(ground, ramp, 1));
                    EXPECT_NE(table.of(most * 1e-6f), table.of(0));
                    float last = lightness(table.of(0));
                    for (int i = 1; i <= 100; ++i) {
                        const float next = lightness(table.of(most * static_cast<float>(i) / 100));
                        EXPECT_GE(ground == Ground::dark ? next - last : last - next, -0.003f) << i;
                        last = next;
                    }
                }
            }
        }
    }
}

/// A logarithmic scale shows little more.
TEST(ColourTable, OnALogarithmicScaleLiftsWhatIsLow) {
    const ColourTable linear(Ground::dark, CellRamp::neutral, 1000, false);
    const ColourTable logarithmic(Ground::dark, CellRamp::neutral, 1000, true);
    EXPECT_GT(lightness(logarithmic.of(30)), lightness(linear.of(30)) + 0.1f);
}

/// Without any value there is nothing to divide by.
TEST(ColourTable, OfNothingHasAColour) {
    const ColourTable table(Ground::light, CellRamp::misses, 0, true);
    EXPECT_EQ(table.of(0), rampColour(Ground::light, CellRamp::misses, 0));
}

}  // namespace
}  // namespace whorl::scene
