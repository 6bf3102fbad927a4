// The colours of the pictures in space, beside those of palette.h.
#pragma once

#include <array>
#include <cstdint>

#include "render/scene/cpu_colours.h"
#include "render/scene/palette.h"

namespace whorl::scene {

struct SpacePalette {
    Rgba node;    ///< nodes of a folded graph, and marks without a colour of their own
    Rgba source;  ///< a chosen source line, and the objects that go with it
    Rgba object;  ///< a chosen object, and the source lines that go with it
    Rgba plate;   ///< cells without a node
    Rgba frame;   ///< edges of planes, axes
    Rgba lens;
    Rgba playhead;
    Rgba picked;
    Rgba several;                 ///< marks of several CPUs, states or classes at once
    float ambient;                ///< ambient share of the headlight: dark colours on a light ground need more of it
    std::array<Rgba, 3> holding;  ///< by sim::Holding
};
const SpacePalette& spacePaletteFor(Ground ground);

}  // namespace whorl::scene
