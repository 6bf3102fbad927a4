// Everything that is written as JSON, and the shards of sweeps read back: the only file that uses the library.
#include "sim/report/json.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "sim/analysis/traffic.h"
#include "sim/report/place_tables.h"
#include "sim/report/report_rows.h"
#include "sim/report/sharing_table.h"
#include "sim/report/why_report.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

std::string indented(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// --- reports ---

Json cacheAsJson(const Report& report, std::size_t level, std::uint32_t index) {
    const MachineConfig& machine = report.measures.machine;
    Json cpus = Json::array();
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) {
        if (machine.cacheOf(level, cpu) == index) cpus.push_back(cpu);
    }
    Json cache = {{"cpus", std::move(cpus)}};
    for (const CounterRow& row : kCounterRows) {
        cache[std::string(row.key)] = row.value(report.measures.counters.cache(level, index));
    }
    if (report.instructions > 0) {
        cache["misses_per_1000_instructions"] =
            missesPerThousand(report.measures.counters.cache(level, index), report.instructions);
    }
    if (report.use) {
        const StaySum stays = staysOf(*report.measures.ledger, machine, level, index);
        const std::uint32_t block = machine.levels[level].block;
        cache["use"]["utilization"] = stays.utilization(block);
        for (const UseRow& row : kUseRows) cache["use"][std::string(row.key)] = row.value(stays, block);
    }
    if (!report.kinds) return cache;
    const auto kinds = kindsOf(*report.measures.ledger, machine, level, index);
    for (std::size_t k = 0; k < kMissKinds; ++k) cache["kinds"][std::string(kMissKindKeys[k])] = kinds[k];
    return cache;
}

/// From that row on.
Json trafficAsJson(const Report& report, std::size_t level, std::size_t first) {
    const Traffic traffic = trafficOf(report.measures.counters, report.measures.machine, level);
    Json out = Json::object();
    for (const TrafficRow& row : std::span(kTrafficRows).subspan(first)) {
        out[std::string(row.key)] = traffic.*row.value;
    }
    return out;
}

Json levelsAsJson(const Report& report) {
    const MachineConfig& machine = report.measures.machine;
    Json levels = Json::array();
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const LevelConfig& level = machine.levels[l];
        Json caches = Json::array();
        for (std::uint32_t i = 0; i < machine.caches(l); ++i) caches.push_back(cacheAsJson(report, l, i));
        levels.push_back({{"name", level.name},
                          {"sets", level.sets()},
                          {"ways", level.ways},
                          {"block", level.block},
                          {"size", level.size},
                          {"caches", std::move(caches)}});
        if (l > 0) levels.back().update(trafficAsJson(report, l, 2));
    }
    return levels;
}

Json cellAsJson(const Cell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) return *count;
    if (const auto* ratio = std::get_if<double>(&cell)) return *ratio;
    return nullptr;
}

Json tableAsJson(const Table& table) {
    Json rows = Json::array();
    for (const std::vector<Cell>& cells : table.rows) {
        Json row = Json::object();
        for (std::size_t c = 0; c < cells.size(); ++c) row[table.columns[c].key] = cellAsJson(cells[c]);
        rows.push_back(std::move(row));
    }
    return rows;
}

// --- what is recorded ---

Json countsAsJson(const RecordedCpu& cpu) {
    return {{"accesses", cpu.accesses()},
            {"reads", cpu.reads},
            {"writes", cpu.writes},
            {"waits", cpu.waits},
            {"cycles", cpu.cycles}};
}

Json levelAsJson(const RecordedLevel& level) {
    Json caches = Json::array();
    for (std::size_t i = 0; i < level.caches.size(); ++i) {
        Json cpus = Json::array();
        for (std::size_t c = 0; c < level.cpusPerCache; ++c) cpus.push_back(i * level.cpusPerCache + c);
        Json cache = {{"cpus", std::move(cpus)}};
        for (const auto& [key, value] : recordedCounters(level.caches[i])) cache[key] = value;
        caches.push_back(std::move(cache));
    }
    return {{"name", level.name}, {"block", level.blockSize}, {"caches", std::move(caches)}};
}

// --- sharing ---

/// "mm.c:12", the address of the instruction, or nothing where neither is known.
Json nameOf(const Site& site, const Trace& trace) {
    return isNamed(site) ? Json(siteName(trace, site)) : Json();
}

