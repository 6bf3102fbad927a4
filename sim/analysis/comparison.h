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

/// A figure of both; empty where one of them has no such figure, as of a level that only the other machine has.
struct ComparedFigure {
    std::string key;    ///< in JSON: "L1_misses"; of a region its name
    std::string words;  ///< in a table
    std::optional<std::uint64_t> a;
    std::optional<std::uint64_t> b;

    /// By how much b is above a, or, negative, below it.
    std::optional<std::int64_t> difference() const;
    /// The difference in relation to a; empty also when a is 0.
    std::optional<double> share() const;
    bool operator==(const ComparedFigure&) const = default;
};

/// The misses of a level in each region where there were any, of both. Regions correspond by name; those of the same
/// name are combined. The largest difference first.
struct ComparedLevel {
    std::string name;
    std::vector<ComparedFigure> regions;
};

struct Comparison {
    struct Side {
        std::string trace;
        std::string machine;
        std::vector<std::string> settings = {};  ///< that changed it: "L1.write=through"
    };
    std::array<Side, 2> sides;
    std::vector<ComparedFigure> figures;  ///< see figures.h: with traffic, and with elapsed cycles where both know them
    std::vector<ComparedLevel> levels;    ///< those of a, then those that only b has
};

/// One of the two: the measures must have a ledger.
struct Measured {
    const Trace& trace;
    const Measures& measures;
};
Comparison comparison(const Measured& a, const Measured& b);

}  // namespace whorl::sim
