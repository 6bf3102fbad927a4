// What a person has chosen to look at: in the picture, in a list, or by a search. Plain data.
#pragma once

#include <optional>
#include <string>

#include "render/scene/scene.h"
#include "sim/replay/run.h"

namespace whorl::app {

struct Selection {
    scene::Target target;
    std::optional<sim::ByteAddress> byte;  ///< of the block that is meant, if one is

    bool operator==(const Selection&) const = default;
};

/// The selection that a click on a target makes; a place that several blocks share stands for its set.
Selection selectionOf(scene::Target target);
/// The block that holds a byte.
Selection blockAt(sim::ByteAddress byte);
Selection regionAt(std::uint32_t region);

/// Whether the run's machine and trace have what a target names.
bool exists(const scene::Target& target, const sim::Run& run);

/// A line of the trace's source files; `line` counts from 1.
struct SourceLine {
    std::uint32_t file = 0;  ///< index into Trace::files()
    std::uint32_t line = 0;
    bool operator==(const SourceLine&) const = default;
};

}  // namespace whorl::app
