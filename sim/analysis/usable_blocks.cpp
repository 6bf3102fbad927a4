#include "sim/analysis/usable_blocks.h"

#include <algorithm>

#include "sim/trace/trace_footprint.h"

namespace whorl::sim {

namespace {

/// The usable blocks of one cache; `byCpu`: the footprint of each CPU.
std::uint64_t usableBlocksOf(const MachineConfig& machine, std::size_t level, std::uint32_t cache,
                             const std::vector<Footprint>& byCpu) {
    const auto first = std::min<std::size_t>(machine.firstCpu(level, cache), byCpu.size());
    const auto end = std::min<std::size_t>(machine.endCpu(level, cache), byCpu.size());
    Footprint touched;
    for (std::size_t cpu = first; cpu < end; ++cpu) touched = touched.with(byCpu[cpu]);
    return std::min<std::uint64_t>(machine.levels[level].blocks(), touched.blocks(machine.levels[level].block));
}

}  // namespace

std::optional<std::vector<std::uint64_t>> usableBlocks(const Trace& trace, const MachineConfig& machine,
                                                       Progress& progress) {
    std::optional<std::vector<Footprint>> byCpu = std::vector<Footprint>{trace.footprint()};
    if (trace.cpus() > 1) byCpu = footprintsByCpu(trace.parts(), progress);
    if (!byCpu) return std::nullopt;
    std::vector<std::uint64_t> usable(machine.levels.size());
    for (std::size_t l = 0; l < usable.size(); ++l) {
        for (std::uint32_t c = 0; c < machine.caches(l); ++c) usable[l] += usableBlocksOf(machine, l, c, *byCpu);
    }
    return usable;
}

}  // namespace whorl::sim
