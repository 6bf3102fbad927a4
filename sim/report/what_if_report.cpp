#include "sim/report/what_if_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "sim/report/table.h"

namespace whorl::sim {

namespace {

/// "1 234", "-1 234".
std::string savedOf(const Difference& d) {
    return (d.after > d.before ? "-" : "") + grouped(d.size());
}

std::string percentOf(const Difference& d) {
    const auto share = d.savedShare();
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

void addTable(std::string& out, const std::string& heading, std::span<const Difference> rows) {
    std::vector<std::array<std::string, 5>> cells{{heading, "as it is", "changed", "saved", ""}};
    for (const Difference& d : rows) {
        cells.push_back({d.words, grouped(d.before), grouped(d.after), savedOf(d), percentOf(d)});
    }
    std::array<std::size_t, 5> widths{};
    for (const auto& row : cells) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    for (const auto& row : cells) {
        std::string line = fmt::format("{:<{}}", row[0], widths[0]);
        for (std::size_t c = 1; c < row.size(); ++c) line += fmt::format("  {:>{}}", row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
}

}  // namespace

std::string whatIfAsText(const WhatIf& whatIf, std::size_t top) {
    std::string out = whatIf.trace + "\n\n";
    addTable(out, "", whatIf.figures);
    const auto add = [&](const char* heading, const std::vector<Difference>& things) {
        if (things.empty()) return;
        out += '\n';
        addTable(out, heading, std::span(things).first(std::min(top, things.size())));
        if (things.size() > top) out += fmt::format("… and {} more\n", grouped(things.size() - top));
    };
    add("cycles by region", whatIf.regions);
    add("cycles by class", whatIf.classes);
    add("cycles by object", whatIf.objects);
    return out;
}

}  // namespace whorl::sim
