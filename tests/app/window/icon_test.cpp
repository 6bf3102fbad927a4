#include "app/window/icon.h"

#include <gtest/gtest.h>

#include <array>

namespace whorl::app {
namespace {

using Pixel = std::array<int, 4>;

Pixel pixelAt(const std::vector<std::uint8_t>& pixels, int size, int x, int y) {
    const std::size_t at = static_cast<std::size_t>(y * size + x) * 4;
    return {pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3]};
}

TEST(Icon, IsADiscInEachSize) {
    for (const int size : {48, 128, 256}) {
        const auto pixels = iconPixels(size);
        ASSERT_EQ(pixels.size(), static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4) << size;
        EXPECT_EQ(pixelAt(pixels, size, 0, 0), (Pixel{0, 0, 0, 0})) << size;
        EXPECT_EQ(pixelAt(pixels, size, size / 2, size / 2), (Pixel{255, 255, 255, 255})) << "the CPU, at " << size;
    }
}

TEST(Icon, HasTheColoursOfThePicture) {
    constexpr int kSize = 256;
    const auto pixels = iconPixels(kSize);
    EXPECT_EQ(pixelAt(pixels, kSize, 128, 14), (Pixel{0x0B, 0x0E, 0x14, 255})) << "the ground";
    // Where the edge is partly transparent it is not darker: cairo multiplies colours by their opacity.
    bool hasEdge = false;
    for (int x = 0; x < kSize; ++x) {
        const Pixel pixel = pixelAt(pixels, kSize, x, 30);
        if (pixel[3] < 64 || pixel[3] == 255) continue;  // others have few shades left
        hasEdge = true;
        EXPECT_GE(pixel[2], 0x10) << x << ", opacity " << pixel[3];
    }
    EXPECT_TRUE(hasEdge);
}

TEST(Icon, IsAPng) {
    const std::string png = iconAsPng(48);
    EXPECT_TRUE(png.starts_with("\x89PNG\r\n\x1a\n"));
    // Width and height, and colours with opacity.
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\x30\0\0\0\x30", 8));
    EXPECT_EQ(png.at(25), 6);
}

}  // namespace
}  // namespace whorl::app