Json asJson(const SharedField& field, const SharedBlock& block, const SharingReport& report, const Trace& trace) {
    Json cpus = Json::array();
    for (const FieldUse& use : field.uses) {
        cpus.push_back({{"cpu", use.cpu}, {"reads", use.reads}, {"writes", use.writes}});
    }
    Json lines = Json::array();
    for (const FieldLine& line : field.lines) {
        lines.push_back({{"line", nameOf(trace.site(line.site), trace)},
                         {"reads", line.reads},
                         {"writes", line.writes},
                         {"lost", line.lost}});
    }
    return {{"place", field.place},
            {"address", fmt::format("{:#x}", field.address.value)},
            {"offset", offsetOf(field, block, report)},
            {"size", field.size},
            {"reads", field.reads()},
            {"writes", field.writes()},
            {"invalidations", field.invalidations},
            {"true_sharing", field.trueMisses},
            {"false_sharing", field.falseMisses},
            {"lost", field.lost},
            {"cause", keyFor(causeOf(field.trueMisses, field.falseMisses))},
            {"lines", std::move(lines)},
            {"cpus", std::move(cpus)}};
}

Json asJson(const SharedBlock& block, const SharingReport& report, const Trace& trace) {
    Json fields = Json::array();
    for (const SharedField& field : block.fields) fields.push_back(asJson(field, block, report, trace));
    return {{"block", fmt::format("{:#x}", block.block.value * report.blockSizes[block.level])},
            {"reads", block.reads()},
            {"writes", block.writes()},
            {"invalidations", block.invalidations},
            {"true_sharing", block.trueMisses},
            {"false_sharing", block.falseMisses},
            {"lost", block.lost},
            {"fields", std::move(fields)}};
}

Json asJson(const SharingLine& line, const Trace& trace) {
    return {{"line", nameOf(trace.site(line.site), trace)},
            {"misses", line.misses},
            {"invalidations", line.invalidations},
            {"lost", line.lost}};
}

Json asJson(const LayoutChange& change) {
    return {{"kind", kChangeVerbs[static_cast<std::size_t>(change.kind)]},
            {"thing", change.thing},
            {"of_class", change.ofClass},
            {"bytes", change.bytes},
            {"element", change.element},
            {"spec", asText(change)}};
}

Json asJson(const std::vector<LayoutChange>& changes) {
    Json out = Json::array();
    for (const LayoutChange& change : changes) out.push_back(asJson(change));
    return out;
}

Json asJson(const Trial& trial) {
    return {{"changes", asJson(trial.changes)},
            {"saved_cycles", trial.cycles},
            {"saved_elapsed", trial.elapsed},
            {"padding", trial.padding}};
}

Json asJson(const std::vector<Trial>& trials) {
    Json out = Json::array();
    for (const Trial& trial : trials) out.push_back(asJson(trial));
    return out;
}

Json asJson(const LatentReport& report) {
    Json doubled = nullptr;
    for (std::size_t l = 0; l < report.doubled.size(); ++l) doubled[report.levels[l]] = report.doubled[l];
    Json groups = Json::array();
    for (const LatentGroup& group : report.groups) {
        groups.push_back({{"shifts", asJson(group.shifts)},
                          {"level", report.levels[group.level]},
                          {"things", group.things},
                          {"cpus", group.cpus},
                          {"false_sharing", group.falseMisses},
                          {"false_sharing_now", group.falseMissesNow},
                          {"lost", group.lost}});
    }
    return {{"placements", report.placements}, {"doubled_blocks", std::move(doubled)}, {"groups", std::move(groups)}};
}

// --- what-if ---

Json asJson(const Difference& d) {
    const auto share = d.savedShare();
    return {{"before", d.before},
            {"after", d.after},
            {"saved", static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after)},
            {"saved_percent", share ? Json(100 * *share) : Json(nullptr)}};
}

Json asJson(const std::vector<Difference>& things) {
    Json out = Json::array();
    for (const Difference& d : things) {
        Json row = {{"name", d.key}};
        row.update(asJson(d));
        out.push_back(std::move(row));
    }
    return out;
}

// --- comparisons ---

