// What a cell can show: the list of metrics of memory and of caches, over a range and at a moment.
//
// Source: K. Proudfoot, "Visualizing Memory Hierarchies", whose own lists are lost; these are what its text needs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/machine/machine_config.h"

namespace whorl::scene {

/// The displays that have cells.
enum class CellDisplay : std::uint8_t { memory, memoryLive, cache, cacheLive };
inline constexpr std::size_t kCellDisplays = 4;
constexpr bool isOfMemory(CellDisplay display) {
    return display == CellDisplay::memory || display == CellDisplay::memoryLive;
}
constexpr bool isLive(CellDisplay display) {
    return display == CellDisplay::memoryLive || display == CellDisplay::cacheLive;
}

enum class CellMetric : std::uint8_t {
    // over a range
    accesses,
    reads,
    writes,
    hits,
    misses,
    missRate,
    penalty,
    served,  ///< the level that served most accesses
    tlbMisses,
    pageFaults,
    conflicts,    ///< distinct regions that it conflicts with
    utilization,  ///< used share of the bytes of its blocks
    evictions,
    writebacks,
    blocks,     ///< distinct blocks that lived in it
    setMisses,  ///< of all ways of its set, and those that filled none
    setBlocks,  ///< distinct blocks that lived in its set
    // at a moment
    glow,       ///< light of recent hits and misses
    lastHit,    ///< whether its last access hit
    since,      ///< accesses since the last
    lastLevel,  ///< the level that served the last access
    residence,  ///< the nearest level that holds it
    lastWrite,  ///< whether the last access wrote
    valid,      ///< whether it holds a block, and whether that is dirty
    owner,      ///< the region of the block in it
};

/// How a metric is coloured.
enum class CellScaling : std::uint8_t {
    misses,    ///< on the red ramp
    number,    ///< on the neutral ramp
    share,     ///< on the neutral ramp, from 0 to 100 %
    category,  ///< a colour a value
    glow,
};

struct CellMetricKind {
    CellMetric metric;
    std::string_view word;   ///< on the command line
    std::string_view words;  ///< on screen, after the level's name for those of a level
    bool ofLevel;            ///< is of a level of the machine; for caches, of the one that is shown
    CellScaling scaling;
    std::array<bool, kCellDisplays> of;  ///< which displays can show it
};

/// In the order of CellMetric.
inline constexpr std::array kCellMetrics = {
    CellMetricKind{
        CellMetric::accesses, "accesses", "accesses", false, CellScaling::number, {true, false, true, false}},
    CellMetricKind{CellMetric::reads, "reads", "reads", false, CellScaling::number, {true, false, false, false}},
    CellMetricKind{CellMetric::writes, "writes", "writes", false, CellScaling::number, {true, false, false, false}},
    CellMetricKind{CellMetric::hits, "hits", "hits", true, CellScaling::number, {true, false, true, false}},
    CellMetricKind{CellMetric::misses, "misses", "misses", true, CellScaling::misses, {true, false, true, false}},
    CellMetricKind{
        CellMetric::missRate, "miss-rate", "miss rate", true, CellScaling::share, {true, false, true, false}},
    CellMetricKind{
        CellMetric::penalty, "penalty", "miss penalty, cycles", false, CellScaling::number, {true, false, true, false}},
    CellMetricKind{CellMetric::served,
                   "level",
                   "level that served most accesses",
                   false,
                   CellScaling::category,
                   {true, false, false, false}},
    CellMetricKind{
        CellMetric::tlbMisses, "tlb-misses", "TLB misses", false, CellScaling::misses, {true, false, false, false}},
    CellMetricKind{
        CellMetric::pageFaults, "page-faults", "page faults", false, CellScaling::misses, {true, false, false, false}},
    CellMetricKind{CellMetric::conflicts,
                   "conflicts",
                   "regions it conflicts with",
                   true,
                   CellScaling::number,
                   {true, false, false, false}},
    CellMetricKind{CellMetric::utilization,
                   "utilization",
                   "bytes used of its blocks",
                   true,
                   CellScaling::share,
                   {true, false, false, false}},
    CellMetricKind{
        CellMetric::evictions, "evictions", "evictions", false, CellScaling::number, {false, false, true, false}},
    CellMetricKind{
        CellMetric::writebacks, "write-backs", "write-backs", false, CellScaling::number, {false, false, true, false}},
    CellMetricKind{
        CellMetric::blocks, "blocks", "distinct blocks", false, CellScaling::number, {false, false, true, false}},
    CellMetricKind{CellMetric::setMisses,
                   "set-misses",
                   "misses of its set",
                   false,
                   CellScaling::misses,
                   {false, false, true, false}},
    CellMetricKind{CellMetric::setBlocks,
                   "set-blocks",
                   "blocks that compete for its set",
                   false,
                   CellScaling::number,
                   {false, false, true, false}},
    CellMetricKind{
        CellMetric::glow, "glow", "recent hits and misses", true, CellScaling::glow, {false, true, false, true}},
    CellMetricKind{CellMetric::lastHit,
                   "last",
                   "last access: hit or miss",
                   true,
                   CellScaling::category,
                   {false, true, false, true}},
    CellMetricKind{
        CellMetric::since, "since", "accesses since the last", false, CellScaling::number, {false, true, false, true}},
    CellMetricKind{CellMetric::lastLevel,
                   "served",
                   "level that served the last access",
                   false,
                   CellScaling::category,
                   {false, true, false, false}},
    CellMetricKind{CellMetric::residence,
                   "residence",
                   "level it is in now",
                   false,
                   CellScaling::category,
                   {false, true, false, false}},
    CellMetricKind{CellMetric::lastWrite,
                   "operation",
                   "last access: read or write",
                   false,
                   CellScaling::category,
                   {false, true, false, true}},
    CellMetricKind{
        CellMetric::valid, "state", "valid, dirty", false, CellScaling::category, {false, false, false, true}},
    CellMetricKind{
        CellMetric::owner, "owner", "region of its block", false, CellScaling::category, {false, false, false, true}},
};
static_assert(sim::isInOrder(kCellMetrics, &CellMetricKind::metric));
constexpr const CellMetricKind& kindOf(CellMetric metric) {
    return kCellMetrics[static_cast<std::size_t>(metric)];
}
constexpr bool canShow(CellDisplay display, CellMetric metric) {
    return kindOf(metric).of[static_cast<std::size_t>(display)];
}

/// A metric, and its level.
struct CellQuantity {
    CellMetric metric = CellMetric::misses;
    std::uint8_t level = 0;
    bool operator==(const CellQuantity&) const = default;
};

/// The default quantity of a display.
CellQuantity usualQuantity(CellDisplay display, const sim::MachineConfig& machine);

/// "misses:L2", "accesses"; and on screen: "L2 misses".
std::string wordOf(const CellQuantity& quantity, const sim::MachineConfig& machine);
std::string inWords(const CellQuantity& quantity, const sim::MachineConfig& machine);
/// The inverse of wordOf; without a level it is the nearest. Nothing if there is no such metric of this display.
std::optional<CellQuantity> quantityNamed(std::string_view word, CellDisplay display,
                                          const sim::MachineConfig& machine);
/// The words of all metrics of a display: "misses:L1, misses:L2, …".
std::vector<std::string> quantityWords(CellDisplay display, const sim::MachineConfig& machine);
/// All quantities of a display. Those of a level are listed for each level that the display has.
std::vector<CellQuantity> quantitiesOf(CellDisplay display, const sim::MachineConfig& machine);

}  // namespace whorl::scene
