// Colours as films have them, against the formulas of ITU-R BT.709.
#include "app/export/yuv.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace whorl::app {
namespace {

/// Y, U and V of a colour in the narrow range.
std::array<double, 3> bt709(double r, double g, double b) {
    const double y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    return {16 + 219 * y / 255, 128 + 224 * (b - y) / 1.8556 / 255, 128 + 224 * (r - y) / 1.5748 / 255};
}

TEST(Yuv, GreysHaveNoColour) {
    for (int grey = 0; grey < 256; ++grey) {
        std::vector<std::byte> pixels(2 * 2 * 4, std::byte(grey));
        std::vector<std::byte> yuv;
        toYuv420(pixels, 2, 2, yuv);
        ASSERT_EQ(yuv.size(), 6u);
        EXPECT_NEAR(std::to_integer<int>(yuv[0]), bt709(grey, grey, grey)[0], 1);
        EXPECT_EQ(yuv[4], std::byte{128});
        EXPECT_EQ(yuv[5], std::byte{128});
    }
}

// Sizes that are odd in either direction: the last row and column stand for what is beyond them.
TEST(Yuv, IsThatOfTheFormulas) {
    std::mt19937 random(4);
    for (const auto& size : {std::pair(16, 8), std::pair(35, 7), std::pair(1, 1), std::pair(2, 3), std::pair(64, 1)}) {
        const int w = size.first;
        const int h = size.second;
        std::vector<std::byte> pixels(static_cast<std::size_t>(4 * w * h));
        for (std::byte& p : pixels) p = std::byte(random() % 3 == 0 ? 255 * (random() % 2) : random() % 256);
        std::vector<std::byte> yuv;
        toYuv420(pixels, w, h, yuv);
        const int halfW = (w + 1) / 2;
        const int halfH = (h + 1) / 2;
        ASSERT_EQ(yuv.size(), static_cast<std::size_t>(w * h + 2 * halfW * halfH));
        const auto at = [&](int x, int y, int channel) {
            const int pixel = std::min(y, h - 1) * w + std::min(x, w - 1);
            return std::to_integer<int>(pixels[static_cast<std::size_t>(4 * pixel + channel)]);
        };
        const auto found = [&](int index) { return std::to_integer<int>(yuv[static_cast<std::size_t>(index)]); };
        for (int y = 0; y < h; ++y) {
            for (int x = 0; x < w; ++x) {
                EXPECT_NEAR(found(y * w + x), bt709(at(x, y, 0), at(x, y, 1), at(x, y, 2))[0], 1.2);
            }
        }
        for (int y = 0; y < halfH; ++y) {
            for (int x = 0; x < halfW; ++x) {
                std::array<double, 3> mean{};
                for (int c = 0; c < 3; ++c) {
                    for (const int i : {0, 1, 2, 3}) mean[std::size_t(c)] += at(2 * x + i % 2, 2 * y + i / 2, c) / 4.0;
                }
                const auto expected = bt709(mean[0], mean[1], mean[2]);
                EXPECT_NEAR(found(w * h + y * halfW + x), expected[1], 1.8) << w << " x " << h;
                EXPECT_NEAR(found(w * h + halfW * halfH + y * halfW + x), expected[2], 1.8);
            }
        }
    }
}

}  // namespace
}  // namespace whorl::app
