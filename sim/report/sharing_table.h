// The blocks that CPUs invalidate for each other, and the accesses to each of them by offset: a table as
// `perf c2c` prints it (Linux, tools/perf). One home for the rows of `whorl sharing` and of the window.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/sharing.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// The cells of a row, in their order.
enum class SharingColumn : std::size_t {
    level,
    block,   ///< address of its first byte
    offset,  ///< in the block, of the first byte accessed; none for a block
    bytes,
    place,  ///< all names in a block, by address; or the name at the offset
    cpus,   ///< "0 1 3"
    reads,
    writes,
    invalidations,
    falseMisses,
    trueMisses,
    lost,   ///< cycles, see SharedBlock
    kind,   ///< in words
    lines,  ///< all lines, the costliest first
    cure,   ///< for a block: the best cure of its group, as for --map
    savedCycles,
    savedElapsed,
};

/// What a row is about.
struct SharingRow {
    std::size_t block = 0;             ///< index into SharingReport::blocks
    std::optional<std::size_t> field;  ///< index of the field at an offset; none: the block as a whole
    bool operator==(const SharingRow&) const = default;
};

struct SharingTable {
    Table table;
    std::vector<SharingRow> rows;  ///< what each row of the table is about
};

/// A row for each block, the largest loss first, each followed by a row for each accessed place in it, sorted the same
/// way.
SharingTable sharingTable(const SharingReport& report, const Trace& trace);

/// The lines that access what a row is about, the largest loss first, then the most accesses.
std::vector<FieldLine> linesOf(const SharingReport& report, const SharingRow& row);

/// The cause in words, "false sharing"; and in keys, "false_sharing".
std::string_view wordsFor(SharingCause cause);
std::string_view keyFor(SharingCause cause);

/// The group to which each block belongs: indices into SharingReport::groups, by block.
std::vector<std::size_t> groupsOfBlocks(const SharingReport& report);

/// How far from the start of its block the part of a field begins that is in that block, in bytes.
std::uint64_t offsetOf(const SharedField& field, const SharedBlock& block, const SharingReport& report);

/// The first `top` blocks with all their offsets, for a terminal.
std::string sharingTableAsText(const SharingTable& table, std::size_t top);

}  // namespace whorl::sim
