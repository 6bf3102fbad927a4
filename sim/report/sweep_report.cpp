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

/// The columns of the points, taken from the first that is sound. Empty without one.
std::vector<Column> bodyColumns(const SweepResults& results) {
    for (const PointResult& point : results.points) {
        Table counts;
        if (point.report) return bodyOf(*point.report, counts).columns;
    }
    return {};
}

bool hasBoundedMemory(const PointResult& point) {
    return point.report && point.report->measures.machine.memory.isBounded();
}

/// Empty where memory is not bounded.
Cell faultsIn(const PointResult& point) {
    return hasBoundedMemory(point) ? Cell(ofAllCpus(point.report->measures.counters.pageFaults)) : Cell();
}

}  // namespace

std::string sweepAsText(const SweepResults& results) {
    Table table{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    for (const Axis& axis : results.sweep.axes()) table.columns.push_back({axis.key, axis.key});
    const auto& levels = results.sweep.base().levels;
    for (const LevelConfig& level : levels) table.columns.push_back({level.name, level.name + " miss ratio"});
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
                const CacheCounters c = measures.counters.level(l);
                Cell& missRatio = cells.emplace_back();
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
    const std::size_t before = table.columns.size();
    table.columns.insert(table.columns.end(), body.begin(), body.end());
    const std::string digest = digestOf(sweepSubjectAsJson(results));
    for (const PointResult& point : results.points) {
        std::vector<Cell> first{digest, results.subject.trace, results.sweep.points(), point.point + 1};
        first.reserve(table.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) first.emplace_back(std::move(value));
        first.emplace_back(point.report ? "" : point.report.error().sentence());
        Table counts;
        const std::vector<std::vector<Cell>> none(1, std::vector<Cell>(body.size()));
        const auto* rows = point.report ? &bodyOf(*point.report, counts).rows : &none;
        if (rows->empty()) rows = &none;  // every point has a row, so that none is missing
        for (const std::vector<Cell>& row : *rows) {
            std::vector<Cell> cells = first;
            cells.insert(cells.end(), row.begin(), row.end());
            cells.resize(before + body.size());
            table.rows.push_back(std::move(cells));
        }
    }
    return tableAsCsv(table);
}

}  // namespace whorl::sim
