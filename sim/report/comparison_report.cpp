#include "sim/report/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "sim/report/machine_words.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

std::string signedCount(std::int64_t d) {
    const auto size = static_cast<std::uint64_t>(d < 0 ? -d : d);
    return (d < 0 ? "-" : d > 0 ? "+" : "") + grouped(size);
}

std::string percentOf(const ComparedFigure& figure) {
    const auto share = figure.share();
    return share ? fmt::format("{:+.1f} %", 100 * *share) : "-";
}

std::string countOf(const std::optional<std::uint64_t>& count) {
    return count ? grouped(*count) : "-";
}

constexpr std::size_t kColumns = 5;

void addTable(std::string& out, const std::string& heading, std::span<const ComparedFigure> rows) {
    std::vector<std::array<std::string, kColumns>> cells{{heading, "A", "B", "B - A", ""}};
    for (const ComparedFigure& f : rows) {
        const auto difference = f.difference();
        cells.push_back(
            {f.words, countOf(f.a), countOf(f.b), difference ? signedCount(*difference) : "-", percentOf(f)});
    }
    std::array<std::size_t, kColumns> widths{};
    for (const auto& row : cells) {
        for (std::size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], row[c].size());
    }
    for (const auto& row : cells) {
        std::string line = fmt::format("{:<{}}", row[0], widths[0]);
        for (std::size_t c = 1; c < kColumns; ++c) line += fmt::format("  {:>{}}", row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
}

}  // namespace

std::string differenceOf(const ComparedFigure& figure) {
    const auto difference = figure.difference();
    if (!difference) return {};
    if (*difference == 0) return "=";
    const auto share = figure.share();
    return signedCount(*difference) + (share ? fmt::format(" ({:+.1f} %)", 100 * *share) : "");
}

std::string comparisonAsText(const Comparison& comparison, std::size_t top) {
    std::string out;
    const char* letter = "A";
    for (const Comparison::Side& side : comparison.sides) {
        out += fmt::format("{}  {} on {}\n", letter, side.trace, machineCalled(side.machine, side.settings));
        letter = "B";
    }
    out += '\n';
    addTable(out, "", comparison.figures);
    for (const ComparedLevel& level : comparison.levels) {
        if (level.regions.empty()) continue;
        out += '\n';
        addTable(out, level.name + " misses by region",
                 std::span(level.regions).first(std::min(top, level.regions.size())));
        if (level.regions.size() > top) out += fmt::format("… and {} more\n", grouped(level.regions.size() - top));
    }
    return out;
}

}  // namespace whorl::sim
