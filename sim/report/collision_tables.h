// Evictions by pairs, as tables and as an answer.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "sim/analysis/collisions.h"
#include "sim/report/document.h"
#include "sim/report/table.h"

namespace whorl::sim {

/// The matrix of a level: a row for each evictor, a column for each victim, those with the most collisions first; at
/// most `top` of each, and the others together.
Table collisionMatrix(const Collisions& collisions, const History& history, std::size_t level, std::size_t top);

/// A row for each pair, for all levels or one, with the first ticks.
Table collisionPairs(const Collisions& collisions, const History& history, std::optional<std::size_t> level);

/// The matrices and the pairs, for all levels or one. JSON: {"by", "pairs": [{"level", "culprit", "victim",
/// "evictions", "moments": [ticks]}], "left_out"}.
Document collisionDocument(Collisions collisions, const std::shared_ptr<const History>& history,
                           std::optional<std::size_t> level);

}  // namespace whorl::sim
