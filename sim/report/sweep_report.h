// The results of a sweep, as text, CSV and JSON; and its shards merged, all written by sweepAsJson or all by
// sweepAsCsv.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

struct SweepPart {
    std::string name;  ///< the file's, for errors
    std::string text;
};

/// Fails if a part with this beginning is no part of a sweep: so that an endless one is not read.
Expected<void> checkPart(const std::string& name, std::string_view begin);

/// The output of the whole sweep, identical to the byte. An error when a part is not of a sweep, or of a different one,
/// when a point occurs twice, and when points are missing.
Expected<std::string> merged(const std::vector<SweepPart>& parts);

}  // namespace whorl::sim
