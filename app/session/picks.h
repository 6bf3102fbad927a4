// What a person has picked in the views: a source line, an object or word, a stay of a block. Said by what it is, not
// by where a history keeps it, so that it stays picked when the range, the machine or the addresses change; and what
// goes with it in the other views.
#pragma once

#include <optional>
#include <vector>

#include "sim/analysis/history.h"

namespace whorl::app {

struct SourcePick {
    std::uint32_t site = 0;  ///< a SiteId of the line
    bool operator==(const SourcePick&) const = default;
};

struct ObjectPick {
    sim::CostNode::Kind kind = sim::CostNode::Kind::word;
    std::uint32_t id = 0;      ///< object, region: index in the trace
    sim::ByteAddress address;  ///< word
    bool operator==(const ObjectPick&) const = default;
};

struct StayPick {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::BlockAddress block;
    sim::Cycles from = 0;
    bool operator==(const StayPick&) const = default;
};

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

/// What is picked, and whether objects or words are looked at.
struct Picks {
    std::optional<SourcePick> source;
    std::optional<ObjectPick> object;
    std::optional<StayPick> stay;
    std::optional<sim::ByteAddress> byte;  ///< of the block that is selected in the rings or in a list
    bool sourceIsNewer = false;            ///< the source line was picked after the object
    bool operator==(const Picks&) const = default;
};

/// What of a view is lit, as indices of its history; ascending.
struct Lit {
    std::optional<std::uint32_t> picked;
    std::vector<std::uint32_t> related;    ///< goes with what is picked in the other view
    std::vector<std::uint32_t> ofTheByte;  ///< has to do with the block that is selected
    bool operator==(const Lit&) const = default;
};

/// Source lines: those whose accesses were to the picked object, and those whose accesses were to the selected block.
Lit litSources(const sim::History& history, const Picks& picks, std::uint64_t blockSize);
/// Objects or words: what the accesses of the picked line were to, and what lies in the selected block.
Lit litObjects(const sim::History& history, const Picks& picks, bool words, std::uint64_t blockSize);
/// Stays of a level. With a line picked: those of all blocks that its accesses were to. With an object: those that
/// began with an access to it, so that others between them tell of false sharing. With a block: all of it.
Lit litStays(const sim::History& history, std::size_t level, const Picks& picks);

}  // namespace whorl::app
