// What all pictures in space have in common in how they are looked at, and their colours.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <string>

#include "render/scene/palette.h"
#include "render/scene/space/space_camera.h"

namespace whorl::scene {

struct SpaceLook {
    glm::vec2 size{1280, 720};  ///< pixels
    Ground ground = Ground::dark;
    float textSize = 16;  ///< pixels
    SpaceCamera camera;
    std::string title;  ///< empty: none

    /// About this many primitives are drawn at most; what is small gives way to what is large. Half as many while
    /// things move keeps slow machines quick.
    std::uint32_t budget = 100'000;
};

struct SpacePalette {
    Rgba node;    ///< of a folded graph, and what has no colour of its own
    Rgba source;  ///< a chosen source line, and the objects that go with it
    Rgba object;  ///< a chosen object, and the source lines that go with it
    Rgba plate;   ///< where there are no nodes
    Rgba frame;   ///< edges of planes, axes
    Rgba lens;
    Rgba playhead;
    Rgba picked;
    float ambient;                ///< of the headlight: dark colours on a light ground need more of it
    std::array<Rgba, 3> holding;  ///< by sim::Holding
};
const SpacePalette& spacePaletteFor(Ground ground);

/// A colour for each of up to 64 CPUs; the first eight can be told apart in light and in shade.
Rgba cpuColour(Ground ground, std::uint32_t cpu);

}  // namespace whorl::scene
