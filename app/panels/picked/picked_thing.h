// What is picked: one thing, whatever picked it, with its name and the memory that it is. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/panel_context.h"
#include "sim/analysis/place.h"

namespace whorl::app {

struct PickedThing {
    enum class Kind : std::uint8_t {
        memory,  ///< an element, a block, an object, a cell of memory
        way,     ///< a cell of a cache
        region,
        line,  ///< a source line
        part,  ///< another part of the rings
    };
    Kind kind = Kind::part;
    std::string name;                       ///< "B[3][0]", "Quadrant 3", "L1, set 3, way 1"
    std::string of = {};                    ///< what it is a part of, or its class: "B", "class Quadrant"; may be empty
    std::optional<sim::Place> memory = {};  ///< for memory and regions
    std::optional<std::uint32_t> region = {};
    std::optional<std::uint32_t> object = {};  ///< the object that holds its first byte at the playhead
};

/// The last pick, or selection; nothing if nothing is picked. There must be a picture.
std::optional<PickedThing> pickedThing(const PanelContext& c);

/// The last access that has begun.
sim::Tick tickNow(const PanelContext& c);

}  // namespace whorl::app
