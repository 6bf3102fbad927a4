#include "sim/report/annotated_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "sim/replay/totals/ledger.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/report/machine_words.h"
#include "sim/report/report_rows.h"
#include "sim/report/tally.h"
#include "sim/report/why_report.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

/// Lines that cost nothing are shown around those that cost something.
constexpr std::uint32_t kContext = 3;

/// What a line, or a function, costs.
struct Costs : Tally {
    StallTally stalls;

    Cycles lost(const MachineConfig& machine) const { return cycles - accesses * machine.lookUp(); }
};

std::vector<Column> columnsFor(const MachineConfig& machine) {
    std::vector<Column> columns{
        {"lost", "cycles lost"}, {"lost_percent", "%"}, {"cycles", "cycles"}, {"accesses", "accesses"}};
    for (const LevelConfig& level : machine.levels) {
        columns.push_back({level.name + "_misses", level.name + " misses"});
    }
    if (!machine.levels.empty()) columns.push_back({"mostly", "mostly"});
    columns.push_back({"stride", "stride"});
    if (!machine.levels.empty()) columns.push_back({"used_percent", machine.levels[0].name + " used %"});
    return columns;
}

std::vector<Cell> cellsOf(const Costs& costs, const MachineConfig& machine, Cycles lostByAll) {
    const Cycles lost = costs.lost(machine);
    std::vector<Cell> cells{lost, 100 * perAccess(lost, lostByAll), costs.cycles, costs.accesses};
    for (std::size_t l = 0; l < costs.misses.size(); ++l) cells.emplace_back(costs.missesAt(l));
    if (!costs.misses.empty()) {
        const auto& kinds = costs.misses.front();
        const auto most = std::ranges::max_element(kinds);
        cells.emplace_back();
        if (*most != 0) {
            cells.back().emplace<std::string>(kMissKindWords[static_cast<std::size_t>(most - kinds.begin())]);
        }
    }
    cells.emplace_back(strideInWords(costs.stalls.strides.summary()));
    if (!costs.misses.empty()) {
        cells.emplace_back();
        const StaySum& nearest = costs.stays.front();
        if (nearest.fills > 0) cells.back() = 100 * nearest.utilization(machine.levels[0].block);
    }
    return cells;
}

/// The lines of a function, by number.
using CostsOfLines = std::map<std::uint32_t, Costs>;

/// Adds the lines between two that cost something, or before the first and after the last.
void addBetween(AnnotatedFunction& function, const SourceText& text, std::uint32_t from, std::uint32_t to,
                std::uint32_t headed, std::uint32_t ended) {
    for (std::uint32_t line = from; line < to && line <= text.size(); ++line) {
        const bool isNear = line < from + ended || line + headed >= to;
        if (isNear) function.lines.push_back({.number = line, .text = text[line - 1], .costs = {}});
    }
}

AnnotatedFunction functionOf(const SourceFile& file, const std::string& name, const CostsOfLines& lines,
                             const MachineConfig& machine, Cycles lostByAll) {
    AnnotatedFunction function{.name = name, .path = file.path, .hasText = !file.lines.empty(), .lines = {}};
    std::uint32_t next = lines.begin()->first;
    next = next > kContext ? next - kContext : 1;
    for (const auto& [number, costs] : lines) {
        addBetween(function, file.lines, next, number, kContext, number == lines.begin()->first ? 0 : kContext);
        const bool isKnown = number <= file.lines.size();
        function.lines.push_back({.number = number,
                                  .text = isKnown ? file.lines[number - 1] : std::string_view(),
                                  .costs = cellsOf(costs, machine, lostByAll)});
        function.cycles += costs.cycles;
        function.lost += costs.lost(machine);
        next = number + 1;
    }
    addBetween(function, file.lines, next, next + kContext, 0, kContext);
    return function;
}

}  // namespace

AnnotatedSource annotated(const Trace& trace, const Measures& measures, const Stalls& stalls) {
    const MachineConfig& machine = measures.machine;
    const TallyTable& sums = measures.ledger->sites;
    const SourceLines sourceLines(trace);
    AnnotatedSource out{
        .trace = trace.name(), .machine = machine.name, .columns = columnsFor(machine), .functions = {}};
    std::map<std::pair<std::uint32_t, std::uint32_t>, CostsOfLines> byFunction;  // file and function
    std::vector<Costs*> ofLine(sourceLines.size());
    for (std::uint32_t s = 0; s < sums.rows(); ++s) {
        out.cycles += sums.cycles(s);
        out.lost += sums.cycles(s) - sums.accesses(s) * machine.lookUp();
        const Site& site = trace.sites()[s];
        if (site.line == 0) out.elsewhere += sums.cycles(s);
        if (site.line == 0 || (sums.accesses(s) == 0 && sums.cycles(s) == 0)) continue;
        // A line that is inlined in several functions belongs to that of its first instruction, whole.
        const std::uint32_t line = sourceLines.of(SiteId{s});
        if (ofLine[line] == nullptr) ofLine[line] = &byFunction[{site.file, site.function}][site.line];
        ofLine[line]->add(sums, s);
    }
    for (const StallTally& tally : stalls.tallies) {
        if (ofLine[tally.line] != nullptr) ofLine[tally.line]->stalls += tally;
    }
    for (const auto& [place, lines] : byFunction) {
        const std::string name = place.second == 0 ? std::string() : trace.functions()[place.second];
        out.functions.push_back(functionOf(trace.files()[place.first], name, lines, machine, out.lost));
    }
    std::ranges::stable_sort(out.functions, std::greater(), &AnnotatedFunction::cycles);
    return out;
}

