#include "sim/report/why_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

namespace {

using Kind = LayoutChange::Kind;

/// Fields and layouts that a sentence lists; more are counted.
constexpr std::size_t kMostListed = 3;

/// "24 %", "0.4 %".
std::string percent(double part, double whole) {
    const double share = whole == 0 ? 0.0 : 100 * part / whole;
    const double size = std::abs(share);
    return fmt::format("{:.{}f} %", share, size < 9.95 && size > 0 ? 1 : 0);
}

/// What a layout does to the stall cycles of all: "-61 %", "+2.5 %".
std::string changeOf(const Trial& trial, const WhyReport& report) {
    if (trial.cycles == 0) return "0 %";
    const std::string share = percent(-static_cast<double>(trial.cycles), static_cast<double>(report.lost));
    return trial.cycles < 0 ? "+" + share : share;
}

/// "stored transposed", "split into an array for each field", "b shifted by 32".
std::string doneInWords(const LayoutChange& change) {
    if (change.kind == Kind::split) return "split into an array for each field";
    if (change.kind != Kind::transpose) return inWords(change);
    return change.bytes == 0 ? "stored transposed" : fmt::format("stored transposed, from rows of {}", change.bytes);
}

/// "stored transposed (--map transpose:B)".
std::string cureInWords(const Trial& cure) {
    std::vector<std::string> words;
    std::string specs;
    for (const LayoutChange& change : cure.changes) {
        specs += (specs.empty() ? "--map " : " --map ") + asText(change);
        words.push_back(doneInWords(change));
    }
    return fmt::format("{} ({})", joinNames(words), specs);
}

std::string missing(const ArrayUse& use) {
    return fmt::format("{} of {} accesses miss", grouped(use.missed), grouped(use.accesses));
}

/// "only x and y of its 8 fields are used here", "aos.c:13 uses only x and y of its 8 fields".
std::string usedInWords(const StallRow& row) {
    const ArrayUse& use = row.array;
    std::vector<std::string> names(
        use.used.begin(), use.used.begin() + static_cast<std::ptrdiff_t>(std::min(use.used.size(), kMostListed)));
    if (use.used.size() > kMostListed) names.push_back(fmt::format("{} more", use.used.size() - kMostListed));
    const std::string fields = fmt::format("{} of its {} fields", joinNames(names), use.fields);
    return row.line ? fmt::format("only {} {} used here", fields, use.used.size() == 1 ? "is" : "are")
                    : fmt::format("{} uses only {}", use.line, fields);
}

/// What a split cures.
std::string wasted(const StallRow& row, const WhyReport& report) {
    const std::uint32_t block = report.machine.blockBytes();
    const std::string unused = percent(1 - row.stays[0].utilization(block), 1);
    std::string out = fmt::format("{} of the bytes fetched for {} are never used", unused, row.array.name);
    if (!row.array.used.empty() && row.array.used.size() < row.array.fields) out += ": " + usedInWords(row);
    return out + fmt::format(", {}", missing(row.array));
}

/// What shifts, padding and alignment cure.
std::string collided(const StallRow& row) {
    std::uint64_t conflicts = 0;
    std::uint64_t sharing = 0;
    std::uint64_t misses = 0;
    for (std::size_t l = 0; l < row.misses.size(); ++l) {
        conflicts += row.misses[l][static_cast<std::size_t>(MissKind::conflict)];
        sharing += row.misses[l][static_cast<std::size_t>(MissKind::falseSharing)];
        misses += row.missesAt(l);
    }
    const bool isShared = sharing > conflicts;
    return fmt::format("{} of the misses {} {} are {}: {}",
                       percent(static_cast<double>(isShared ? sharing : conflicts), static_cast<double>(misses)),
                       row.line ? "here, on" : "of", row.array.name,
                       isShared ? "false sharing between CPUs" : "conflicts in a set", missing(row.array));
}

/// How an array is walked that is better stored transposed.
std::string walkInWords(const ArrayUse& use) {
    if (use.isByColumns) return "walked down its columns";
    if (use.stride.stride != StrideClass::constant) return "not walked along its rows";
    return fmt::format("walked in steps of {} bytes", use.stride.bytes);
}

std::string diagnosisOf(const StallRow& row, const WhyReport& report) {
    const ArrayUse& use = row.array;
    switch (row.cure->changes.front().kind) {
        case Kind::transpose:
            return fmt::format("{} is {}: {}", use.name, walkInWords(use), missing(use));
        case Kind::split:
            return wasted(row, report);
        default:
            return collided(row);
    }
}

/// The share of the misses that remain.
std::string remaining(const StallRow& row) {
    if (row.array.missed == 0) return {};
    return percent(static_cast<double>(row.missedThen), static_cast<double>(row.array.missed)) + " of that, ";
}

/// Why nothing was tried, or what it came to.
std::string withoutCure(const StallRow& row, const WhyReport& report) {
    if (!row.tried.empty()) {
        std::vector<std::string> tried;
        for (const Trial& trial : row.tried) {
            if (tried.size() == kMostListed) break;
            std::string specs;
            for (const LayoutChange& change : trial.changes) specs += (specs.empty() ? "" : " ") + asText(change);
            tried.push_back(fmt::format("{} {}", specs, changeOf(trial, report)));
        }
        if (row.tried.size() > tried.size()) tried.push_back(fmt::format("{} more", row.tried.size() - tried.size()));
        return fmt::format("no layout change tried helps{}: of all stall cycles {}", row.line ? " here" : "",
                           joinNames(tried));
    }
    if (report.machine.levels.empty()) return "no layout helps where there is no cache";
    const std::string used = percent(row.stays[0].utilization(report.machine.blockBytes()), 1);
    return fmt::format("no layout change to try: strides {}, {} of the bytes fetched are used",
                       strideInWords(row.array.stride), used);
}

std::uint64_t kindsAt(const StallRow& row, std::size_t level, MissKind kind) {
    return level >= row.misses.size() ? 0 : row.misses[level][static_cast<std::size_t>(kind)];
}

}  // namespace

