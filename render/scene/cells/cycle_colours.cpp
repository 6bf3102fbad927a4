#include "render/scene/cells/cycle_colours.h"

#include "render/scene/cells/cell_colours.h"

namespace whorl::scene {

namespace {

/// Found by a search: far from each other, from the colours of the levels and from red under all four visions.
struct CyclePalette {
    Rgba work;
    Rgba memory;
    Rgba coherence;
    Rgba overhead;
    Rgba locks;
    Rgba barriers;
    Rgba otherWaits;
    Rgba path;
};
constexpr CyclePalette kDarkCycles{.work = hex(0xBADADA),
                                   .memory = hex(0x887322),
                                   .coherence = hex(0xC54AAC),
                                   .overhead = hex(0x9D01B6),
                                   .locks = hex(0x3EC1FE),
                                   .barriers = hex(0x4948FF),
                                   .otherWaits = hex(0x56606E),
                                   .path = hex(0xFFFFFF)};
constexpr CyclePalette kLightCycles{.work = hex(0x6EA686),
                                    .memory = hex(0x793918),
                                    .coherence = hex(0xFF69FF),
                                    .overhead = hex(0x00D25A),
                                    .locks = hex(0x0F4B85),
                                    .barriers = hex(0x8B7ABB),
                                    .otherWaits = hex(0xAEB5BE),
                                    .path = hex(0x000000)};

const CyclePalette& cyclePaletteFor(Ground ground) {
    return ground == Ground::dark ? kDarkCycles : kLightCycles;
}

/// Stripes of the colour itself on a page that it has dimmed.
Ink striped(Ground ground, Texture texture, Rgba colour) {
    return {mixed(colour, cellPaletteFor(ground).ground, 0.45f), texture, colour};
}

}  // namespace

Ink cycleInk(Ground ground, const sim::CycleClasses& classes, std::size_t what) {
    const CyclePalette& palette = cyclePaletteFor(ground);
    if (what == sim::CycleClasses::work()) return palette.work;
    if (what < sim::CycleClasses::served(classes.levels())) return servedColour(ground, what - 1, classes.levels());
    if (what == sim::CycleClasses::served(classes.levels())) return palette.memory;
    if (what == classes.coherence()) return palette.coherence;
    if (what == classes.overhead()) return palette.overhead;
    if (what == classes.locks()) return striped(ground, Texture::rising, palette.locks);
    if (what == classes.barriers()) return striped(ground, Texture::level, palette.barriers);
    if (what == classes.otherWaits()) return striped(ground, Texture::upright, palette.otherWaits);
    return cellPaletteFor(ground).untouched;
}

Rgba pathColour(Ground ground) {
    return cyclePaletteFor(ground).path;
}

}  // namespace whorl::scene
