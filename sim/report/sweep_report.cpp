#include "sim/report/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/json.h"

namespace whorl::sim {

namespace {

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::string digestOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

const Table& bodyOf(const Report& report, Table& counts) {
    if (!report.tables.empty()) return report.tables.front();
    counts = countsTable(report);
    return counts;
}

/// The columns of all points: a machine with more levels has more columns.
std::vector<Column> bodyColumns(const SweepResults& results) {
    std::vector<Column> columns;
    for (const PointResult& point : results.points) {
        if (!point.report) continue;
        Table counts;
        for (const Column& column : bodyOf(*point.report, counts).columns) {
            if (columnOf(columns, column.key) == columns.size()) columns.push_back(column);
        }
    }
    return columns;
}

/// The rows of a point in these columns. Every point has one, so that none is missing.
std::vector<std::vector<Cell>> bodyRows(const PointResult& point, const std::vector<Column>& columns) {
    std::vector<std::vector<Cell>> rows;
    if (point.report) {
        Table counts;
        const Table& body = bodyOf(*point.report, counts);
        std::vector<std::size_t> places;
        for (const Column& column : body.columns) places.push_back(columnOf(columns, column.key));
        for (const std::vector<Cell>& cells : body.rows) {
            std::vector<Cell>& row = rows.emplace_back(columns.size());
            for (std::size_t i = 0; i < cells.size(); ++i) row[places[i]] = cells[i];
        }
    }
    if (rows.empty()) rows.emplace_back(columns.size());
    return rows;
}

/// The level names of the machine with the most levels.
std::vector<std::string> levelNames(const SweepResults& results) {
    std::vector<std::string> names;
    for (const PointResult& point : results.points) {
        if (!point.report) continue;
        const std::vector<LevelConfig>& levels = point.report->measures.machine.levels;
        for (std::size_t l = names.size(); l < levels.size(); ++l) names.push_back(levels[l].name);
    }
    return names;
}

bool hasBoundedMemory(const PointResult& point) {
    return point.report && point.report->measures.machine.memory.isBounded();
}

/// The page faults of a point; empty where memory is not bounded.
Cell faultsIn(const PointResult& point) {
    return hasBoundedMemory(point) ? Cell(ofAllCpus(point.report->measures.counters.pageFaults)) : Cell();
}

JsonObject headOf(const SweepResults& results) {
    const Sweep& sweep = results.sweep;
    const auto axisOf = [](const Axis& axis) { return JsonObject{{"key", axis.key}, {"values", axis.values}}; };
    return {{"trace", results.subject.trace},
            {"accesses", results.subject.accesses},
            {"digest", results.subject.digest},
            {"from", results.subject.range.from.value},
            {"to", results.subject.range.to.value},
            {"machine", machineAsJson(sweep.base())},
            {"told", results.subject.extras},
            {"axes", jsonArrayOf(sweep.axes(), axisOf)},
            {"points", sweep.points()}};
}

}  // namespace

std::string sweepAsText(const SweepResults& results) {
    Table table{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    for (const Axis& axis : results.sweep.axes()) table.columns.push_back({axis.key, axis.key});
    const std::vector<std::string> levels = levelNames(results);
    for (const std::string& level : levels) table.columns.push_back({level, level + " miss ratio"});
    table.columns.push_back({"memory_reads", "memory reads"});
    const bool hasFaults = std::any_of(results.points.begin(), results.points.end(), hasBoundedMemory);
    if (hasFaults) table.columns.push_back({"page_faults", "page faults"});
    table.columns.push_back({"cycles_per_access", "cycles an access"});
    std::string wrong;
    for (const PointResult& point : results.points) {
        std::vector<Cell> cells;
        cells.reserve(table.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) cells.emplace_back(std::move(value));
        if (!point.report) {
            wrong += fmt::format("point {}: {}\n", point.point + 1, point.report.error().sentence());
            cells.resize(table.columns.size());
        } else {
            const Measures& measures = point.report->measures;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                Cell& missRatio = cells.emplace_back();
                if (l >= measures.counters.levels()) continue;
                const CacheCounters c = measures.counters.level(l);
                if (c.accesses() > 0) missRatio = 1 - c.hitRate();
            }
            cells.emplace_back(measures.counters.memory.reads);
            if (hasFaults) cells.push_back(faultsIn(point));
            cells.emplace_back(measures.cyclesPerAccess());
        }
        table.rows.push_back(std::move(cells));
    }
    return tableAsText(table, table.rows.size()) + (wrong.empty() ? "" : "\n" + wrong);
}

std::string sweepAsCsv(const SweepResults& results) {
    const std::vector<Column> body = bodyColumns(results);
    Table table{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    table.columns = {{"sweep", {}}, {"trace", {}}, {"points", {}}, {"point", {}}};
    for (const Axis& axis : results.sweep.axes()) table.columns.push_back({axis.key, {}});
    table.columns.push_back({"error", {}});
    table.columns.insert(table.columns.end(), body.begin(), body.end());
    const std::string digest = digestOf(jsonLine(headOf(results)));
    for (const PointResult& point : results.points) {
        std::vector<Cell> first{digest, results.subject.trace, results.sweep.points(), point.point + 1};
        first.reserve(table.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) first.emplace_back(std::move(value));
        first.emplace_back(point.report ? "" : point.report.error().sentence());
        for (const std::vector<Cell>& row : bodyRows(point, body)) {
            std::vector<Cell> cells = first;
            cells.insert(cells.end(), row.begin(), row.end());
            table.rows.push_back(std::move(cells));
        }
    }
    return tableAsCsv(table);
}

std::string sweepAsJson(const SweepResults& results) {
    JsonObject head = headOf(results);
    const Shard& shard = results.shard;
    if (shard.count > 1) head.emplace_back("shard", fmt::format("{}/{}", shard.index, shard.count));
    SweepLines lines{.head = jsonLine(head), .results = {}};
    lines.results.reserve(results.points.size());
    for (const PointResult& point : results.points) {
        JsonObject values;
        std::vector<std::string> all = results.sweep.valuesAt(point.point);
        for (std::size_t i = 0; i < all.size(); ++i) {
            values.emplace_back(results.sweep.axes()[i].key, std::move(all[i]));
        }
        JsonObject line{{"point", point.point + 1}, {"values", std::move(values)}};
        if (point.report) line.emplace_back("report", reportAsJson(*point.report));
        if (!point.report) line.emplace_back("error", point.report.error().sentence());
        lines.results.push_back(jsonLine(line));
    }
    return sweepText(lines);
}

std::string sweepText(const SweepLines& lines) {
    std::string out = "{\"sweep\":" + lines.head + ",\n\"results\":[";
    const char* between = "\n";
    for (const std::string& line : lines.results) {
        out += between + line;
        between = ",\n";
    }
    return out + "\n]}\n";
}

}  // namespace whorl::sim