template <class Number>
Json orNull(const std::optional<Number>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Json asJson(const StrideSummary& stride) {
    return {{"class", wordFor(stride.stride)},
            {"bytes", stride.stride == StrideClass::constant ? Json(stride.bytes) : Json()},
            {"steps", stride.steps},
            {"share", stride.share()}};
}

Json asJson(const ArrayUse& use) {
    return {{"name", use.name},
            {"accesses", use.accesses},
            {"lost", use.lost},
            {"stride", asJson(use.stride)},
            {"spanning", use.spanning},
            {"has_name", use.hasName},
            {"fields", use.fields},
            {"used", use.used},
            {"alternates", use.alternates},
            {"line", use.line}};
}

Json asJson(const StallRow& row, const WhyReport& report) {
    Json levels = Json::object();
    for (std::size_t l = 0; l < row.misses.size(); ++l) {
        Json& level = levels[report.machine.levels[l].name] = {{"misses", row.missesAt(l)}};
        for (std::size_t k = 0; k < kMissKinds; ++k) level[std::string(kMissKindKeys[k])] = row.misses[l][k];
        const StaySum& stays = row.stays[l];
        level["fills"] = stays.fills;
        level["used_bytes"] = stays.usedBytes;
        level["used_share"] = stays.fills == 0 ? Json() : Json(stays.utilization(report.machine.levels[l].block));
    }
    Json then = row.cure ? Json::object() : Json();
    for (std::size_t l = 0; row.cure && l < row.missesThen.size(); ++l) {
        then[report.machine.levels[l].name] = row.missesThenAt(l);
    }
    return {{"name", row.name},
            {"accesses", row.accesses},
            {"cycles", row.cycles},
            {"lost", row.lost},
            {"levels", std::move(levels)},
            {"stride", asJson(row.stride)},
            {"array", asJson(row.array)},
            {"tried", asJson(row.tried)},
            {"cure", row.cure ? asJson(*row.cure) : Json()},
            {"cured_level", row.savesAt ? Json(report.machine.levelName(*row.savesAt)) : Json()},
            {"misses_then", std::move(then)},
            {"advice", adviceFor(row, report)}};
}

Json asJson(const std::vector<StallRow>& rows, const WhyReport& report) {
    Json out = Json::array();
    for (const StallRow& row : rows) out.push_back(asJson(row, report));
    return out;
}

Json asJson(const ComparedFigure& figure) {
    const auto share = figure.share();
    return {{"a", orNull(figure.a)},
            {"b", orNull(figure.b)},
            {"difference", orNull(figure.difference())},
            {"percent", share ? Json(100 * *share) : Json(nullptr)}};
}

// --- sweeps ---

Json headOf(const SweepResults& results) {
    const Sweep& sweep = results.sweep;
    Json axes = Json::array();
    for (const Axis& axis : sweep.axes()) axes.push_back({{"key", axis.key}, {"values", axis.values}});
    return {{"trace", results.subject.trace},
            {"accesses", results.subject.accesses},
            {"digest", results.subject.digest},
            {"from", results.subject.range.from.value},
            {"to", results.subject.range.to.value},
            {"machine", machineAsJson(sweep.base())},
            {"told", results.subject.extras},
            {"axes", std::move(axes)},
            {"points", sweep.points()}};
}

bool isSweepPart(const Json& part) {
    return part.is_object() && part.contains("sweep") && part["sweep"].is_object() &&
           part["sweep"].contains("points") && part["sweep"]["points"].is_number_unsigned() &&
           part.contains("results") && part["results"].is_array();
}

std::optional<std::uint64_t> pointOf(const Json& result) {
    if (!result.is_object() || !result.contains("point") || !result["point"].is_number_unsigned()) return std::nullopt;
    return result["point"].get<std::uint64_t>();
}

}  // namespace

std::string reportAsJson(const Report& report, bool onOneLine) {
    const Counters& counters = report.measures.counters;
    Json cpus = Json::array();
    for (const Cycles cycles : report.measures.cycles) cpus.push_back({{"cycles", cycles}});
    Json json = {{"accesses", counters.accesses()},
                 {"reads", counters.reads},
                 {"writes", counters.writes},
                 {"cycles", report.measures.cyclesOfAll()},
                 {"cycles_per_access", report.measures.cyclesPerAccess()},
                 {"elapsed_cycles", nullptr},
                 {"machine", report.measures.machine.name},
                 {"cpus", std::move(cpus)},
                 {"levels", levelsAsJson(report)},
                 {"memory", trafficAsJson(report, report.measures.machine.levels.size(), 0)}};
    if (report.instructions > 0) json["instructions"] = report.instructions;
    if (report.measures.elapsed) {
        json["elapsed_cycles"] = *report.measures.elapsed;
    } else {
        json.erase("elapsed_cycles");
    }
    if (!counters.tlbMisses.empty()) {
        json["tlb"] = {{"misses", ofAllCpus(counters.tlbMisses)}, {"cpus", counters.tlbMisses}};
    }
    if (!counters.pageFaults.empty()) {
        Json ofCpus = Json::array();
        for (std::size_t cpu = 0; cpu < counters.pageFaults.size(); ++cpu) {
            ofCpus.push_back({{"faults", counters.pageFaults[cpu]}, {"writebacks", counters.pageWritebacks[cpu]}});
        }
        json["pages"] = {{"faults", ofAllCpus(counters.pageFaults)},
                         {"writebacks", ofAllCpus(counters.pageWritebacks)},
                         {"cpus", std::move(ofCpus)}};
    }
    for (const Table& table : report.tables) json["tables"][table.name] = tableAsJson(table);
    return onOneLine ? lineOf(json) : indented(json);
}

