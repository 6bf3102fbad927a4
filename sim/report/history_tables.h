// What a history has, as tables: the costs of each word and each class, like those of sim/report/tables.h, and
// evictions by pairs, also as an answer.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "sim/analysis/collisions.h"
#include "sim/analysis/history.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A readable name for an address within something: "B[3]", "node 7+0x10", "0x1040".
std::string placeIn(const Trace& trace, const CostNode& object, ByteAddress address);

/// A row for each word that was accessed: its place, accesses, access cycles. The highest cost first.
Table wordTable(const History& history, const Trace& trace);

/// A row for each class, and one for everything without a class: instances, words, accesses, access cycles, those per
/// instance and per word.
Table classTable(const History& history);

/// A row for each field of each structure ("Node.next"), over all its instances, and one for everything in no field:
/// words, accesses, access cycles. A word belongs to the field at its start.
Table fieldTable(const History& history, const Trace& trace);

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
