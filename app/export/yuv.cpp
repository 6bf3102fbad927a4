#include "app/export/yuv.h"

#include <algorithm>
#include <cstdint>

namespace whorl::app {

namespace {

/// The coefficients of BT.709 in 1/256, of which those of U and of V add up to 0: grey stays grey. In 16 bits all sums
/// fit, and eight pixels are computed at a time.
constexpr int kHalf = 128;  ///< to round by

void brightness(const std::uint8_t* rgba, std::size_t count, std::uint8_t* y) {
    for (std::size_t x = 0; x < count; ++x) {
        const std::uint16_t r = rgba[4 * x];
        const std::uint16_t g = rgba[4 * x + 1];
        const std::uint16_t b = rgba[4 * x + 2];
        const auto sum = static_cast<std::uint16_t>(47 * r + 157 * g + 16 * b + kHalf);
        y[x] = static_cast<std::uint8_t>((sum >> 8) + 16);
    }
}

/// The average of four numbers.
std::int16_t averageOf(int a, int b, int c, int d) {
    return static_cast<std::int16_t>((a + b + c + d + 2) >> 2);
}

void colour(const std::uint8_t* upper, const std::uint8_t* lower, std::size_t pairs, std::uint8_t* u, std::uint8_t* v) {
    for (std::size_t x = 0; x < pairs; ++x) {
        const std::size_t at = 8 * x;
        const std::int16_t r = averageOf(upper[at], upper[at + 4], lower[at], lower[at + 4]);
        const std::int16_t g = averageOf(upper[at + 1], upper[at + 5], lower[at + 1], lower[at + 5]);
        const std::int16_t b = averageOf(upper[at + 2], upper[at + 6], lower[at + 2], lower[at + 6]);
        const auto uSum = static_cast<std::int16_t>(112 * b - 26 * r - 86 * g + kHalf);
        const auto vSum = static_cast<std::int16_t>(112 * r - 102 * g - 10 * b + kHalf);
        u[x] = static_cast<std::uint8_t>((uSum >> 8) + 128);
        v[x] = static_cast<std::uint8_t>((vSum >> 8) + 128);
    }
}

}  // namespace

void toYuv420(std::span<const std::byte> rgba, int width, int height, std::vector<std::byte>& to) {
    const auto w = static_cast<std::size_t>(width);
    const auto h = static_cast<std::size_t>(height);
    const std::size_t halfW = (w + 1) / 2;
    const std::size_t halfH = (h + 1) / 2;
    to.resize(w * h + 2 * halfW * halfH);
    const auto* const from = reinterpret_cast<const std::uint8_t*>(rgba.data());
    auto* const y = reinterpret_cast<std::uint8_t*>(to.data());
    std::uint8_t* const u = y + w * h;
    std::uint8_t* const v = u + halfW * halfH;
    for (std::size_t row = 0; row < halfH; ++row) {
        const std::uint8_t* const upper = from + 2 * row * w * 4;
        const std::uint8_t* const lower = 2 * row + 1 < h ? upper + w * 4 : upper;
        brightness(upper, w, y + 2 * row * w);
        if (lower != upper) brightness(lower, w, y + (2 * row + 1) * w);
        colour(upper, lower, w / 2, u + row * halfW, v + row * halfW);
        if (w % 2 == 0) continue;
        // The last column stands for the one beyond it, too.
        std::uint8_t ends[2][8];
        for (std::size_t side = 0; side < 2; ++side) {
            std::copy_n(upper + (w - 1) * 4, 4, ends[0] + 4 * side);
            std::copy_n(lower + (w - 1) * 4, 4, ends[1] + 4 * side);
        }
        colour(ends[0], ends[1], 1, u + row * halfW + halfW - 1, v + row * halfW + halfW - 1);
    }
}

}  // namespace whorl::app