namespace {

/// "matmul, mm.c: 1 024 of 4 096 cycles lost, 25 %".
std::string headingOf(const AnnotatedFunction& function, const AnnotatedSource& source) {
    return fmt::format("{}{}: {} of {} lost, {} of all that are lost",
                       function.name.empty() ? std::string() : function.name + ", ", function.path,
                       grouped(function.lost), counted(function.cycles, "cycle", "cycles"),
                       inPercent(static_cast<double>(function.lost), static_cast<double>(source.lost)));
}

std::string titleOf(const AnnotatedSource& source) {
    return fmt::format("{} on {}: {} lost, of {}", source.trace, machineCalled(source.machine, source.settings),
                       counted(source.lost, "stall cycle", "stall cycles"), counted(source.cycles, "cycle", "cycles"));
}

/// What the functions that are not shown, and what has no line, cost.
std::string restOf(const AnnotatedSource& source, std::size_t shown) {
    std::string out;
    if (source.functions.size() > shown) {
        Cycles cycles = 0;
        for (const AnnotatedFunction& function : std::span(source.functions).subspan(shown)) cycles += function.cycles;
        out += fmt::format("… and {} of {} more\n", counted(cycles, "cycle", "cycles"),
                           counted(source.functions.size() - shown, "function", "functions"));
    }
    if (source.elsewhere > 0) {
        out += fmt::format("{} of code whose lines are not known\n", counted(source.elsewhere, "cycle", "cycles"));
    }
    if (source.functions.empty())
        out += "The trace has no source lines: compile the program with -g, or see whorl stats --by function.\n";
    return out;
}

std::vector<std::string> headingsOf(const AnnotatedSource& source) {
    std::vector<std::string> headings;
    for (const Column& column : source.columns) headings.push_back(column.heading);
    return headings;
}

std::vector<std::string> cellsInWords(const AnnotatedLine& line, std::size_t columns) {
    std::vector<std::string> out(columns);
    for (std::size_t c = 0; c < line.costs.size(); ++c) out[c] = cellInWords(line.costs[c]);
    return out;
}

/// The function as a table: the columns, the number and the text of each line; a row of dots stands for lines that are
/// left out.
std::string asText(const AnnotatedFunction& function, const AnnotatedSource& source) {
    std::vector<std::vector<std::string>> rows{headingsOf(source)};
    rows.front().insert(rows.front().begin(), "line");
    for (const AnnotatedLine& line : function.lines) {
        std::vector<std::string>& row = rows.emplace_back(cellsInWords(line, source.columns.size()));
        row.insert(row.begin(), std::to_string(line.number));
    }
    // The text is at the end, so that it may be of any length.
    const std::string columns = columnsAsText(rows);
    std::string out;
    std::size_t begin = 0;
    std::size_t width = 0;
    std::vector<std::string> lines;
    for (std::size_t end = columns.find('\n'); end != std::string::npos; end = columns.find('\n', begin)) {
        lines.push_back(columns.substr(begin, end - begin));
        width = std::max(width, lines.back().size());
        begin = end + 1;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const bool isLine = i > 0;
        const bool leavesOut = i > 1 && function.lines[i - 1].number > function.lines[i - 2].number + 1;
        if (leavesOut) out += "…\n";
        const std::string_view text = isLine ? function.lines[i - 1].text : std::string_view();
        std::string line = fmt::format("{:<{}}  {}", lines[i], width, text);
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + '\n';
    }
    return out;
}

/// As text, or as Markdown, which shows the lines as code.
std::string annotatedAsText(const AnnotatedSource& source, std::size_t top, bool isMarkdown) {
    std::string out = titleOf(source) + '\n';
    const std::size_t shown = std::min(top, source.functions.size());
    const char* const fence = isMarkdown ? "```\n" : "";
    for (const AnnotatedFunction& function : std::span(source.functions).first(shown)) {
        out += fmt::format("\n{}{}\n{}{}{}{}", isMarkdown ? "### " : "", headingOf(function, source),
                           function.hasText ? "" : "The text of this file is not known.\n", fence,
                           asText(function, source), fence);
    }
    const std::string rest = restOf(source, shown);
    return rest.empty() ? out : out + '\n' + rest;
}

/// The lines that cost something; `before`: what stands in front of each.
void addLines(Table& table, const AnnotatedFunction& function, const std::vector<Cell>& before) {
    for (const AnnotatedLine& line : function.lines) {
        if (line.costs.empty()) continue;
        std::vector<Cell>& row = table.rows.emplace_back(before);
        row.emplace_back(std::uint64_t{line.number});
        row.insert(row.end(), line.costs.begin(), line.costs.end());
        row.emplace_back(std::string(line.text));
    }
}

Table tableFor(const AnnotatedSource& source, std::vector<Column> before) {
    Table table{.name = {}, .title = {}, .columns = std::move(before), .rows = {}};
    table.columns.push_back({"line", {}});
    table.columns.insert(table.columns.end(), source.columns.begin(), source.columns.end());
    table.columns.push_back({"text", {}});
    return table;
}

JsonValue annotatedAsJson(const AnnotatedSource& source) {
    return JsonObject{{"trace", source.trace},
                      {"machine", source.machine},
                      {"cycles", source.cycles},
                      {"lost", source.lost},
                      {"elsewhere", source.elsewhere},
                      {"functions", jsonArrayOf(source.functions, [&](const AnnotatedFunction& function) {
                           Table lines = tableFor(source, {});
                           addLines(lines, function, {});
                           return JsonObject{{"name", function.name},
                                             {"file", function.path},
                                             {"cycles", function.cycles},
                                             {"lost", function.lost},
                                             {"lines", std::move(lines)}};
                       })}};
}

Table annotatedAsTable(const AnnotatedSource& source) {
    Table table = tableFor(source, {{"function", {}}, {"file", {}}});
    for (const AnnotatedFunction& function : source.functions)
        addLines(table, function, {function.name, function.path});
    return table;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
    }
    return out;
}

