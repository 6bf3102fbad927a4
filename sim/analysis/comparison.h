// Two measurements side by side: of two traces, or of one trace on two machines.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// The misses of a level in two measurements, for each region with any. Regions correspond by name; those with the same
/// name are combined. The largest difference first.
struct ComparedLevel {
    std::string name;
    std::vector<ComparedFigure> regions;
};

struct Comparison {
    struct Side {
        std::string trace;
        std::string machine;
        std::vector<std::string> settings = {};  ///< settings that changed the machine: "L1.write=through"
    };
    std::array<Side, 2> sides;
    std::vector<ComparedFigure> figures;  ///< see figures.h: with traffic, and elapsed cycles if both sides have them
    std::vector<ComparedLevel> levels;    ///< the levels of a, then those that only b has
};

/// One side of a comparison. The measures must have a ledger.
struct Measured {
    const Trace& trace;
    const Measures& measures;
};
Comparison comparison(const Measured& a, const Measured& b);

}  // namespace whorl::sim
