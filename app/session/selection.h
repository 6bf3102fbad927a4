// The user's selection, made in the picture, in a list or by a search. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "render/scene/scene.h"
#include "sim/replay/run.h"

namespace whorl::app {

struct Selection {
    scene::Target target;
    std::optional<sim::ByteAddress> byte;  ///< a byte of the selected block, if the target is a block

    bool operator==(const Selection&) const = default;
};

/// The selection for a click on a target; a cell shared by several blocks selects its set.
Selection selectionOf(scene::Target target);
/// The block that contains a byte.
Selection blockAt(sim::ByteAddress byte);
Selection regionAt(std::uint32_t region);

/// Whether the target exists in the run's machine and trace.
bool exists(const scene::Target& target, const sim::Run& run);

/// Two conflicting regions: an access to `evictor` evicts blocks of `victim`; numbered as in the ledger.
struct RegionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    bool operator==(const RegionPair&) const = default;
};

/// A line of the trace's source files; `line` starts at 1.
struct SourceLine {
    std::uint32_t file = 0;  ///< index into Trace::files()
    std::uint32_t line = 0;
    bool operator==(const SourceLine&) const = default;
};

}  // namespace whorl::app
