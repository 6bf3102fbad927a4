#include "sim/report/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

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

std::string tableOf(const std::string& heading, std::span<const ComparedFigure> rows) {
    std::vector<std::vector<std::string>> lines{{heading, "A", "B", "B - A", ""}};
    lines.reserve(rows.size() + 1);
    for (const ComparedFigure& f : rows) {
        const auto difference = f.difference();
        lines.push_back(
            {f.words, countOf(f.a), countOf(f.b), difference ? signedCount(*difference) : "-", percentOf(f)});
    }
    return columnsAsText(lines);
}

std::string comparisonAsText(const Comparison& comparison, std::size_t top) {
    std::string out;
    const char* letter = "A";
    for (const Comparison::Side& side : comparison.sides) {
        out += fmt::format("{}  {} on {}\n", letter, side.trace, machineCalled(side.machine, side.settings));
        letter = "B";
    }
    out += '\n' + tableOf("", comparison.figures);
    for (const ComparedLevel& level : comparison.levels) {
        if (level.regions.empty()) continue;
        out += '\n' + tableOf(level.name + " misses by region",
                              std::span(level.regions).first(std::min(top, level.regions.size())));
        if (level.regions.size() > top) out += fmt::format("… and {} more\n", grouped(level.regions.size() - top));
    }
    return out;
}

JsonObject comparedAsJson(const ComparedFigure& figure) {
    const auto share = figure.share();
    return {{"a", figure.a},
            {"b", figure.b},
            {"difference", figure.difference()},
            {"percent", share ? JsonValue(100 * *share) : JsonValue()}};
}

JsonValue comparisonAsJson(const Comparison& comparison) {
    const auto sideOf = [](const Comparison::Side& side) {
        JsonObject json{{"trace", side.trace}, {"machine", side.machine}};
        if (!side.settings.empty()) json.emplace_back("settings", side.settings);
        return json;
    };
    JsonObject figures;
    for (const ComparedFigure& figure : comparison.figures) figures.emplace_back(figure.key, comparedAsJson(figure));
    JsonObject regions;
    for (const ComparedLevel& level : comparison.levels) {
        regions.emplace_back(level.name, jsonArrayOf(level.regions, [](const ComparedFigure& figure) {
                                 JsonObject row = comparedAsJson(figure);
                                 row.insert(row.begin(), {"name", figure.key});
                                 return row;
                             }));
    }
    return JsonObject{{"a", sideOf(comparison.sides[0])},
                      {"b", sideOf(comparison.sides[1])},
                      {"figures", std::move(figures)},
                      {"regions", std::move(regions)}};
}

}  // namespace

std::string differenceOf(const ComparedFigure& figure) {
    const auto difference = figure.difference();
    if (!difference) return {};
    if (*difference == 0) return "=";
    const auto share = figure.share();
    return signedCount(*difference) + (share ? fmt::format(" ({:+.1f} %)", 100 * *share) : "");
}

Document comparisonDocument(Comparison comparison) {
    const auto done = std::make_shared<const Comparison>(std::move(comparison));
    return {.text = [=](std::size_t top) { return comparisonAsText(*done, top); },
            .json = [=] { return comparisonAsJson(*done); }};
}

}  // namespace whorl::sim
