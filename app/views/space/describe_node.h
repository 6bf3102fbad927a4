// What a node of a folded graph or a stay of a block is, in words: a title and lines of text, as panels list them.
#pragma once

#include <string>
#include <vector>

#include "sim/analysis/history.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct NodeDescription {
    std::string title;
    std::vector<std::string> lines;
};

/// "matmul.h:12", "Quadrant 3", "C[5]": short.
std::string nameOf(const sim::CostNode& node, const sim::Trace& trace);
/// Of a word: within the object or region that it lies in.
std::string nameOfWord(const sim::History& history, const sim::Trace& trace, const sim::CostNode& word);
/// With its rank (from 1) by cost among `nodes`.
NodeDescription describeSource(const sim::History& history, const sim::Trace& trace, std::size_t source);
NodeDescription describeObject(const sim::History& history, const sim::Trace& trace, bool words, std::size_t node);
NodeDescription describeStay(const sim::History& history, const sim::Trace& trace, std::size_t level, std::size_t stay);
/// What lies in a block: the names of objects and places, at most `most`, and how many more there are.
std::string insideOf(const sim::Trace& trace, sim::ByteAddress base, std::uint64_t size, sim::Tick at,
                     std::size_t most);

}  // namespace whorl::app
