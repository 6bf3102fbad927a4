#include "render/scene/space/space_palette.h"

#include <cmath>

#include "render/scene/angle.h"

namespace whorl::scene {

namespace {

constexpr SpacePalette kSpaceDark{.node = hex(0x3FAE5A),
                                  .source = hex(0xFF4A3D),
                                  .object = hex(0xFFE14A),
                                  .plate = hex(0x1A2130),
                                  .frame = hex(0x4A5568),
                                  .lens = hex(0xFFE14A),
                                  .playhead = hex(0xE6E9EF),
                                  .picked = hex(0xFFFFFF),
                                  .ambient = 0.34F,
                                  .holding = {hex(0x5AA9E6), hex(0x8CD17D), hex(0xF28E2B)}};

constexpr SpacePalette kSpaceLight{.node = hex(0x3C9D54),
                                   .source = hex(0xD3190B),
                                   .object = hex(0xE8B400),
                                   .plate = hex(0xE3E6EA),
                                   .frame = hex(0x9AA1AB),
                                   .lens = hex(0xA87B00),
                                   .playhead = hex(0x1B1F27),
                                   .picked = hex(0x10131A),
                                   .ambient = 0.6F,
                                   .holding = {hex(0x1F77B4), hex(0x3C9D54), hex(0xC65D00)}};

/// Near the hues of the rings, but chosen so that none is like another in the shade: faces turned away from the
/// headlight are darker, so that a yellow box has olive sides.
constexpr std::array<Rgba, 8> kDarkCpus = {hex(0xF7F900), hex(0xB15AA4), hex(0xABFFFF), hex(0xCAA8FF),
                                           hex(0xFF9400), hex(0x0073FF), hex(0xF60000), hex(0x00CF97)};
constexpr std::array<Rgba, 8> kLightCpus = {hex(0x747300), hex(0xC45DB1), hex(0x1C80FF), hex(0x6800A7),
                                            hex(0x750000), hex(0x0000FF), hex(0xFF0063), hex(0x11395A)};

}  // namespace

const SpacePalette& spacePaletteFor(Ground ground) {
    return ground == Ground::dark ? kSpaceDark : kSpaceLight;
}

Rgba cpuColour(Ground ground, std::uint32_t cpu) {
    if (cpu < kDarkCpus.size()) return (ground == Ground::dark ? kDarkCpus : kLightCpus)[cpu];
    // Hues a golden angle apart, in three lightnesses by turns: neighbours differ in both.
    const float angle = static_cast<float>(cpu) * kPi * 0.763932F;
    const float step = static_cast<float>(cpu % 3) * 0.11F;
    const float light = ground == Ground::dark ? 0.62F + step : 0.36F + step;
    return fromOklab({light, 0.13F * std::cos(angle), 0.13F * std::sin(angle)});
}

}  // namespace whorl::scene
