// The results of a sweep, as text, CSV and JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/analysis/sweep.h"
#include "sim/base/error.h"
#include "sim/report/json.h"
#include "sim/report/report.h"

namespace whorl::sim {

/// The result of a point: a report, or the error of its machine.
struct PointResult {
    std::uint64_t point = 0;
    Expected<Report> report;
};

/// The results of a sweep, or of a shard of it.
struct SweepResults {
    Sweep sweep;
    SweepSubject subject;
    Shard shard;
    std::vector<PointResult> points;  ///< ascending
};

/// A row for each point: its values, the miss ratio of each level, the blocks read from memory, cycles per access.
std::string sweepAsText(const SweepResults& results);

/// The rows of each point's only table, or of its counts when it has none, after "sweep" (a digest of the sweep's
/// subject), "trace", "points", "point", the point's values and "error".
std::string sweepAsCsv(const SweepResults& results);

/// {"sweep": {"trace", "accesses", "digest", "from", "to", "machine", "told", "axes": [{"key", "values"}], "points",
/// "shard"}, "results": [{"point", "values", "report" or "error"}]}: a line for each point; "shard" only when there are
/// several.
std::string sweepAsJson(const SweepResults& results);
/// The JSON text of these lines.
std::string sweepText(const SweepLines& lines);

}  // namespace whorl::sim
