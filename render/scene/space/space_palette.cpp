#include "render/scene/space/space_palette.h"

namespace whorl::scene {

namespace {

constexpr SpacePalette kSpaceDark{.node = hex(0x3FAE5A),
                                  .source = hex(0xF65DEA),
                                  .object = hex(0x4BFF7B),
                                  .plate = hex(0x1A2130),
                                  .frame = hex(0x4A5568),
                                  .lens = hex(0xD1AF78),
                                  .playhead = hex(0xE6E9EF),
                                  .picked = hex(0xFFFFFF),
                                  .several = hex(0xAEB6C6),
                                  .ambient = 0.34F,
                                  .holding = {hex(0x3BD1D4), hex(0x9E87F9), hex(0xE2F6A3)}};

constexpr SpacePalette kSpaceLight{.node = hex(0x3C9D54),
                                   .source = hex(0xFF0FDB),
                                   .object = hex(0x0057D8),
                                   .plate = hex(0xE3E6EA),
                                   .frame = hex(0x9AA1AB),
                                   .lens = hex(0x054C5A),
                                   .playhead = hex(0x1B1F27),
                                   .picked = hex(0x10131A),
                                   .several = hex(0x525C70),
                                   .ambient = 0.6F,
                                   .holding = {hex(0x8842BE), hex(0x4A0F8A), hex(0x1900F2)}};

}  // namespace

const SpacePalette& spacePaletteFor(Ground ground) {
    return ground == Ground::dark ? kSpaceDark : kSpaceLight;
}

}  // namespace whorl::scene
