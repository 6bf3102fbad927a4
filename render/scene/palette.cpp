#include "render/scene/palette.h"

namespace whorl::scene {

namespace {

constexpr float kTextContrast = 4.5f;
constexpr float kSignContrast = 3;
constexpr int kNameSteps = 20;

constexpr Palette kDark{.ground = hex(0x0B0E14),
                        .text = hex(0xE6E9EF),
                        .muted = hex(0x9AA4B2),
                        .line = hex(0x3A4352),
                        .ring = hex(0x121824),
                        .core = hex(0xF4F7FF),
                        .flash = hex(0xFF7A66),
                        .dirty = hex(0xFFFFFF),
                        .mark = hex(0xFFFFFF),
                        .watch = hex(0x9BE15D),
                        .accent = hex(0xA9B8FF),
                        .hues = {hex(0xF3EF55), hex(0xC64C9A), hex(0x78FFFF), hex(0xC09CFE), hex(0xF69518),
                                 hex(0x307AED), hex(0x887B29), hex(0x18C59D)},
                        .scrap = hex(0x61656B),
                        .missKinds = {hex(0xFFE2DB), hex(0xFFB3A3), hex(0xFF7A66), hex(0xDB3B2E), hex(0x99231B)},
                        .ghostFill = 0.16f,
                        .ghostRim = 0.50f,
                        .temperatureFill = {hex(0x0F2E57), hex(0x10151F), hex(0x3F2A05)},
                        .temperatureRim = {hex(0x5AA9FF), hex(0x8A93A3), hex(0xFFB93C)}};

constexpr Palette kLight{.ground = hex(0xFAFAF7),
                         .text = hex(0x1B1F27),
                         .muted = hex(0x4A525D),
                         .line = hex(0xB4B8BF),
                         .ring = hex(0xEDF0F4),
                         .core = hex(0x3A4150),
                         .flash = hex(0xE0301E),
                         .dirty = hex(0x10131A),
                         .mark = hex(0x10131A),
                         .watch = hex(0x2E7D0E),
                         .accent = hex(0x3D4FB8),
                         .hues = {hex(0xA88D1F), hex(0x630059), hex(0x2D9CC7), hex(0x8858F3), hex(0x924000),
                                  hex(0x280CA9), hex(0x2B2B00), hex(0x006969)},
                         .scrap = hex(0x888C92),
                         .missKinds = {hex(0xF5BDB1), hex(0xEA8674), hex(0xD94A38), hex(0xA01D12), hex(0x5E0A05)},
                         .ghostFill = 0.14f,
                         .ghostRim = 0.55f,
                         .temperatureFill = {hex(0xDAE9F8), hex(0xF3F4F3), hex(0xF8E6BE)},
                         .temperatureRim = {hex(0x2166AC), hex(0xB9BDC3), hex(0xB97800)}};

}  // namespace

const Palette& paletteFor(Ground ground) {
    return ground == Ground::dark ? kDark : kLight;
}

Rgba nameColour(Rgba hue, Ground ground) {
    const Palette& palette = paletteFor(ground);
    Rgba name = hue;
    for (int step = 1; contrast(name, palette.ground) < kTextContrast && step <= kNameSteps; ++step) {
        name = mixed(hue, palette.text, static_cast<float>(step) / static_cast<float>(kNameSteps));
    }
    return name;
}

Rgba dirtyMark(Rgba hue, Ground ground) {
    const Rgba mark = paletteFor(ground).ground;
    return contrast(hue, mark) >= kSignContrast ? mark : readableOn(hue);
}

}  // namespace whorl::scene