std::string strideInWords(const StrideSummary& stride) {
    if (stride.stride == StrideClass::none) return "-";
    if (stride.stride != StrideClass::constant) return std::string(wordFor(stride.stride));
    return fmt::format("constant {}", stride.bytes);
}

std::string adviceFor(const StallRow& row, const WhyReport& report) {
    if (!row.cure) return withoutCure(row, report);
    return fmt::format("{}; {}: {}{} stall cycles", diagnosisOf(row, report), cureInWords(*row.cure), remaining(row),
                       changeOf(*row.cure, report));
}

std::string waitsInWords(const WhyReport& report) {
    const auto ofAll = [&](Cycles cycles) {
        return percent(static_cast<double>(cycles), static_cast<double>(report.waits.ofAll));
    };
    std::vector<std::string> waits;
    const auto add = [&](std::string_view where, Cycles cycles) {
        if (cycles > 0)
            waits.push_back(
                fmt::format("at {} for {} cycles, {} of all their cycles", where, grouped(cycles), ofAll(cycles)));
    };
    add("locks", report.waits.atLocks);
    add("barriers", report.waits.atBarriers);
    return waits.empty() ? std::string() : "CPUs wait " + joinNames(waits);
}

Table stallTable(std::string_view thing, const std::vector<StallRow>& rows, const WhyReport& report) {
    const MachineConfig& machine = report.machine;
    const bool isCoherent = machine.isCoherent();
    const bool isOfLines = !rows.empty() && rows.front().line.has_value();
    Table table{.name = fmt::format("{}s", thing),
                .title = fmt::format("The {}s that stall most", thing),
                .columns = {{std::string(thing), std::string(thing)},
                            {"lost", "cycles lost"},
                            {"lost_percent", "%"},
                            {"cycles", "cycles"},
                            {"accesses", "accesses"},
                            {"misses", machine.levelName(0) + " misses"},
                            {"compulsory", "compulsory"},
                            {"capacity", "capacity"},
                            {"conflict", "conflict"}},
                .rows = {}};
    if (isCoherent) table.columns.push_back({"coherence", "coherence"});
    if (machine.levels.size() > 1) table.columns.push_back({"last_misses", machine.levels.back().name + " misses"});
    if (isOfLines) table.columns.push_back({"array", "mostly for"});
    table.columns.push_back({"stride", "stride"});
    table.columns.push_back({"used_percent", "used %"});
    for (const StallRow& row : rows) {
        std::vector<Cell> cells{row.name,   row.lost,     100 * perAccess(row.lost, report.lost),
                                row.cycles, row.accesses, row.missesAt(0)};
        for (const MissKind kind : {MissKind::compulsory, MissKind::capacity, MissKind::conflict}) {
            cells.emplace_back(kindsAt(row, 0, kind));
        }
        if (isCoherent) {
            cells.emplace_back(kindsAt(row, 0, MissKind::trueSharing) + kindsAt(row, 0, MissKind::falseSharing));
        }
        if (machine.levels.size() > 1) cells.emplace_back(row.missesAt(machine.levels.size() - 1));
        if (isOfLines) cells.push_back(row.array.name.empty() ? Cell{} : Cell{row.array.name});
        cells.emplace_back(strideInWords(isOfLines ? row.array.stride : row.stride));
        cells.emplace_back();
        if (!row.stays.empty() && row.stays[0].fills > 0)
            cells.back() = 100 * row.stays[0].utilization(machine.blockBytes());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string whyAsText(const WhyReport& report) {
    std::string out =
        fmt::format("{} on {}: {} lost, of {} of {}\n", report.trace, report.machine.name,
                    counted(report.lost, "stall cycle", "stall cycles"), counted(report.cycles, "cycle", "cycles"),
                    counted(report.accesses, "access", "accesses"));
    const auto add = [&](std::string_view thing, const std::vector<StallRow>& rows) {
        if (rows.empty()) return;
        out += '\n' + tableAsText(stallTable(thing, rows, report), rows.size()) + '\n';
        for (const StallRow& row : rows) {
            // The diagnosis of an array has its name.
            if (row.line || !row.cure) out += row.name + ": ";
            out += adviceFor(row, report) + '\n';
        }
    };
    add("line", report.lines);
    add("array", report.arrays);
    if (const std::string waits = waitsInWords(report); !waits.empty()) {
        out += "\n" + waits + ": whorl stats --costs tells which CPUs.\n";
    }
    if (report.lines.empty() && report.arrays.empty()) return out + "Nothing stalls.\n";
    return out + fmt::format("\n{} tried by playing the trace with them.\n",
                             counted(report.tried, "other layout was", "other layouts were"));
}

}  // namespace whorl::sim