std::string recordedAsJson(const RecordedReport& report) {
    Json json = {{"recorded", true}};
    const RecordedCpu all = report.counts.ofAllCpus();
    json.update(countsAsJson(all));
    json["cycles_per_access"] = perAccess(all.cycles, all.accesses());
    json["elapsed_cycles"] = report.counts.elapsed;
    json["cpus"] = Json::array();
    for (const RecordedCpu& cpu : report.counts.cpus) json["cpus"].push_back(countsAsJson(cpu));
    json["levels"] = Json::array();
    for (const RecordedLevel& level : report.counts.levels) json["levels"].push_back(levelAsJson(level));
    for (const Table& table : report.tables) json["tables"][table.name] = tableAsJson(table);
    json["not_recorded"] = notRecorded();
    return indented(json);
}

std::string collisionsAsJson(const Collisions& collisions, const History& history, std::optional<std::size_t> level) {
    Json pairs = Json::array();
    for (const Collision& c : collisions.cells) {
        if (level && c.level != *level) continue;
        Json moments = Json::array();
        for (const Tick t : c.moments) moments.push_back(t.value);
        pairs.push_back({{"level", history.levels[c.level].name},
                         {"culprit", collisions.names[c.evictor]},
                         {"victim", collisions.names[c.victim]},
                         {"evictions", c.count()},
                         {"moments", std::move(moments)}});
    }
    const Json json = {{"by", wordFor(collisions.of)}, {"pairs", std::move(pairs)}, {"left_out", collisions.leftOut}};
    return indented(json);
}

std::string checkAsJson(const std::vector<CheckedCount>& counts, const std::string& machine) {
    Json rows = Json::array();
    for (const CheckedCount& count : counts) {
        rows.push_back({{"what", count.what},
                        {"event", count.event},
                        {"simulated", count.simulated},
                        {"counted", count.counted ? Json(*count.counted) : Json(nullptr)},
                        {"differs", count.differs}});
    }
    const Json json = {{"machine", machine}, {"counts", std::move(rows)}};
    return indented(json);
}

std::string placeHistoryAsJson(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    Json json = {{"place", nameOf(history.place, trace, machine)},
                 {"from", history.range.from.value},
                 {"to", history.range.to.value}};
    for (const Table& table : {placeAccessTable(history, trace, machine), placeNameTable(history, trace, machine),
                               placeLineTable(history, trace, machine), placeStayTable(history, trace, machine)}) {
        json[table.name] = tableAsJson(table);
    }
    json["left_out"] = history.leftOut;
    json["stays_left_out"] = history.staysLeftOut;
    return indented(json);
}

std::string objectLifeAsJson(const LifeWords& words) {
    const ObjectLife& life = words.life;
    Json json = {{"place", words.subject()},
                 {"from", life.subject.range.from.value},
                 {"to", life.subject.range.to.value},
                 {"address", life.subject.from.value},
                 {"bytes", life.subject.bytes},
                 {"block", life.blockBytes},
                 {"blocks", life.blocks},
                 {"accesses", life.accesses()},
                 {"cycles", life.cycles()}};
    for (const Table& table : {lifeNodeTable(words), lifeMoveTable(words)}) json[table.name] = tableAsJson(table);
    return indented(json);
}

std::string sharingAsJson(const SharingReport& report, const Trace& trace, const LatentReport* latent) {
    Json groups = Json::array();
    for (const SharingGroup& group : report.groups) {
        Json blocks = Json::array();
        Json lines = Json::array();
        for (const std::size_t b : group.blocks) blocks.push_back(asJson(report.blocks[b], report, trace));
        for (const SharingLine& line : group.lines) lines.push_back(asJson(line, trace));
        Json alternating = Json::array();
        for (const std::size_t thing : group.alternating) alternating.push_back(report.things[thing].name);
        groups.push_back({{"level", report.levels[group.level]},
                          {"cause", keyFor(group.cause)},
                          {"things", group.things},
                          {"invalidations", group.invalidations},
                          {"true_sharing", group.trueMisses},
                          {"false_sharing", group.falseMisses},
                          {"lost", group.lost},
                          {"lines", std::move(lines)},
                          {"cures", asJson(group.cures)},
                          {"rejected", asJson(group.rejected)},
                          {"alternating", std::move(alternating)},
                          {"through", group.through ? Json(report.levels[*group.through]) : Json()},
                          {"blocks", std::move(blocks)}});
    }
    Json json = {{"from", report.range.from.value},
                 {"to", report.range.to.value},
                 {"lost", report.lost},
                 {"cycles", report.cycles},
                 {"machine", report.machine},
                 {"tried", report.tried},
                 {"untried", report.untried},
                 {"together", report.together ? asJson(*report.together) : Json()},
                 {"groups", std::move(groups)}};
    if (latent != nullptr) json["latent"] = asJson(*latent);
    return indented(json);
}

