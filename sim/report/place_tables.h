// The history of a place, and the life of an object, in words, as tables and as answers.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/object_life.h"
#include "sim/analysis/place_history.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A row for each access, or request of a cell of a cache: tick, CPU, source line, address and its name, read or write,
/// size, the level that served it, penalty; TLB misses, where there is a TLB; of a cell of a cache also the block, hit
/// or miss, and whether it is the CPU's own request.
Table placeAccessTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// A row for each of `rows`: its name, first and last access, accesses or requests, writes, those served by each level,
/// penalty. `thing`: what a row stands for, "line"; `ofCache`: the place is a cell of a cache.
Table placeRowTable(std::string_view thing, const std::vector<PlaceRow>& rows, const MachineConfig& machine,
                    bool ofCache);
/// A row for each thing that lived in the place; see rowsByName.
Table placeNameTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);
/// A row for each source line that used the place.
Table placeLineTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// A row for each stay: level, cache, block and its name, when it came and left.
Table placeStayTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// All tables of the place; in text, the stays only for a cell of a cache. JSON: {"place", "from", "to", "accesses":
/// [rows], "names": [rows], "lines": [rows], "stays": [rows], "left_out", "stays_left_out"}. CSV: the accesses.
Document placeDocument(const std::shared_ptr<const PlaceHistory>& history, const std::shared_ptr<const Run>& run);

/// A life in words, with its trace and the machine that its accesses were played on.
struct LifeWords {
    const ObjectLife& life;
    const Trace& trace;
    const MachineConfig& machine;

    /// "Quadrant 4", "A[1][0] … A[1][3]".
    std::string subject() const;
    /// "build_tree on CPU 3"; without the CPU on a machine of one.
    std::string node(std::uint32_t node) const;
    /// "CPU 3", or "CPU 3 (worker)" where the thread has a name.
    std::string cpu(std::uint32_t cpu) const;
    /// "build_tree (tree.c:12)": with the line of its first access, where it is a function.
    std::string code(std::uint32_t code) const;
    /// What a node did, a fact a line; the first one is accesses and cycles.
    std::vector<std::string> nodeFacts(std::uint32_t node) const;
    /// What moved along an edge, a fact a line.
    std::vector<std::string> edgeFacts(const LifeEdge& edge) const;
    /// When it was created, who touched it first; and its end.
    std::string beginning() const;
    std::string end() const;
    /// "932 accesses, 9 300 cycles: 400 of look-ups, …".
    std::string sums() const;
};

/// A row for each node: code, CPU, accesses, reads, writes, cycles, of these taken from other CPUs and fetched from
/// farther, episodes, first and last tick, blocks that it touched first and last.
Table lifeNodeTable(const LifeWords& words);
/// A row for each edge: from, to, moves, and the moves that were taken from other CPUs or fetched from farther.
Table lifeMoveTable(const LifeWords& words);

/// The life as a story, with `top` of the moves. JSON: {"place", "from", "to", "address", "bytes", "block", "blocks",
/// "accesses", "cycles", "nodes": [rows], "moves": [rows]}. CSV: the nodes.
Document lifeDocument(const std::shared_ptr<const ObjectLife>& life, const std::shared_ptr<const Run>& run);

}  // namespace whorl::sim
