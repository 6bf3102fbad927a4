// Compares the fast simulator with the reference.
#pragma once

#include <string>
#include <vector>

#include "sim/cache/event.h"
#include "sim/reference/reference.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger.h"

namespace whorl::sim::compare {

struct MissAt {
    std::uint64_t tick;
    std::size_t level;
    std::size_t cache;
    std::uint64_t block;
};

/// In the format of the reference.
std::string lineOf(const Event& e);
std::string lineOf(const MissAt& miss, MissKind kind);

/// Where two lists of lines differ, with the lines before; empty when they are equal.
std::string firstDifference(const std::vector<std::string>& fast, const std::vector<std::string>& slow);

void expectSameCounts(const Simulator& fast, const reference::Reference& slow);
/// The blocks of every set in the order of eviction, with their states.
void expectSameContents(const Hierarchy& fast, const reference::Machine& slow);
/// The pages in the frames and in the TLBs.
void expectSamePages(const Hierarchy& fast, const reference::Machine& slow);
/// All sums of the ledger against the counts and the reference's list of misses.
void expectLedgerAddsUp(const Ledger& ledger, const Simulator& fast, const MachineConfig& machine,
                        const reference::Reference& slow);

}  // namespace whorl::sim::compare
