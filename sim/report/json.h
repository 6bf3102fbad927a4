// Results as JSON. Invalid UTF-8 in names is replaced.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/collisions.h"
#include "sim/analysis/comparison.h"
#include "sim/analysis/latent_sharing.h"
#include "sim/analysis/place_history.h"
#include "sim/analysis/sharing.h"
#include "sim/analysis/what_if.h"
#include "sim/analysis/why.h"
#include "sim/report/hardware_report.h"
#include "sim/report/life_tables.h"
#include "sim/report/recorded_report.h"
#include "sim/report/report.h"
#include "sim/report/sweep_report.h"

namespace whorl::sim {

/// {"accesses", "reads", "writes", "cycles", "cycles_per_access", "elapsed_cycles", "machine", "cpus": [{"cycles"}],
/// "levels": [{"name", "sets", "ways", "block", "size", "caches": [{"cpus", "accesses", "hits", "misses", …}],
/// "read_bytes", "written_bytes"}], "memory": {"reads", "writes", "read_bytes", "written_bytes"}, "tlb": {"misses",
/// "cpus"}, "pages": {"faults", "writebacks", "cpus"}, "tables": {name: [rows]}}; "elapsed_cycles", "tlb", "pages" and
/// "tables" only where there are any. Indented, or on one line.
std::string reportAsJson(const Report& report, bool onOneLine = false);

/// {"recorded": true, "accesses", "reads", "writes", "waits", "cycles", "cycles_per_access", "elapsed_cycles", "cpus":
/// [{"accesses", "reads", "writes", "waits", "cycles"}], "levels": [{"name", "block", "caches": [{"cpus", "loads",
/// …}]}], "tables": {name: [rows]}, "not_recorded": sentence}.
std::string recordedAsJson(const RecordedReport& report);

/// {"by", "pairs": [{"level", "culprit", "victim", "evictions", "moments": [ticks]}], "left_out"}.
std::string collisionsAsJson(const Collisions& collisions, const History& history, std::optional<std::size_t> level);

/// {"machine", "counts": [{"what", "event", "simulated", "counted": null if it is not, "differs"}]}.
std::string checkAsJson(const std::vector<CheckedCount>& counts, const std::string& machine);

/// {"place", "from", "to", "accesses": [rows], "names": [rows], "lines": [rows], "stays": [rows], "left_out",
/// "stays_left_out"}: the rows of the tables of place_tables.h, in objects.
std::string placeHistoryAsJson(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine);

/// {"place", "from", "to", "address", "bytes", "block", "blocks", "accesses", "cycles", "nodes": [rows], "moves":
/// [rows]}: the rows of the tables of life_tables.h, in objects.
std::string objectLifeAsJson(const LifeWords& words);

/// {"lost", "cycles", "machine", "tried", "untried", "together": as one of the cures or null, "groups": [{"level",
/// "cause", "things", "blocks": [{"block", "invalidations", "true_sharing", "false_sharing", "lost", "fields":
/// [{"place", "address", "size", "cpus": [{"cpu", "reads", "writes"}]}]}], "invalidations", "true_sharing",
/// "false_sharing", "lost", "lines": [{"line", "misses", "invalidations", "lost"}], "cures": [{"changes": [{"kind",
/// "thing", "of_class", "bytes", "element", "spec"}], "saved_cycles", "saved_elapsed", "padding"}], "rejected": as
/// "cures", "through": level or null}]}. What costs cycles has negative savings.
/// With a latent report also "latent": {"placements", "doubled_blocks": {level: bytes} or null, "groups": [{"shifts":
/// changes, none with blocks twice as large, "level", "things", "cpus", "false_sharing", "false_sharing_now",
/// "lost"}]}.
std::string sharingAsJson(const SharingReport& report, const Trace& trace, const LatentReport* latent = nullptr);

/// {"trace", "machine", "changes": [words], "figures": {key: {"before", "after", "saved", "saved_percent"}}, "regions":
/// [{"name", "before", "after", "saved", "saved_percent"}], "objects", "classes"}; "saved_percent" is null where there
/// was nothing before.
std::string whatIfAsJson(const WhatIf& whatIf);

/// {"trace", "machine", "accesses", "cycles", "lost", "tried", "lines": [{"name", "accesses", "cycles", "lost",
/// "levels": {level: {"misses", kind: misses, "fills", "used_bytes", "used_share"}}, "stride": {"class", "bytes",
/// "steps", "share"}, "array": {"name", "accesses", "missed", "lost", "stride", "spanning", "fields", "used", "line"},
/// "tried": as cures of sharingAsJson, "cure": one of them or null, "missed_then": null without, "advice"}], "arrays":
/// as "lines"}. "bytes" is null for strides that are not constant, and "used_share" where nothing was fetched.
std::string whyAsJson(const WhyReport& report);

/// {"a": {"trace", "machine"}, "b": as "a", "figures": {key: {"a", "b", "difference", "percent"}}, "regions": {level:
/// [{"name", "a", "b", "difference", "percent"}]}}; the misses of regions. "difference" is b - a and "percent" its
/// relation to a; what one of the two does not have is null.
std::string comparisonAsJson(const Comparison& comparison);

/// {"sweep": {"trace", "accesses", "digest", "from", "to", "machine", "told", "axes": [{"key", "values"}], "points",
/// "shard"}, "results": [{"point", "values", "report" or "error"}]}: a line for each point; "shard" only when there are
/// several.
std::string sweepAsJson(const SweepResults& results);

/// The subject of a sweep in the form used there, on one line.
std::string sweepSubjectAsJson(const SweepResults& results);

/// The lines of a sweep in JSON: its subject, and a result for each point.
struct SweepLines {
    std::string head;
    std::vector<std::string> results;
};
std::string joinErrors(const SweepLines& lines);

/// A parsed shard of a sweep, as written by sweepAsJson.
struct SweepPartJson {
    std::map<std::string, std::string> subject;  ///< the subject of the sweep, by key, each value as JSON
    std::uint64_t points = 0;                    ///< of the whole sweep
    std::vector<std::uint64_t> numbers;          ///< of the points, from 1, one for each result
    SweepLines lines;                            ///< without the shard
};
/// Empty when the text is not a shard.
std::optional<SweepPartJson> sweepPartFromJson(std::string_view text);

}  // namespace whorl::sim
