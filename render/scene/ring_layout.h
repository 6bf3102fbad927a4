// Where everything that does not move is: the rings of a machine over the memory of a trace, for a picture of a certain
// size. A pure function of those three; made once for each and used for every frame.
#pragma once

#include <glm/vec2.hpp>
#include <vector>

#include "render/scene/arms.h"
#include "render/scene/memory_ring.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

struct RingLayout {
    RingLayout(const sim::MachineConfig& machine, const sim::Trace& trace, const Homes& homes, glm::vec2 size,
               float textScale);

    glm::vec2 size;
    float textScale = 1;
    glm::vec2 centre;
    float unit = 0;     ///< half of the smaller side; radii in the picture are shares of it
    float core = 0;     ///< the radius of the CPU's disc
    float channel = 0;  ///< between a level and the next ring, wide enough for the level's name
    std::vector<LevelRing> levels;
    MemoryRing memory;

    /// The place of a rank in a set of a level, in the picture.
    glm::vec2 linePlace(std::size_t level, sim::SetIndex set, float rank) const {
        return centre + levels[level].place(set.value, rank);
    }
    glm::vec2 homePlace(std::uint32_t place) const { return centre + memory.places[place]; }

    /// The radius of the circle on which the names of regions stand, as a share of `unit`.
    static constexpr float kNames = 0.965f;
    /// The height of a level's name, pixels at text scale 1.
    static constexpr float kLevelText = 16.0f;
};

}  // namespace whorl::scene
