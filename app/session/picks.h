// What a person has picked in the views: a source line, an object or word, a stay of a block. Identified by what it is,
// not by where a history keeps it, so that it stays picked when the range, the machine or the addresses change. Plain
// data.
#pragma once

#include <optional>

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

/// What is picked, and whether objects or words are looked at.
struct Picks {
    std::optional<SourcePick> source;
    std::optional<ObjectPick> object;
    std::optional<StayPick> stay;
    std::optional<sim::ByteAddress> byte;  ///< of the block that is selected in the rings or in a list
    bool sourceIsNewer = false;            ///< the source line was picked after the object
    bool operator==(const Picks&) const = default;
};

}  // namespace whorl::app
