#include "render/scene/space/space_look.h"

#include <cmath>
#include <numbers>

namespace whorl::scene {

namespace {

constexpr SpacePalette kDark{.node = hex(0x3FAE5A),
                             .source = hex(0xFF4A3D),
                             .object = hex(0xFFE14A),
                             .plate = hex(0x1A2130),
                             .frame = hex(0x4A5568),
                             .lens = hex(0xFFE14A),
                             .playhead = hex(0xE6E9EF),
                             .picked = hex(0xFFFFFF),
                             .ambient = 0.34F,
                             .holding = {hex(0x5AA9E6), hex(0x8CD17D), hex(0xF28E2B)}};

constexpr SpacePalette kLight{.node = hex(0x3C9D54),
                              .source = hex(0xD3190B),
                              .object = hex(0xE8B400),
                              .plate = hex(0xE3E6EA),
                              .frame = hex(0x9AA1AB),
                              .lens = hex(0xA87B00),
                              .playhead = hex(0x1B1F27),
                              .picked = hex(0x10131A),
                              .ambient = 0.6F,
                              .holding = {hex(0x1F77B4), hex(0x3C9D54), hex(0xC65D00)}};

}  // namespace

const SpacePalette& spacePaletteFor(Ground ground) {
    return ground == Ground::dark ? kDark : kLight;
}

Rgba cpuColour(Ground ground, std::uint32_t cpu) {
    if (cpu < kHues) return hueOf(paletteFor(ground), cpu);
    // Hues a golden angle apart, in three lightnesses by turns: neighbours differ in both.
    const float angle = static_cast<float>(cpu) * std::numbers::pi_v<float> * 0.763932F;
    const float step = static_cast<float>(cpu % 3) * 0.11F;
    const float light = ground == Ground::dark ? 0.62F + step : 0.36F + step;
    return fromOklab({light, 0.13F * std::cos(angle), 0.13F * std::sin(angle)});
}

}  // namespace whorl::scene
