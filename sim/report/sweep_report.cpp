// The results of a sweep as text, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/analysis/sweep.h"

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json headOf(const SweepResults& results) {
    const Sweep& sweep = results.sweep;
    Json axes = Json::array();
    for (const Axis& axis : sweep.axes()) axes.push_back({{"key", axis.key}, {"values", axis.values}});
    return {{"trace", results.subject.trace},
            {"accesses", results.subject.accesses},
            {"digest", results.subject.digest},
            {"from", results.subject.stretch.from.value},
            {"to", results.subject.stretch.to.value},
            {"machine", machineAsJson(sweep.base())},
            {"told", results.subject.told},
            {"axes", std::move(axes)},
            {"points", sweep.points()}};
}

/// FNV-1a (Fowler, Noll, Vo), 64 bits.
std::string digestOf(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return fmt::format("{:016x}", hash);
}

const Sheet& bodyOf(const Report& report, Sheet& counts) {
    if (!report.sheets.empty()) return report.sheets.front();
    counts = countsSheet(report);
    return counts;
}

/// The columns of the points: of the first that is sound. Without one there are none.
std::vector<Column> bodyColumns(const SweepResults& results) {
    for (const PointResult& point : results.points) {
        Sheet counts;
        if (point.report) return bodyOf(*point.report, counts).columns;
    }
    return {};
}

}  // namespace

std::string sweepAsText(const SweepResults& results) {
    Sheet sheet{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    for (const Axis& axis : results.sweep.axes()) sheet.columns.push_back({axis.key, axis.key});
    const auto& levels = results.sweep.base().levels;
    for (const LevelConfig& level : levels) sheet.columns.push_back({level.name, level.name + " miss ratio"});
    sheet.columns.push_back({"memory_reads", "memory reads"});
    sheet.columns.push_back({"cycles_per_access", "cycles an access"});
    std::string wrong;
    for (const PointResult& point : results.points) {
        std::vector<Cell> cells;
        cells.reserve(sheet.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) cells.emplace_back(std::move(value));
        if (!point.report) {
            wrong += fmt::format("point {}: {}\n", point.point + 1, point.report.error().sentence());
            cells.resize(sheet.columns.size());
        } else {
            const Figures& figures = point.report->figures;
            for (std::size_t l = 0; l < levels.size(); ++l) {
                const CacheCounters c = figures.counters.level(l);
                cells.push_back(c.accesses() == 0 ? Cell{} : Cell{1 - c.hitRate()});
            }
            cells.emplace_back(figures.counters.memory.reads);
            cells.emplace_back(cyclesPerAccess(figures));
        }
        sheet.rows.push_back(std::move(cells));
    }
    return sheetAsText(sheet, sheet.rows.size()) + (wrong.empty() ? "" : "\n" + wrong);
}

std::string sweepAsJson(const SweepResults& results) {
    Json head = headOf(results);
    if (results.shard.count > 1) head["shard"] = fmt::format("{}/{}", results.shard.index, results.shard.count);
    std::string out = "{\"sweep\":" + lineOf(head) + ",\n\"results\":[";
    const char* between = "\n";
    for (const PointResult& point : results.points) {
        Json values = Json::object();
        const std::vector<std::string> all = results.sweep.valuesAt(point.point);
        for (std::size_t i = 0; i < all.size(); ++i) values[results.sweep.axes()[i].key] = all[i];
        out += fmt::format("{}{{\"point\":{},\"values\":{},", between, point.point + 1, lineOf(values));
        out += point.report ? "\"report\":" + reportAsJson(*point.report, true)
                            : "\"error\":" + lineOf(Json(point.report.error().sentence()));
        out += '}';
        between = ",\n";
    }
    return out + "\n]}\n";
}

std::string sweepAsCsv(const SweepResults& results) {
    const std::vector<Column> body = bodyColumns(results);
    Sheet sheet{.name = "sweep", .title = {}, .columns = {}, .rows = {}};
    sheet.columns = {{"sweep", {}}, {"trace", {}}, {"points", {}}, {"point", {}}};
    for (const Axis& axis : results.sweep.axes()) sheet.columns.push_back({axis.key, {}});
    sheet.columns.push_back({"error", {}});
    const std::size_t before = sheet.columns.size();
    sheet.columns.insert(sheet.columns.end(), body.begin(), body.end());
    const std::string digest = digestOf(lineOf(headOf(results)));
    for (const PointResult& point : results.points) {
        std::vector<Cell> first{digest, results.subject.trace, results.sweep.points(), point.point + 1};
        first.reserve(sheet.columns.size());
        for (std::string& value : results.sweep.valuesAt(point.point)) first.emplace_back(std::move(value));
        first.emplace_back(point.report ? "" : point.report.error().sentence());
        Sheet counts;
        const std::vector<std::vector<Cell>> none(1, std::vector<Cell>(body.size()));
        const auto* rows = point.report ? &bodyOf(*point.report, counts).rows : &none;
        if (rows->empty()) rows = &none;  // every point has a row, so that none goes missing
        for (const std::vector<Cell>& row : *rows) {
            std::vector<Cell> cells = first;
            cells.insert(cells.end(), row.begin(), row.end());
            cells.resize(before + body.size());
            sheet.rows.push_back(std::move(cells));
        }
    }
    return sheetAsCsv(sheet);
}

}  // namespace whorl::sim
