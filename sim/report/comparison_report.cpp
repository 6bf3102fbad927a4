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

namespace {

/// "1 234", "-1 234".
std::string savedOf(const Difference& d) {
    return (d.after > d.before ? "-" : "") + grouped(d.size());
}

std::string percentOf(const Difference& d) {
    const auto share = d.savedShare();
    return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string tableOf(const std::string& heading, std::span<const Difference> rows) {
    std::vector<std::vector<std::string>> lines{{heading, "as it is", "changed", "saved", ""}};
    lines.reserve(rows.size() + 1);
    for (const Difference& d : rows) {
        lines.push_back({d.words, grouped(d.before), grouped(d.after), savedOf(d), percentOf(d)});
    }
    return columnsAsText(lines);
}

std::string whatIfAsText(const WhatIf& whatIf, std::size_t top) {
    std::string out = whatIf.trace + "\n\n" + tableOf("", whatIf.figures);
    const auto add = [&](const char* heading, const std::vector<Difference>& things) {
        if (things.empty()) return;
        out += '\n' + tableOf(heading, std::span(things).first(std::min(top, things.size())));
        if (things.size() > top) out += fmt::format("… and {} more\n", grouped(things.size() - top));
    };
    add("cycles by region", whatIf.regions);
    add("cycles by class", whatIf.classes);
    add("cycles by object", whatIf.objects);
    return out;
}

JsonObject differenceAsJson(const Difference& d) {
    const auto share = d.savedShare();
    return {{"before", d.before},
            {"after", d.after},
            {"saved", static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after)},
            {"saved_percent", share ? JsonValue(100 * *share) : JsonValue()}};
}

JsonArray thingsAsJson(const std::vector<Difference>& things) {
    return jsonArrayOf(things, [](const Difference& d) {
        JsonObject row = differenceAsJson(d);
        row.insert(row.begin(), {"name", d.key});
        return row;
    });
}

JsonValue whatIfAsJson(const WhatIf& whatIf) {
    JsonObject figures;
    for (const Difference& d : whatIf.figures) figures.emplace_back(d.key, differenceAsJson(d));
    return JsonObject{{"trace", whatIf.trace},
                      {"machine", whatIf.machine},
                      {"changes", whatIf.changes},
                      {"figures", std::move(figures)},
                      {"regions", thingsAsJson(whatIf.regions)},
                      {"objects", thingsAsJson(whatIf.objects)},
                      {"classes", thingsAsJson(whatIf.classes)}};
}

}  // namespace

Document whatIfDocument(WhatIf whatIf) {
    const auto done = std::make_shared<const WhatIf>(std::move(whatIf));
    return {.text = [=](std::size_t top) { return whatIfAsText(*done, top); },
            .json = [=] { return whatIfAsJson(*done); }};
}

}  // namespace whorl::sim
