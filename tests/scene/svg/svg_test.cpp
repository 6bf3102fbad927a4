// The parts of an SVG: numbers, text, definitions, and pictures cut into boxes.
#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

#include "render/svg/document.h"
#include "render/svg/pictures.h"

namespace whorl::svg {
namespace {

TEST(Number, IsShort) {
    EXPECT_EQ(number(3), "3");
    EXPECT_EQ(number(2.5F), "2.5");
    EXPECT_EQ(number(-0.001F), "0");
    EXPECT_EQ(number(100), "100");
    EXPECT_EQ(number(1.0F / 3), "0.33");
    EXPECT_EQ(number(std::numeric_limits<float>::quiet_NaN()), "0");
    EXPECT_EQ(number(std::numeric_limits<float>::infinity()), "0");
}

TEST(Text, IsEscaped) {
    EXPECT_EQ(escaped("a<b && \"c\">\x01 é"), "a&lt;b &amp;&amp; &quot;c&quot;&gt; é");
}

TEST(Definition, IsWrittenOnce) {
    Document document({10, 10});
    const std::string first = document.clip({0, 0}, {1, 1});
    EXPECT_NE(document.clip({0, 0}, {2, 2}), first);
    EXPECT_EQ(document.clip({0, 0}, {1, 1}), first);
    const std::string file = document.finish("");
    EXPECT_EQ(file.find("id=\"" + first + "\""), file.rfind("id=\"" + first + "\""));
}

TEST(Image, IsInBase64) {
    const auto imageOf = [](std::string_view bytes) {
        Document document({10, 10});
        document.image({0, 0}, {1, 1}, bytes);
        return document.finish("");
    };
    // The examples of RFC 4648.
    EXPECT_NE(imageOf("foobar").find("base64,Zm9vYmFy\""), std::string::npos);
    EXPECT_NE(imageOf("fooba").find("base64,Zm9vYmE=\""), std::string::npos);
    EXPECT_NE(imageOf("foob").find("base64,Zm9vYg==\""), std::string::npos);
}

TEST(Boxes, CoverEachPixelOnceInItsColour) {
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
        const auto any = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
        scene::Raster raster({1 + any(40), 1 + any(40)}, {});
        for (int i = any(12); i > 0; --i) {
            const glm::ivec2 low(any(40), any(40));
            raster.fill({low, low + glm::ivec2(any(20), any(20))}, scene::hex(static_cast<std::uint32_t>(any(4))));
        }
        scene::Raster again({raster.width(), raster.height()}, scene::hex(0xffffff));
        int area = 0;
        for (const ColouredBox& box : boxesOf(raster, 10'000)) {
            again.fill(box.where, box.colour);
            area += box.where.width() * box.where.height();
        }
        ASSERT_EQ(again, raster);
        ASSERT_EQ(area, raster.width() * raster.height());
    }
}

TEST(Boxes, StopWhenThereAreTooMany) {
    scene::Raster raster({64, 64}, scene::hex(0));
    for (int y = 0; y < 64; ++y) {
        for (int x = y % 2; x < 64; x += 2) raster.fill({{x, y}, {x + 1, y + 1}}, scene::hex(0xffffff));
    }
    EXPECT_EQ(boxesOf(raster, 100).size(), 101);
}

std::string svgOf(const scene::Scene& scene) {
    Document document({10, 10});
    draw(document, scene);
    return document.finish("");
}

/// Every kind of element that a painter paints; labels are drawn by whoever has a font.
TEST(Rings, HaveAllTheirElements) {
    const scene::Stroke stroke{{1, 2}, {3, 4}, 1, scene::hex(0x123456), scene::hex(0x123456)};
    const scene::Glyph glyph{.at = {3, 3}, .radius = 2, .fill = scene::hex(0x123456)};
    std::map<std::string, scene::Scene> scenes;
    scenes["annuli"].annuli = {{1, 2, scene::hex(0x123456), scene::hex(0x123456)}};
    scenes["ringSectors"].ringSectors = {
        {.inner = 1, .outer = 2, .span = 1, .innerColour = scene::hex(0x123456), .outerColour = scene::hex(0x123456)}};
    scenes["ribbons"].ribbons = {{{{1, 1}, {2, 2}}, 1, scene::hex(0x123456)}};
    scenes["flows"].flows = {stroke};
    scenes["cells"].cells = {stroke};
    scenes["resting"].resting = {glyph};
    scenes["trails"].trails = {stroke};
    scenes["threads"].threads = {stroke};
    scenes["leaders"].leaders = {stroke};
    scenes["moving"].moving = {glyph};
    for (const auto& [name, scene] : scenes) {
        EXPECT_NE(svgOf(scene).find("#123456"), std::string::npos) << name;
    }
}

}  // namespace
}  // namespace whorl::svg
