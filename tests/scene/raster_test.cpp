// Pixels against the plainest painter, one at a time.
#include "render/scene/flat_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/rounds.h"

namespace whorl::scene {
namespace {

PixelBox randomBox(std::mt19937_64& dice) {
    const auto coordinate = [&] { return static_cast<int>(dice() % 60) - 15; };
    // Some are empty, or turned around.
    const glm::ivec2 low(coordinate(), coordinate());
    return {low, {low.x + static_cast<int>(dice() % 30) - 3, low.y + static_cast<int>(dice() % 30) - 3}};
}

Rgba randomColour(std::mt19937_64& dice) {
    return hex(static_cast<std::uint32_t>(dice() % 0x1000000));
}

/// Every pixel asks whether it is meant.
class Plain {
  public:
    explicit Plain(const Raster& from) : size_(from.box().high), pixels_(from.pixels()), clip_(from.box()) {}

    void setClip(const PixelBox& clip) { clip_ = clip; }
    void blend(const PixelBox& where, Rgba colour) {
        put(colour, [&](glm::ivec2 p) { return where.contains(p); });
    }
    void frame(const PixelBox& where, int thick, Rgba colour) {
        const PixelBox inner{where.low + thick, where.high - thick};
        put(colour, [&](glm::ivec2 p) { return where.contains(p) && !inner.contains(p); });
    }
    const std::vector<Rgba>& pixels() const { return pixels_; }

  private:
    template <class F>
    void put(Rgba colour, F&& isMeant) {
        for (int y = 0; y < size_.y; ++y) {
            for (int x = 0; x < size_.x; ++x) {
                if (!clip_.contains({x, y}) || !isMeant(glm::ivec2(x, y))) continue;
                Rgba& p = pixels_[static_cast<std::size_t>(y * size_.x + x)];
                p = {over(p.r, colour.r, colour.a), over(p.g, colour.g, colour.a), over(p.b, colour.b, colour.a), 255};
            }
        }
    }
    static std::uint8_t over(int below, int above, int alpha) {
        return static_cast<std::uint8_t>(std::lround((below * (255 - alpha) + above * alpha) / 255.0));
    }

    glm::ivec2 size_;
    std::vector<Rgba> pixels_;
    PixelBox clip_;
};

TEST(Raster, PaintsWhatItsPixelsSay) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        std::mt19937_64 dice(seed);
        Raster raster({1 + static_cast<int>(dice() % 40), 1 + static_cast<int>(dice() % 40)}, randomColour(dice));
        Plain plain(raster);
        for (int i = 0; i < 30; ++i) {
            const PixelBox box = randomBox(dice);
            Rgba colour = randomColour(dice);
            switch (dice() % 4) {
                case 0:
                    raster.fill(box, colour);
                    plain.blend(box, colour);
                    break;
                case 1:
                    colour.a = static_cast<std::uint8_t>(dice());
                    raster.blend(box, colour);
                    plain.blend(box, colour);
                    break;
                case 2: {
                    colour.a = static_cast<std::uint8_t>(dice());
                    const int thick = 1 + static_cast<int>(dice() % 5);
                    raster.frame(box, thick, colour);
                    plain.frame(box, thick, colour);
                    break;
                }
                default:
                    raster.setClip(box);
                    plain.setClip(box);
            }
            ASSERT_TRUE(raster.pixels() == plain.pixels()) << "seed " << seed << ", step " << i;
        }
    }
}

TEST(Raster, OfNoSizeHasNoPixels) {
    for (const glm::ivec2 size : {glm::ivec2(0, 5), glm::ivec2(5, 0), glm::ivec2(-3, 4)}) {
        Raster raster(size, hex(0));
        raster.fill({{-9, -9}, {9, 9}}, hex(0xffffff));
        raster.blend({{-9, -9}, {9, 9}}, hex(0xffffff, 9));
        raster.frame({{-9, -9}, {9, 9}}, 2, hex(0xffffff));
        EXPECT_TRUE(raster.isEmpty());
        EXPECT_TRUE(raster.box().isEmpty());
    }
}

TEST(PixelBox, CommonPartsHaveThePixelsOfBoth) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        std::mt19937_64 dice(seed);
        const PixelBox a = randomBox(dice);
        const PixelBox b = randomBox(dice);
        const PixelBox both = commonOf(a, b);
        for (int y = -20; y < 80; ++y) {
            for (int x = -20; x < 80; ++x) {
                ASSERT_EQ(both.contains({x, y}), a.contains({x, y}) && b.contains({x, y}));
            }
        }
    }
}

}  // namespace
}  // namespace whorl::scene