std::string whatIfAsJson(const WhatIf& whatIf) {
    Json figures = Json::object();
    for (const Difference& d : whatIf.figures) figures[d.key] = asJson(d);
    const Json json = {{"trace", whatIf.trace},
                       {"machine", whatIf.machine},
                       {"changes", whatIf.changes},
                       {"figures", std::move(figures)},
                       {"regions", asJson(whatIf.regions)},
                       {"objects", asJson(whatIf.objects)},
                       {"classes", asJson(whatIf.classes)}};
    return indented(json);
}

std::string whyAsJson(const WhyReport& report) {
    return indented({{"trace", report.trace},
                     {"machine", report.machine.name},
                     {"accesses", report.accesses},
                     {"cycles", report.cycles},
                     {"lost", report.lost},
                     {"tried", report.tried},
                     {"lock_cycles", report.waits.atLocks},
                     {"barrier_cycles", report.waits.atBarriers},
                     {"lines", asJson(report.lines, report)},
                     {"arrays", asJson(report.arrays, report)}});
}

std::string comparisonAsJson(const Comparison& comparison) {
    const auto sideOf = [](const Comparison::Side& side) {
        Json json = {{"trace", side.trace}, {"machine", side.machine}};
        if (!side.settings.empty()) json["settings"] = side.settings;
        return json;
    };
    Json figures = Json::object();
    for (const ComparedFigure& figure : comparison.figures) figures[figure.key] = asJson(figure);
    Json regions = Json::object();
    for (const ComparedLevel& level : comparison.levels) {
        Json& rows = regions[level.name] = Json::array();
        for (const ComparedFigure& figure : level.regions) {
            Json row = {{"name", figure.key}};
            row.update(asJson(figure));
            rows.push_back(std::move(row));
        }
    }
    const Json json = {{"a", sideOf(comparison.sides[0])},
                       {"b", sideOf(comparison.sides[1])},
                       {"figures", std::move(figures)},
                       {"regions", std::move(regions)}};
    return indented(json);
}

std::string sweepSubjectAsJson(const SweepResults& results) {
    return lineOf(headOf(results));
}

std::string sweepAsJson(const SweepResults& results) {
    Json head = headOf(results);
    if (results.shard.count > 1) head["shard"] = fmt::format("{}/{}", results.shard.index, results.shard.count);
    std::vector<std::string> lines;
    lines.reserve(results.points.size());
    for (const PointResult& point : results.points) {
        Json values = Json::object();
        const std::vector<std::string> all = results.sweep.valuesAt(point.point);
        for (std::size_t i = 0; i < all.size(); ++i) values[results.sweep.axes()[i].key] = all[i];
        lines.push_back(fmt::format("{{\"point\":{},\"values\":{},{}}}", point.point + 1, lineOf(values),
                                    point.report ? "\"report\":" + reportAsJson(*point.report, true)
                                                 : "\"error\":" + lineOf(Json(point.report.error().sentence()))));
    }
    return joinErrors(SweepLines{.head = lineOf(head), .results = std::move(lines)});
}

std::string joinErrors(const SweepLines& lines) {
    std::string out = "{\"sweep\":" + lines.head + ",\n\"results\":[";
    const char* between = "\n";
    for (const std::string& line : lines.results) {
        out += between + line;
        between = ",\n";
    }
    return out + "\n]}\n";
}

std::optional<SweepPartJson> sweepPartFromJson(std::string_view text) {
    Json part = Json::parse(text, nullptr, false);
    if (!isSweepPart(part)) return std::nullopt;
    part["sweep"].erase("shard");
    SweepPartJson out{.points = part["sweep"]["points"].get<std::uint64_t>()};
    for (const auto& [key, value] : part["sweep"].items()) out.subject[key] = lineOf(value);
    out.lines.head = lineOf(part["sweep"]);
    for (const Json& result : part["results"]) {
        const auto number = pointOf(result);
        if (!number) return std::nullopt;
        out.numbers.push_back(*number);
        out.lines.results.push_back(lineOf(result));
    }
    return out;
}

}  // namespace whorl::sim
