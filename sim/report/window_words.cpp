#include "sim/report/window_words.h"

#include <fmt/format.h>

#include "sim/base/text.h"

namespace whorl::sim {
namespace {

Cell cellOf(const std::optional<double>& ratio) {
    return ratio ? Cell(*ratio) : Cell();
}

std::string digits(double ratio) {
    return fmt::format("{:.3f}", 100 * ratio);
}

/// Whether what the caches held where windows begin matters more than the choice of the windows.
bool isUnsure(const LevelEstimate& level) {
    return level.least && level.most && level.plusMinus && *level.most - *level.least > 2 * *level.plusMinus;
}

}  // namespace

std::string windowsInWords(std::uint64_t windows, std::uint64_t length, std::uint64_t every) {
    return fmt::format("Windows: {} of {} accesses, one in every {}", grouped(windows), grouped(length),
                       grouped(every));
}

Table windowTable(const WindowEstimate& estimate, const MachineConfig& machine) {
    Table table{.name = "whole_program", .title = {}, .columns = {}, .rows = {}, .ranked = false};
    table.columns = {{"level", "level"},
                     {"miss_ratio", "misses a request"},
                     {"plus_minus", "plus or minus (95 %)"},
                     {"least_miss_ratio", "at least"},
                     {"most_miss_ratio", "at most"}};
    for (std::size_t l = 0; l < estimate.levels.size(); ++l) {
        const LevelEstimate& level = estimate.levels[l];
        table.rows.push_back({machine.levels[l].name, level.missRatio, cellOf(level.plusMinus), cellOf(level.least),
                              cellOf(level.most)});
    }
    return table;
}

std::string windowText(const WindowEstimate& estimate, const MachineConfig& machine) {
    std::string out = windowsInWords(estimate.windows, estimate.length, estimate.every) + '\n';
    if (estimate.levels.empty()) return out;
    std::string unsure;
    out += "Misses of the whole program, in percent of the requests to the level:\n";
    for (std::size_t l = 0; l < estimate.levels.size(); ++l) {
        const LevelEstimate& level = estimate.levels[l];
        out += fmt::format("  {}: {}", machine.levels[l].name, digits(level.missRatio));
        if (level.plusMinus) out += fmt::format(" ± {} (95 %)", digits(*level.plusMinus));
        if (level.least && level.most) {
            out += fmt::format("; {} to {} by what the caches held where windows begin", digits(*level.least),
                               digits(*level.most));
        }
        out += '\n';
        if (isUnsure(level)) unsure += (unsure.empty() ? "" : ", ") + machine.levels[l].name;
    }
    if (!unsure.empty()) out += fmt::format("The windows are short for {}: longer ones say more\n", unsure);
    return out;
}

JsonValue windowJson(const WindowEstimate& estimate, const MachineConfig& machine) {
    return JsonObject{{"count", estimate.windows},
                      {"accesses", estimate.length},
                      {"every", estimate.every},
                      {"between", estimate.between},
                      {"whole_program", windowTable(estimate, machine)}};
}

}  // namespace whorl::sim
