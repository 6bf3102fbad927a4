// Describes a node of a folded graph or a stay of a block for the panels: a title and lines of text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/session/selection.h"
#include "render/scene/space/block_pick.h"
#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct NodeDescription {
    std::string title;
    std::vector<std::string> lines;

    /// The title, then the lines.
    std::vector<std::string> inLines() const;
};

/// A short name: "matmul.h:12", "Quadrant 3", "C[5]".
std::string nameOf(const sim::CostNode& node, const sim::Trace& trace);
/// The name of a word, relative to the object or region that contains it.
std::string nameOfWord(const sim::History& history, const sim::Trace& trace, const sim::CostNode& word);
/// The name of a picked object, region or word; without the objects that contain it where that is clear.
std::string nameOfPick(const ObjectPick& pick, const std::optional<PickedMemory>& memory, const sim::Trace& trace);
/// The label of a stay in a picture: the place whose access began it, "ArrayC[3]".
std::string nameOfStay(const sim::Trace& trace, const sim::Stay& stay);
/// The descriptions include the rank (from 1) by cost among all nodes.
NodeDescription describeSource(const sim::History& history, const sim::Trace& trace, std::size_t source);
NodeDescription describeObject(const sim::History& history, const sim::Trace& trace, bool words, std::size_t node);
NodeDescription describeStay(const sim::History& history, const sim::Trace& trace, std::size_t level, std::size_t stay);
/// "one of 37 stays folded into the cycles 1 600 – 3 200".
std::string describeCell(const scene::CellAround& cell);
/// The contents of a block: names of objects and places, at most `most`, and the number of further ones.
std::string insideOf(const sim::Trace& trace, sim::ByteAddress base, std::uint64_t size, sim::Tick at,
                     std::size_t most);

}  // namespace whorl::app
