// What-if: a trace as it is, and with a changed layout, on one machine, side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A figure before and after the change.
struct Difference {
    std::string key;    ///< in JSON: "L1_misses"; for a region, an object or a class its name
    std::string words;  ///< in the table
    std::uint64_t before = 0;
    std::uint64_t after = 0;

    /// The amount of the change, up or down.
    std::uint64_t size() const { return std::max(before, after) - std::min(before, after); }
    /// The saving as a share of the value before: at most 1; negative when it increased. Empty when it was 0.
    std::optional<double> savedShare() const {
        if (before == 0) return std::nullopt;
        return (static_cast<double>(before) - static_cast<double>(after)) / static_cast<double>(before);
    }
    bool operator==(const Difference&) const = default;
};

struct WhatIf {
    std::string trace;  ///< name of the trace with the changed layout
    std::string machine;
    std::vector<std::string> changes;
    /// Access cycles of all CPUs; elapsed cycles, where the trace has timing; misses of each level, of all kinds and by
    /// kind, and those by sharing together; blocks read from and written to memory; TLB misses.
    std::vector<Difference> figures;
    /// Access cycles of each region, object and class where they changed; the largest change first. Things with the
    /// same name are combined.
    std::vector<Difference> regions;
    std::vector<Difference> objects;
    std::vector<Difference> classes;
};

/// Plays both traces. They must have the same regions and objects, at different places. Errors are those of `measure`.
Expected<WhatIf> whatIf(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                        const MachineConfig& machine, Progress& progress);

}  // namespace whorl::sim