constexpr const char* kStyle = R"(<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; color: #1b1f24; background: #fafaf7 }
h1 { font-size: 1.4em }
h2 { font-size: 1.05em; margin: 2em 0 .5em }
table { border-collapse: collapse; font-family: ui-monospace, monospace; font-size: 13px }
th, td { padding: 0 .8em 0 0; text-align: right; white-space: pre }
th { position: sticky; top: 0; background: #fafaf7; font-weight: 600 }
td:last-child, th:last-child { text-align: left }
td.number { color: #6b7280 }
tr.gap td { color: #6b7280; text-align: left }
@media (prefers-color-scheme: dark) { body, th { background: #0b0e14; color: #dfe3ea } }
</style>
)";

std::string annotatedAsHtml(const AnnotatedSource& source, std::size_t top) {
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>{0}</title>\n{1}</head><body>\n<h1>{0}</h1>\n",
        escaped(titleOf(source)), kStyle);
    const std::size_t shown = std::min(top, source.functions.size());
    for (const AnnotatedFunction& function : std::span(source.functions).first(shown)) {
        out += fmt::format("<h2>{}</h2>\n<table><tr>", escaped(headingOf(function, source)));
        for (const std::string& heading : headingsOf(source)) out += fmt::format("<th>{}</th>", escaped(heading));
        out += "<th>line</th><th></th></tr>\n";
        std::uint32_t last = 0;
        for (const AnnotatedLine& line : function.lines) {
            if (last != 0 && line.number > last + 1) {
                out += fmt::format("<tr class=\"gap\"><td colspan=\"{}\">…</td></tr>\n", source.columns.size() + 2);
            }
            last = line.number;
            // The ground tells the share of the cycles lost, as the number does: 100 % is a strong amber.
            const double share = line.costs.empty() ? 0 : std::get<double>(line.costs[1]);
            out += share < 0.05
                       ? "<tr>"
                       : fmt::format("<tr style=\"background: rgba(226, 148, 40, {:.2f})\">", 0.08 + 0.0062 * share);
            for (const std::string& cell : cellsInWords(line, source.columns.size())) {
                out += fmt::format("<td>{}</td>", escaped(cell));
            }
            out += fmt::format("<td class=\"number\">{}</td><td>{}</td></tr>\n", line.number, escaped(line.text));
        }
        out += "</table>\n";
    }
    if (const std::string rest = restOf(source, shown); !rest.empty()) out += fmt::format("<p>{}</p>\n", escaped(rest));
    return out + "</body></html>\n";
}

}  // namespace

Document annotatedDocument(AnnotatedSource source) {
    const auto made = std::make_shared<const AnnotatedSource>(std::move(source));
    return {.text = [=](std::size_t top) { return annotatedAsText(*made, top, false); },
            .json = [=] { return annotatedAsJson(*made); },
            .csv = [=] { return annotatedAsTable(*made); },
            .markdown = [=](std::size_t top) { return annotatedAsText(*made, top, true); },
            .html = [=](std::size_t top) { return annotatedAsHtml(*made, top); }};
}

}  // namespace whorl::sim
