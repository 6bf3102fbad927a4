// Where a history has what is picked, and which nodes and stays of the other views are highlighted with it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/session/picks.h"
#include "sim/analysis/history.h"

namespace whorl::app {

SourcePick pickOf(const sim::CostNode& source);
ObjectPick objectPickOf(const sim::CostNode& object);
StayPick pickOf(const sim::HistoryLevel& level, std::size_t levelIndex, std::size_t stay);

/// Where a history keeps them; nothing when they are not in it.
std::optional<std::uint32_t> find(const sim::History& history, const SourcePick& pick);
std::optional<std::uint32_t> find(const sim::History& history, const StayPick& pick);
/// Among the objects; of a word that lies in one, that one.
std::optional<std::uint32_t> findObject(const sim::History& history, const ObjectPick& pick);
/// Among the words; only a word is one.
std::optional<std::uint32_t> findWord(const sim::History& history, const ObjectPick& pick);

/// What is highlighted in a view, as indices of its history; ascending.
struct Highlights {
    std::optional<std::uint32_t> picked;
    std::vector<std::uint32_t> related;    ///< belongs to what is picked in the other view
    std::vector<std::uint32_t> ofTheByte;  ///< belongs to the block that is selected
    bool operator==(const Highlights&) const = default;
};

/// Source lines: those whose accesses were to the picked object, and those whose accesses were to the selected block.
Highlights sourceHighlights(const sim::History& history, const Picks& picks, std::uint64_t blockSize);
/// Objects or words: what the accesses of the picked line were to, and what lies in the selected block.
Highlights objectHighlights(const sim::History& history, const Picks& picks, bool words, std::uint64_t blockSize);
/// Stays of a level. With a line picked: those of all blocks that its accesses were to. With an object: those that
/// began with an access to it, so that others between them show false sharing. With a block: all of it.
Highlights stayHighlights(const sim::History& history, std::size_t level, const Picks& picks);

}  // namespace whorl::app
