// How blocks look in each state: the hue of the region stays, and what is said beside it can be seen.
#include "render/scene/rings/glyph_style.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "render/scene/rings/level_gauges.h"
#include "scene/rings/stage.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

/// Ten named regions, the first with the most accesses, and an inferred one that is hardly accessed.
RegionLooks elevenLooks() {
    std::vector<sim::Region> regions(11);
    for (std::size_t r = 0; r < regions.size(); ++r) regions[r].base = sim::ByteAddress{0x1000 * r};
    regions.back().origin = sim::RegionOrigin::inferred;
    return {regions, {1000, 900, 800, 700, 600, 500, 400, 300, 200, 100, 1}};
}

class GlyphStyles : public ::testing::TestWithParam<Ground> {
  protected:
    GlyphStyles() { view_.ground = GetParam(); }
    Glyph block(std::size_t region, int flags, float radius, std::uint8_t used = SlotState::kUseNotShown) const {
        const SlotState state{.region = static_cast<std::uint16_t>(region),
                              .flags = static_cast<std::uint8_t>(flags | SlotState::valid),
                              .used = used};
        return GlyphStyle(view_, looks_).block(state, {0, 0}, radius);
    }

    RegionLooks looks_ = elevenLooks();
    View view_;
};

TEST_P(GlyphStyles, ADirtyBlockKeepsItsHueAndHasAMarkOnIt) {
    view_.hues[4] = mixed(paletteFor(GetParam()).ground, paletteFor(GetParam()).text, 0.2F);
    for (std::size_t region = 0; region <= 11; ++region) {
        for (const float radius : {2.5F, 5.0F, 40.0F}) {
            const Glyph clean = block(region, 0, radius);
            const Glyph dirty = block(region, SlotState::dirty, radius);
            EXPECT_EQ(dirty.fill, clean.fill);
            EXPECT_EQ(dirty.rimWidth, 0);
            EXPECT_EQ(clean.coreRadius, 0);
            EXPECT_GE(dirty.coreRadius, 1);
            EXPECT_LT(dirty.coreRadius, 0.5F * radius) << "most of it is hue";
            EXPECT_GE(contrast(dirty.core, dirty.fill), 3) << region;
        }
    }
}

TEST_P(GlyphStyles, TheMarkLeavesSomeOfWhatIsFilledByUse) {
    for (std::uint32_t used = 1; used <= sim::kWholeUse; ++used) {
        const Glyph glyph = block(0, SlotState::dirty, 10, static_cast<std::uint8_t>(used));
        EXPECT_GT(glyph.coreRadius, 0);
        EXPECT_LT(glyph.coreRadius, 0.6F * (glyph.radius - glyph.rimWidth));
        EXPECT_EQ(glyph.fill, block(0, 0, 10).fill);
    }
}

TEST_P(GlyphStyles, AMarkFadesWithItsBlock) {
    Glyph glyph = block(0, SlotState::dirty, 10);
    GlyphStyle::fade(glyph, 0);
    EXPECT_EQ(glyph.core.a, 0);
}

TEST_P(GlyphStyles, RegionsLookAsTheyDoElsewhere) {
    for (std::size_t region = 0; region <= 11; ++region) {
        const Glyph glyph = block(region, 0, 5);
        EXPECT_EQ(glyph.fill, looks_.hueOf(region, {}, GetParam()));
        EXPECT_EQ(glyph.shape, looks_.of(region).shape);
        EXPECT_EQ(glyph.texture, looks_.of(region).texture);
    }
    EXPECT_EQ(block(10, 0, 5).fill, block(11, 0, 5).fill) << "a scrap is as what is in no region";
    view_.hues[3] = hex(0x808000);
    EXPECT_EQ(block(3, 0, 5).fill, hex(0x808000));
}

TEST_P(GlyphStyles, GlyphsAreSeenOnTheGroundOfEveryTemperature) {
    for (int i = -10; i <= 10; ++i) {
        const Rgba fill = temperatureColours(GetParam(), i / 10.0).fill;
        for (const Rgba hue : paletteFor(GetParam()).hues) EXPECT_GE(contrast(hue, fill), 2.5) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Grounds, GlyphStyles, ::testing::Values(Ground::dark, Ground::light));

TEST(Temperature, IsColdWhereThereAreManyMissesAndAmberWhereThereAreManyHits) {
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const Rgba cold = temperatureColours(ground, -1).rim;
        const Rgba hot = temperatureColours(ground, 1).rim;
        EXPECT_GT(cold.b, cold.r + 60);
        EXPECT_GT(hot.r, hot.g + 40);
        EXPECT_GT(hot.g, hot.b + 60) << "amber, not red";
    }
    EXPECT_EQ(temperatureInWords(-0.9), "many misses");
    EXPECT_EQ(temperatureInWords(-0.1), "hits and misses");
    EXPECT_EQ(temperatureInWords(0.9), "many hits");
}

TEST(Temperature, IsSaidInWordsAndACacheThatNothingAskedIsIdle) {
    // Sorting what fits in L1: nothing but hits, so that L2 is not asked.
    TestStage stage("bubblesort:n=16", "paper");
    const Scene& scene = stage.at(stage.end(), View{});
    EXPECT_TRUE(says(scene, "lately 100\u00a0%"));
    EXPECT_TRUE(says(scene, "idle"));
    EXPECT_FALSE(says(scene, "temp"));
}

}  // namespace
}  // namespace whorl::scene
