#include "sim/report/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/analysis/matched_lines.h"
#include "sim/replay/totals/miss_kind.h"
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

/// Lines of columns, the first that of the headings.
using Lines = std::vector<std::vector<std::string>>;

Lines linesOf(const std::string& heading, std::span<const ComparedFigure> rows) {
    Lines lines{{heading, "A", "B", "B - A", ""}};
    lines.reserve(rows.size() + 1);
    for (const ComparedFigure& f : rows) {
        const auto difference = f.difference();
        lines.push_back(
            {f.words, countOf(f.a), countOf(f.b), difference ? signedCount(*difference) : "-", percentOf(f)});
    }
    return lines;
}

struct Gated {
    Comparison comparison;
    std::vector<ComparedThings> things;
    std::vector<ExceededLimit> failed;
    bool isGate = false;
};

/// For people, as text or as Markdown.
std::string comparisonAsText(const Gated& of, std::size_t top, bool isMarkdown) {
    const auto format = isMarkdown ? columnsAsMarkdown : columnsAsText;
    const char* const mark = isMarkdown ? "**" : "";
    std::string out;
    const char* letter = "A";
    for (const Comparison::Side& side : of.comparison.sides) {
        out += fmt::format("{0}{1}{0}  {2} on {3}{4}\n", mark, letter, side.trace,
                           machineCalled(side.machine, side.settings), isMarkdown ? "\\" : "");
        letter = "B";
    }
    if (of.isGate && isMarkdown) {
        out += fmt::format("\n**{}**\n", of.failed.empty() ? "No limit is exceeded." : "Limits are exceeded:");
        for (const ExceededLimit& limit : of.failed) out += fmt::format("- `{}`: {}\n", limit.limit, limit.reason);
    }
    out += '\n' + format(linesOf("", of.comparison.figures));
    for (const ComparedThings& things : of.things) {
        for (const ComparedRows& figure : things.figures) {
            if (!figure.isForPeople || figure.rows.empty()) continue;
            // The largest differences are first: what is equal is last.
            const auto isEqual = [](const ComparedFigure& row) { return row.a && row.b && *row.a == *row.b; };
            const auto differ =
                static_cast<std::size_t>(std::ranges::find_if(figure.rows, isEqual) - figure.rows.begin());
            const std::size_t shown = std::min(top, std::max<std::size_t>(1, differ));
            out += '\n' + format(linesOf(figure.words, std::span(figure.rows).first(shown)));
            if (differ > shown)
                out += fmt::format("{}… and {} more\n", isMarkdown ? "\n" : "", grouped(differ - shown));
        }
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

JsonValue comparisonAsJson(const Gated& of) {
    const auto sideOf = [](const Comparison::Side& side) {
        JsonObject json{{"trace", side.trace}, {"machine", side.machine}};
        if (!side.settings.empty()) json.emplace_back("settings", side.settings);
        return json;
    };
    const Comparison& comparison = of.comparison;
    JsonObject figures;
    for (const ComparedFigure& figure : comparison.figures) figures.emplace_back(figure.key, comparedAsJson(figure));
    JsonObject out{
        {"a", sideOf(comparison.sides[0])}, {"b", sideOf(comparison.sides[1])}, {"figures", std::move(figures)}};
    for (const ComparedThings& things : of.things) {
        JsonObject rows;
        for (const ComparedRows& figure : things.figures) {
            rows.emplace_back(figure.key, jsonArrayOf(figure.rows, [](const ComparedFigure& f) {
                                  JsonObject row = comparedAsJson(f);
                                  row.insert(row.begin(), {"name", f.key});
                                  return row;
                              }));
        }
        out.emplace_back(fmt::format("by_{}", things.kind), std::move(rows));
    }
    if (of.isGate) {
        out.emplace_back("failed", jsonArrayOf(of.failed, [](const ExceededLimit& limit) {
                             return JsonObject{{"limit", limit.limit}, {"reason", limit.reason}};
                         }));
    }
    return out;
}

Table comparisonAsTable(const Gated& of) {
    Table table{
        .columns =
            {{"by", {}}, {"name", {}}, {"figure", {}}, {"a", {}}, {"b", {}}, {"difference", {}}, {"percent", {}}},
        .rows = {}};
    const auto count = [](const std::optional<std::uint64_t>& n) { return n ? Cell(*n) : Cell(); };
    const auto add = [&](std::string_view by, const std::string& name, const std::string& key,
                         const ComparedFigure& f) {
        const auto difference = f.difference();
        const auto share = f.share();
        table.rows.push_back({std::string(by), name, key, count(f.a), count(f.b),
                              difference ? Cell(std::to_string(*difference)) : Cell(),
                              share ? Cell(100 * *share) : Cell()});
    };
    for (const ComparedFigure& figure : of.comparison.figures) add("", "", figure.key, figure);
    for (const ComparedThings& things : of.things) {
        for (const ComparedRows& figure : things.figures) {
            for (const ComparedFigure& row : figure.rows) add(things.kind, row.key, figure.key, row);
        }
    }
    return table;
}

/// "mm.c:14 (was line 12)": a line whose name in the other trace is another one.
std::string nameOfLine(const std::string& name, const std::string& other) {
    const std::string number = other.substr(other.rfind(':') + 1);
    return name.substr(name.rfind(':') + 1) == number ? name : fmt::format("{} (was line {})", name, number);
}

/// The rows of a table of costs by the names that they have in the other table.
std::map<std::string, ComparedFigure> named(const Table& table, std::size_t column,
                                            const std::unordered_map<std::string, std::string>& others) {
    std::map<std::string, ComparedFigure> out;
    for (const std::vector<Cell>& row : table.rows) {
        const std::string& name = std::get<std::string>(row[0]);
        const auto other = others.find(name);
        ComparedFigure& figure = out[other == others.end() ? name : other->second];
        figure.key = name;
        figure.words = other == others.end() ? name : nameOfLine(name, other->second);
        figure.b = figure.b.value_or(0) + std::get<std::uint64_t>(row[column]);
    }
    return out;
}

std::uint64_t distance(const ComparedFigure& f) {
    const std::uint64_t a = f.a.value_or(0);
    const std::uint64_t b = f.b.value_or(0);
    return std::max(a, b) - std::min(a, b);
}

/// A figure of the rows of two tables; `column` is its place in each, if it is there.
std::vector<ComparedFigure> joined(const std::array<const Table*, 2>& tables, const std::array<std::size_t, 2>& column,
                                   const std::unordered_map<std::string, std::string>& others) {
    const auto has = [&](std::size_t side) { return column[side] < tables[side]->columns.size(); };
    std::map<std::string, ComparedFigure> all;
    if (has(1)) all = named(*tables[1], column[1], others);
    if (has(0)) {
        for (auto& [name, was] : named(*tables[0], column[0], {})) {
            ComparedFigure& figure = all.try_emplace(name, ComparedFigure{.key = name, .words = name}).first->second;
            figure.a = was.b;
        }
    }
    std::vector<ComparedFigure> out;
    for (auto& [name, figure] : all) {
        if (figure.a.value_or(0) > 0 || figure.b.value_or(0) > 0) out.push_back(std::move(figure));
    }
    std::ranges::stable_sort(out, std::greater(), distance);
    return out;
}

}  // namespace

std::string differenceOf(const ComparedFigure& figure) {
    const auto difference = figure.difference();
    if (!difference) return {};
    if (*difference == 0) return "=";
    const auto share = figure.share();
    return signedCount(*difference) + (share ? fmt::format(" ({:+.1f} %)", 100 * *share) : "");
}

const ComparedRows* ComparedThings::rowsOf(std::string_view key) const {
    const auto found = std::ranges::find(figures, key, &ComparedRows::key);
    return found == figures.end() ? nullptr : &*found;
}

ComparedThings comparedBy(Grouping grouping, const Measured& a, const Measured& b) {
    const Table was = tableBy(grouping, a.measures, a.trace);
    const Table is = tableBy(grouping, b.measures, b.trace);
    const auto others =
        grouping == Grouping::line ? namesOfLines(a.trace, b.trace) : std::unordered_map<std::string, std::string>();
    ComparedThings out{.kind = was.columns.front().key, .figures = {}};
    // The figures that are sums: those of the first table, then what only the second has.
    for (const Table* const table : {&was, &is}) {
        for (const Column& column : table->columns) {
            const bool isSum = column.key == "accesses" || column.key == "cycles" || column.key.ends_with("_misses") ||
                               std::ranges::any_of(kMissKindKeys, [&](std::string_view kind) {
                                   return column.key.ends_with(fmt::format("_{}", kind));
                               });
            if (!isSum || out.rowsOf(column.key) != nullptr) continue;
            out.figures.push_back(
                {.key = column.key,
                 .words = fmt::format("{} by {}", column.heading, out.kind),
                 .isForPeople = !column.heading.empty() && column.key != "accesses",
                 .rows = joined({&was, &is}, {columnOf(was.columns, column.key), columnOf(is.columns, column.key)},
                                others)});
        }
    }
    return out;
}

Document comparisonDocument(Comparison comparison, std::vector<ComparedThings> things,
                            std::vector<ExceededLimit> failed, bool isGate) {
    const auto done =
        std::make_shared<const Gated>(Gated{std::move(comparison), std::move(things), std::move(failed), isGate});
    return {.text = [=](std::size_t top) { return comparisonAsText(*done, top, false); },
            .json = [=] { return comparisonAsJson(*done); },
            .csv = [=] { return comparisonAsTable(*done); },
            .markdown = [=](std::size_t top) { return comparisonAsText(*done, top, true); }};
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
