// Trails add light on the dark ground and take it away on the light one, as lamps and inks do.
#include <array>

#include "gl/stage.h"

namespace whorl::gl {
namespace {

constexpr scene::Rgba kInk{200, 60, 40, 128};

/// The pixel where so many trails cross.
std::array<int, 3> crossing(scene::Ground ground, scene::Rgba background, int trails) {
    Stage stage(40, 40);
    scene::Scene s = emptyScene(40, 40, background);
    s.ground = ground;
    for (int i = 0; i < trails; ++i) {
        // Not joined to each other: each is painted by itself.
        const float y = i % 2 == 0 ? 5.0F : 35.0F;
        s.trails.push_back({{20, y}, {20, 40 - y}, 12, kInk, kInk});
        s.trails.push_back({{1, 1}, {1, 1}, 1, {0, 0, 0, 0}, {0, 0, 0, 0}});
    }
    const Pixels& pixels = stage.paint(s);
    const std::size_t at = 4 * (20 * 40 + 20);
    return {std::to_integer<int>(pixels[at]), std::to_integer<int>(pixels[at + 1]),
            std::to_integer<int>(pixels[at + 2])};
}

TEST(Trails, AddLightOnTheDarkGround) {
    const scene::Rgba dim = scene::hex(0x40A0E0);
    std::array<int, 3> last{0x40, 0xA0, 0xE0};
    for (int n = 1; n <= 6; ++n) {
        const auto now = crossing(scene::Ground::dark, dim, n);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_GE(now[c], last[c]) << "nothing gets darker, however different the hues";
            // Screen: 1 - (1 - a) (1 - b).
            const double light = std::array{200, 60, 40}[c] / 255.0 * 128 / 255;
            EXPECT_NEAR(now[c], 255 - (255 - last[c]) * (1 - light), 2) << n;
        }
        last = now;
    }
}

TEST(Trails, TakeLightAwayOnTheLightGround) {
    const scene::Rgba paper = scene::hex(0xFAFAF7);
    std::array<int, 3> last{0xFA, 0xFA, 0xF7};
    for (int n = 1; n <= 6; ++n) {
        const auto now = crossing(scene::Ground::light, paper, n);
        for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_LE(now[c], last[c]);
            const double left = 1 - 128 / 255.0 * (1 - std::array{200, 60, 40}[c] / 255.0);
            EXPECT_NEAR(now[c], last[c] * left, 2) << n;
        }
        last = now;
    }
}

TEST(Flows, LieUnderTheGlyphs) {
    Stage stage(40, 40);
    scene::Scene s = emptyScene(40, 40);
    s.flows.push_back({{2, 20}, {38, 20}, 20, {255, 255, 255, 255}, {255, 255, 255, 255}});
    s.resting.push_back({.at = {20, 20}, .radius = 6, .fill = {200, 0, 0, 255}});
    const Pixels& pixels = stage.paint(s);
    EXPECT_LT(std::to_integer<int>(pixels[4 * (20 * 40 + 20) + 1]), 40) << "the glyph";
    EXPECT_GT(std::to_integer<int>(pixels[4 * (20 * 40 + 6) + 1]), 240) << "the flow beside it";
}

}  // namespace
}  // namespace whorl::gl
