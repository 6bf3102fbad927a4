// The owners of a trace's memory, as in the table of regions of `whorl stats`, with what is in them, as a table of
// nested rows: classes, variables and allocations. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::app {

struct RegionTree {
    /// What a row is about.
    enum class Kind : std::uint8_t {
        region,   ///< `index` in Trace::regions(); of several that are one variable, the first
        group,    ///< objects of one class, or of one variable of it
        object,   ///< `index` in Trace::objects()
        leftOut,  ///< objects of a group that are not listed: those with the fewest misses
    };
    struct Row {
        Kind kind = Kind::region;
        std::uint32_t index = 0;
        bool operator==(const Row&) const = default;
    };
    /// The most objects that are listed of a group.
    static constexpr std::size_t kMaxListed = 5000;

    /// "region", "bytes"; of a measure also "accesses", "misses" (of the nearest level), "share" (of all misses, in
    /// percent; of the accesses where there is no level), "L2_misses", …; what is in a row counts in it, too.
    sim::Table table;
    std::vector<std::uint8_t> depths;  ///< as RowChoice has them
    std::vector<Row> rows;
};

/// `ledger`: the sums of a range; null: they are not known.
RegionTree regionTree(const sim::Trace& trace, const sim::MachineConfig& machine, const sim::Ledger* ledger);

}  // namespace whorl::app
