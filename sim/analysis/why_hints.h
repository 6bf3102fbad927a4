// What might help beside another layout, told by how memory is accessed. Nobody tried it: the order of loops, blocks of
// loops, other orders of nodes, fields apart, memory reserved in advance; and what the stalls are that no layout saves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/analysis/owner_shape.h"
#include "sim/analysis/why_cures.h"

namespace whorl::sim {

/// A line walks an array in steps that are longer than a block, down its columns.
struct LoopHint {
    std::string line;
    std::int64_t step = 0;  ///< bytes
    /// The indices of the two dimensions, as the source names them; empty: unknown.
    std::pair<std::string, std::string> indices;
};

/// More is fetched into a level again and again than fits into it.
struct WorkingSetHint {
    std::size_t level = 0;
    std::uint64_t bytes = 0;  ///< of all blocks fetched
    double times = 0;         ///< fetches of each, on average
    std::uint64_t fit = 0;    ///< rows, or elements, that take half of the level
    bool areRows = false;
};

/// Few fields are used by nearly all accesses.
struct FieldsHint {
    std::vector<std::string> hot;
    double share = 0;         ///< of the accesses
    std::uint64_t bytes = 0;  ///< of the hot fields together
    std::uint64_t element = 0;
};

/// What is known about an array that no layout changes.
struct WhyHints {
    std::optional<LoopHint> loop;
    std::optional<WorkingSetHint> workingSet;
    std::optional<FieldsHint> fields;
    std::optional<Growth> growth;
    std::optional<double> nodes;  ///< blocks of the heap, each for itself: the share of the bytes fetched that is used
    std::optional<double> firstTouches;  ///< the share of the stall cycles that first touches cost in memory
    std::optional<double> prefetched;    ///< the share of the stall cycles that a stride prefetcher hides
};

/// The hints for the memory of an owner; without `prefetched`.
WhyHints hintsFor(const StallFacts& facts, std::size_t owner);

/// The machine with a stride prefetcher at its nearest level; nothing if it has one, or no cache.
std::optional<MachineConfig> prefetching(const MachineConfig& machine);

}  // namespace whorl::sim
