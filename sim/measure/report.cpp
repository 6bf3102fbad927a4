#include "sim/measure/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kTableWidth = 80;

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

struct Column {
    std::vector<std::string> cells;  ///< the first is the heading; the rows are those of kRows
    std::size_t width() const {
        std::size_t most = 0;
        for (const std::string& cell : cells) most = std::max(most, cell.size());
        return most;
    }
};

constexpr const char* kRows[] = {"",       "size",     "ways",        "block",        "sets",      "accesses",   "hits",
                                 "misses", "hit rate", "read misses", "write misses", "evictions", "write-backs"};

Column columnOf(const LevelConfig& level, const CacheCounters& c) {
    return {{level.name, bytesAsWords(level.size), grouped(level.ways), grouped(level.block), grouped(level.sets()),
             grouped(c.accesses()), grouped(c.hits()), grouped(c.misses()),
             c.accesses() == 0 ? "-" : percent(c.hitRate()), grouped(c.readMisses), grouped(c.writeMisses),
             grouped(c.evictions), grouped(c.writebacks)}};
}

/// As many columns as fit in the width of a terminal, from `first` on; gives the next one.
std::size_t addTable(std::string& out, const std::vector<Column>& columns, std::size_t first) {
    std::size_t label = 0;
    for (const std::string_view row : kRows) label = std::max(label, row.size());
    std::size_t width = label;
    std::size_t end = first;
    while (end < columns.size() && (end == first || width + 2 + columns[end].width() <= kTableWidth)) {
        width += 2 + columns[end].width();
        ++end;
    }
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
        std::string line = fmt::format("{:<{}}", kRows[row], label);
        for (std::size_t c = first; c < end; ++c) {
            line += fmt::format("  {:>{}}", columns[c].cells[row], columns[c].width());
        }
        out += line + '\n';
    }
    return end;
}

}  // namespace

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ' ');
    return digits;
}

std::string countersAsJson(const Counters& counters, const MachineConfig& machine) {
    Json cpus = Json::array();
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) cpus.push_back(cpu);
    Json levels = Json::array();
    for (std::size_t i = 0; i < machine.levels.size(); ++i) {
        const LevelConfig& level = machine.levels[i];
        const CacheCounters& c = counters.level(i);
        Json cache = {{"cpus", cpus},
                      {"accesses", c.accesses()},
                      {"hits", c.hits()},
                      {"misses", c.misses()},
                      {"read_misses", c.readMisses},
                      {"write_misses", c.writeMisses},
                      {"evictions", c.evictions},
                      {"writebacks", c.writebacks}};
        levels.push_back({{"name", level.name},
                          {"sets", level.sets()},
                          {"ways", level.ways},
                          {"block", level.block},
                          {"caches", Json::array({std::move(cache)})}});
    }
    const Json report = {{"accesses", counters.accesses()},
                         {"reads", counters.reads},
                         {"writes", counters.writes},
                         {"levels", std::move(levels)},
                         {"memory", {{"reads", counters.memory.reads}, {"writes", counters.memory.writes}}}};
    return report.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string countersAsTable(const Counters& counters, const MachineConfig& machine) {
    std::string out = fmt::format("{} accesses: {} reads, {} writes\n\n", grouped(counters.accesses()),
                                  grouped(counters.reads), grouped(counters.writes));
    std::vector<Column> columns;
    for (std::size_t i = 0; i < machine.levels.size(); ++i) {
        columns.push_back(columnOf(machine.levels[i], counters.level(i)));
    }
    for (std::size_t next = 0; next < columns.size();) {
        next = addTable(out, columns, next);
        out += '\n';
    }
    out += fmt::format("memory: {} blocks read, {} written\n", grouped(counters.memory.reads),
                       grouped(counters.memory.writes));
    return out;
}

}  // namespace whorl::sim
