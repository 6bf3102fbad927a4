// Reports as JSON.
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/report/report.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

Json cacheAsJson(const Report& report, std::size_t level, std::uint32_t index) {
    const MachineConfig& machine = report.figures.machine;
    Json cpus = Json::array();
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) {
        if (machine.cacheOf(level, cpu) == index) cpus.push_back(cpu);
    }
    Json cache = {{"cpus", std::move(cpus)}};
    for (const CounterRow& row : kCounterRows) {
        cache[std::string(row.key)] = row.value(report.figures.counters.cache(level, index));
    }
    if (!report.kinds) return cache;
    const auto kinds = kindsOf(*report.figures.ledger, machine, level, index);
    for (std::size_t k = 0; k < kMissKinds; ++k) cache["kinds"][std::string(kMissKindKeys[k])] = kinds[k];
    return cache;
}

Json levelsAsJson(const Report& report) {
    const MachineConfig& machine = report.figures.machine;
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

}  // namespace

std::string reportAsJson(const Report& report, bool onOneLine) {
    const Counters& counters = report.figures.counters;
    Json cpus = Json::array();
    for (const Cycles cycles : report.figures.cycles) cpus.push_back({{"cycles", cycles}});
    Json json = {{"accesses", counters.accesses()},
                 {"reads", counters.reads},
                 {"writes", counters.writes},
                 {"cycles", cyclesOf(report.figures)},
                 {"cycles_per_access", cyclesPerAccess(report.figures)},
                 {"elapsed_cycles", nullptr},
                 {"machine", report.figures.machine.name},
                 {"cpus", std::move(cpus)},
                 {"levels", levelsAsJson(report)},
                 {"memory", {{"reads", counters.memory.reads}, {"writes", counters.memory.writes}}}};
    if (report.figures.elapsed) {
        json["elapsed_cycles"] = *report.figures.elapsed;
    } else {
        json.erase("elapsed_cycles");
    }
    if (!counters.tlbMisses.empty()) {
        const auto& misses = counters.tlbMisses;
        json["tlb"] = {{"misses", std::accumulate(misses.begin(), misses.end(), std::uint64_t{0})}, {"cpus", misses}};
    }
    for (const Table& table : report.tables) json["tables"][table.name] = tableAsJson(table);
    return json.dump(onOneLine ? -1 : 2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace whorl::sim
