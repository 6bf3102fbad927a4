// Which region looks how: by the accesses, named ones first, scraps grey; no look comes twice among 32.
#include "render/scene/region_looks.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/trace/reader.h"

namespace whorl::scene {
namespace {

std::vector<sim::Region> regionsOf(std::size_t named, std::size_t inferred) {
    std::vector<sim::Region> out;
    for (std::size_t i = 0; i < named + inferred; ++i) {
        out.push_back({.name = "r" + std::to_string(i), .base = sim::ByteAddress{0x1000 * (i + 1)}, .size = 64});
        if (i >= named) out.back().origin = sim::RegionOrigin::inferred;
    }
    return out;
}

std::vector<int> huesOf(const RegionLooks& looks, std::size_t count) {
    std::vector<int> out;
    for (std::size_t r = 0; r < count; ++r) out.push_back(looks.of(r).hue);
    return out;
}

constexpr int kGrey = RegionLook::kGrey;

TEST(RegionLooks, TheMostAccessedComeFirstAndOfEqualOnesTheFirstAddress) {
    const RegionLooks looks(regionsOf(5, 0), {10, 500, 10, 0, 20});
    EXPECT_EQ(huesOf(looks, 5), (std::vector<int>{2, 0, 3, 4, 1}));
}

TEST(RegionLooks, InferredOnesComeAfterNamedOnesAndScrapsAreGrey) {
    // 1000 accesses: below 10 an inferred region is a scrap; a named one never is.
    const RegionLooks looks(regionsOf(2, 4), {3, 0, 9, 10, 678, 300});
    EXPECT_EQ(huesOf(looks, 6), (std::vector<int>{0, 1, kGrey, 4, 2, 3}));
    EXPECT_EQ(looks.of(2), RegionLook());
    EXPECT_EQ(looks.of(6), RegionLook()) << "outside of all regions";
    EXPECT_EQ(looks.hueOf(2, {}, Ground::dark), paletteFor(Ground::dark).scrap);
}

TEST(RegionLooks, NoLookComesTwiceAmong32NorShapeOrTextureWithAHue) {
    std::vector<std::uint64_t> accesses;
    for (std::uint64_t i = 0; i < 64; ++i) accesses.push_back(1000 - i);
    const RegionLooks looks(regionsOf(64, 0), accesses);
    std::set<std::pair<int, Shape>> shapes;
    std::set<std::pair<int, Texture>> textures;
    std::set<std::tuple<int, Shape, Texture>> all;
    for (std::size_t r = 0; r < 64; ++r) {
        const RegionLook& look = looks.of(r);
        ASSERT_LT(look.hue, kHues) << "never a ninth hue";
        if (r < 8) {
            EXPECT_EQ(look, (RegionLook{static_cast<std::uint8_t>(r), Shape::disc, Texture::plain}));
        }
        EXPECT_TRUE(r >= 32 || shapes.insert({look.hue, look.shape}).second) << r;
        EXPECT_TRUE(r >= 32 || textures.insert({look.hue, look.texture}).second) << r;
        EXPECT_TRUE(all.insert({look.hue, look.shape, look.texture}).second) << r;
    }
}

TEST(RegionLooks, AChosenColourWinsAndKeepsShapeAndTexture) {
    const RegionLooks looks(regionsOf(9, 0), {9, 8, 7, 6, 5, 4, 3, 2, 1});
    const Rgba red = hex(0x123456);
    EXPECT_EQ(looks.hueOf(8, {{8, red}}, Ground::light), red);
    EXPECT_EQ(looks.inkOf(8, {{8, red}}, Ground::light).colour, red);
    EXPECT_EQ(looks.inkOf(8, {{8, red}}, Ground::light).texture, Texture::rising);
    EXPECT_EQ(looks.hueOf(8, {}, Ground::light), looks.hueOf(0, {}, Ground::light));
}

TEST(RegionLooks, StripesAreSeenOnEveryHue) {
    const RegionLooks looks(regionsOf(32, 0), std::vector<std::uint64_t>(32, 1));
    for (const Ground ground : {Ground::dark, Ground::light}) {
        for (std::size_t r = 8; r < 32; ++r) {
            const Ink ink = looks.inkOf(r, {}, ground);
            EXPECT_GE(contrast(ink.colour, ink.stripe), 1.5f) << r;
        }
    }
}

TEST(RegionLooks, OfATraceAreByItsAccesses) {
    const auto trace =
        sim::parseTrace("region A 0x1000 64 8\nregion B 0x2000 64 8\nR 0x1000 8\nR 0x2000 8\nW 0x2008 8\n", "two", {});
    ASSERT_TRUE(trace);
    EXPECT_EQ(huesOf(RegionLooks(*trace), 2), (std::vector<int>{1, 0}));
}

}  // namespace
}  // namespace whorl::scene
