// Two measurements side by side: of two traces, or of one trace on two machines. And what-if: a trace as it is, and
// with a changed layout, on one machine.
#pragma once

#include <algorithm>
#include <array>
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
#include "sim/replay/measures.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A figure of two measurements; empty for a side without that figure, for example of a level that only the other
/// machine has.
struct ComparedFigure {
    std::string key;    ///< in JSON: "L1_misses"; for a region its name
    std::string words;  ///< in a table
    std::optional<std::uint64_t> a;
    std::optional<std::uint64_t> b;

    /// b - a; empty if either is missing.
    std::optional<std::int64_t> difference() const;
    /// The difference as a share of a; empty also when a is 0.
    std::optional<double> share() const;
    bool operator==(const ComparedFigure&) const = default;
};

struct Comparison {
    struct Side {
        std::string trace;
        std::string machine;
        std::vector<std::string> settings = {};  ///< settings that changed the machine: "L1.write=through"
    };
    std::array<Side, 2> sides;
    std::vector<ComparedFigure> figures;  ///< see figures.h: with traffic, and elapsed cycles if both sides have them
};

/// One side of a comparison. The measures must have a ledger.
struct Measured {
    const Trace& trace;
    const Measures& measures;
};
Comparison comparison(const Measured& a, const Measured& b);

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
