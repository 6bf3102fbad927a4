#include "sim/report/why_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/analysis/why_cures.h"
#include "sim/base/text.h"
#include "sim/report/loop_words.h"
#include "sim/report/machine_words.h"
#include "sim/report/order_words.h"
#include "sim/report/report.h"
#include "sim/report/report_rows.h"
#include "sim/report/sharing_report.h"
#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

using Kind = LayoutChange::Kind;

/// Fields and layouts that a sentence lists; more are counted.
constexpr std::size_t kMaxListed = 3;
/// The least share of a row's misses in a level that a kind must have for a sentence.
constexpr double kWorthNaming = 0.05;

/// The least share of a row's stall cycles that is worth a sentence.
constexpr double kWorthTelling = 0.25;

std::string leastGain() {
    return fmt::format("{:.0f} % of all stall cycles", 100 * kMinGain);
}

/// " ± 2", for a share that was found by a sample: rounded up, as it must hold.
std::string withinWords(double part, double whole) {
    if (part == 0 || whole == 0) return {};
    const double share = std::max(0.1, 100 * part / whole);
    return fmt::format(" ± {:.{}f}", share < 9.95 ? std::ceil(10 * share) / 10 : std::ceil(share),
                       share < 9.95 ? 1 : 0);
}

/// "25 %", or "25 ± 2 %" for a number from a sample.
std::string estimated(double part, double within, double whole) {
    std::string share = inPercent(within != 0 && isNothing(part, whole) ? 0 : part, whole);
    share.insert(share.size() - std::string_view(" %").size(), withinWords(within, whole));
    return share;
}

/// What a layout does to the stall cycles of all: "-61 %", "+2.5 %", "-61 ± 2 %".
std::string changeOf(const Trial& trial, const WhyReport& report) {
    const auto change = -static_cast<double>(trial.cycles);
    return withSign(estimated(change, static_cast<double>(trial.within), static_cast<double>(report.lost)), change);
}

/// "stored transposed", "split into an array for each field", "b shifted by 32".
std::string doneInWords(const LayoutChange& change) {
    if (change.kind == Kind::split) return "split into an array for each field";
    if (change.kind == Kind::spread && change.element != 0) {
        return fmt::format("every {} bytes of {} spread to {}", change.element, change.thing, change.bytes);
    }
    if (change.kind != Kind::transpose) return inWords(change);
    return change.bytes == 0 ? "stored transposed" : fmt::format("stored transposed, from rows of {}", change.bytes);
}

/// The change that a cure is about: gathering blocks comes before it.
const LayoutChange& mainChange(const Trial& cure) {
    const auto main = std::find_if(cure.changes.begin(), cure.changes.end(),
                                   [](const LayoutChange& change) { return !relocates(change.kind); });
    return main == cure.changes.end() ? cure.changes.front() : *main;
}

/// "stored transposed (--map transpose:B)". Without words for a pool that the next change needs, and for the memory
/// between rows that are blocks of the heap again.
std::string cureInWords(const Trial& cure) {
    std::vector<std::string> words;
    std::string specs;
    for (std::size_t c = 0; c < cure.changes.size(); ++c) {
        const LayoutChange& change = cure.changes[c];
        specs += (specs.empty() ? "--map " : " --map ") + asText(change);
        const bool isNeeded = change.kind == Kind::pool && c + 1 < cure.changes.size();
        const bool isBetween = change.kind == Kind::spread && c > 0 && cure.changes[c - 1].kind == Kind::transpose;
        if (!isNeeded && !isBetween) words.push_back(doneInWords(change));
    }
    return fmt::format("{} ({})", joinNames(words), specs);
}

/// Misses of a level, of one kind or all.
struct MissColumn {
    std::size_t level = 0;
    std::optional<MissKind> kind;

    std::uint64_t of(const StallRow& row) const {
        if (level >= row.misses.size()) return 0;
        return kind ? row.misses[level][static_cast<std::size_t>(*kind)] : row.missesAt(level);
    }
    double shareOf(const StallRow& row) const { return perAccess(of(row), row.missesAt(level)); }
    bool operator==(const MissColumn&) const = default;
};

/// The level where most misses of a row are of a kind.
MissColumn mostOf(const StallRow& row, MissKind kind) {
    MissColumn most{0, kind};
    for (std::size_t l = 1; l < row.misses.size(); ++l) {
        if (MissColumn{l, kind}.of(row) > most.of(row)) most.level = l;
    }
    return most;
}

/// The kind of misses that a sentence names: false sharing, if CPUs write neighbouring elements; or the kind that a
/// shift, padding or alignment removes, at the level where the cure saves most. None where the kind is too rare for a
/// sentence, for example where a fully associative cache would miss, too.
std::optional<MissColumn> leadingKind(const StallRow& row) {
    std::optional<MissColumn> leading;
    if (row.array.alternates) {
        leading = mostOf(row, MissKind::falseSharing);
    } else if (row.cure && row.savesAt && !reorders(mainChange(*row.cure).kind)) {
        const MissColumn conflicts{*row.savesAt, MissKind::conflict};
        const MissColumn shared{*row.savesAt, MissKind::falseSharing};
        leading = shared.of(row) > conflicts.of(row) ? shared : conflicts;
    }
    return leading && leading->shareOf(row) >= kWorthNaming ? leading : std::nullopt;
}

/// "4 096 L1 misses in 8 192 accesses": the figures of the row.
std::string missing(const StallRow& row, const WhyReport& report) {
    return fmt::format("{} in {}",
                       counted(row.missesAt(*row.savesAt), report.machine.levelName(*row.savesAt) + " miss",
                               report.machine.levelName(*row.savesAt) + " misses"),
                       counted(row.accesses, "access", "accesses"));
}

/// "only x and y of its 8 fields are used here", "aos.c:13 uses only x and y of its 8 fields".
std::string usedInWords(const StallRow& row) {
    const ArrayUse& use = row.array;
    std::vector<std::string> names(
        use.used.begin(), use.used.begin() + static_cast<std::ptrdiff_t>(std::min(use.used.size(), kMaxListed)));
    if (use.used.size() > kMaxListed) names.push_back(fmt::format("{} more", use.used.size() - kMaxListed));
    const std::string fields = fmt::format("{} of its {} fields", joinNames(names), use.fields);
    return row.line ? fmt::format("only {} {} used here", fields, use.used.size() == 1 ? "is" : "are")
                    : fmt::format("{} uses only {}", use.line, fields);
}

/// What a split cures.
std::string wasted(const StallRow& row, const WhyReport& report) {
    const StaySum& stays = row.stays[0];
    const double unused = stays.fills == 0 ? 0 : 1 - stays.utilization(report.machine.blockBytes());
    std::vector<std::string> words;
    if (!isNothing(unused, 1)) {
        words.push_back(fmt::format("{} of the bytes fetched into {} {} are never used", inPercent(unused, 1),
                                    report.machine.levelName(0), row.line ? "here" : "for " + row.array.name));
    }
    if (!row.array.used.empty() && row.array.used.size() < row.array.fields) words.push_back(usedInWords(row));
    return fmt::format("{}", fmt::join(words, ": "));
}

/// "98 % of the L1 misses of x are false sharing between CPUs".
std::string kindInWords(const MissColumn& leading, const StallRow& row, const WhyReport& report) {
    return fmt::format("{} of the {} misses {} are {}", inPercent(leading.shareOf(row), 1),
                       report.machine.levelName(leading.level), row.line ? "here" : "of " + row.array.name,
                       leading.kind == MissKind::falseSharing ? "false sharing between CPUs" : "conflicts in a set");
}

/// The conflict that longer rows cure where a fully associative cache would miss, too; empty if there is none.
std::string collided(const StallRow& row, const WhyReport& report) {
    const LayoutChange& change = mainChange(*row.cure);
    if (!row.savesAt || change.kind != Kind::spread || change.element == 0) return {};
    const LevelConfig& level = report.machine.levels[*row.savesAt];
    const std::uint64_t sets = setsInSteps(level, change.element);
    if (sets == level.sets()) return {};
    return fmt::format("columns of {} lie in {} of the {} sets of {}, as its rows have {} bytes", row.array.name,
                       grouped(sets), grouped(level.sets()), level.name, grouped(change.element));
}

/// The stride of a row; for a line, its stride in the array for which it loses most.
const StrideSummary& strideOf(const StallRow& row) {
    return row.line ? row.array.stride : row.stride;
}

/// How an array is walked that is better stored transposed.
std::string walkInWords(const StallRow& row) {
    const ArrayUse& use = row.array;
    if (use.isByColumns) return "walked down its columns";
    if (use.stride.stride != StrideClass::constant) return "not walked along its rows";
    const bool isOfAll = row.line || row.stride.bytes == use.stride.bytes;
    return fmt::format("walked in steps of {} bytes{}", use.stride.bytes, isOfAll ? "" : " by " + use.line);
}

/// What is wrong, and the figures; for a line, the figures of everything that it accesses.
std::string diagnosisOf(const StallRow& row, const WhyReport& report) {
    const Kind kind = mainChange(*row.cure).kind;
    const auto leading = leadingKind(row);
    std::string cause = leading                   ? kindInWords(*leading, row, report)
                        : kind == Kind::transpose ? fmt::format("{} is {}", row.array.name, walkInWords(row))
                        : kind == Kind::split     ? wasted(row, report)
                        : kind == Kind::reserve   ? row.array.name + " grows by copies"
                                                  : collided(row, report);
    if (cause.empty()) cause = row.array.name;
    if (row.savesAt) {
        cause += fmt::format("{} {}{}", kind == Kind::split ? "," : ":", missing(row, report), row.line ? " here" : "");
    }
    return leading && row.array.alternates ? cause + "; " + chunksInWords(row.array.name) : cause;
}

/// The share of the misses that remain.
std::string remaining(const StallRow& row) {
    if (!row.savesAt) return {};
    const auto left = static_cast<double>(row.missesThenAt(*row.savesAt));
    const auto within = static_cast<double>(row.missesThenWithin(*row.savesAt));
    const auto all = static_cast<double>(row.missesAt(*row.savesAt));
    return (within == 0 ? shareInWords(left, all) : estimated(left, within, all)) + " of them, ";
}

/// The layouts that were tried without a cure, with their effects.
std::string triedInWords(const StallRow& row, const WhyReport& report) {
    std::vector<std::string> tried;
    for (const Trial& trial : row.tried) {
        if (tried.size() == kMaxListed) break;
        std::string& words = tried.emplace_back();
        for (const LayoutChange& change : trial.changes) words += (words.empty() ? "" : " ") + asText(change);
        const auto saved = static_cast<double>(trial.cycles);
        if (trial.within > 0 || !isNothing(saved, static_cast<double>(report.lost)))
            words += " " + changeOf(trial, report);
    }
    if (row.tried.size() > tried.size()) tried.push_back(fmt::format("{} more", row.tried.size() - tried.size()));
    const bool isElsewhere = isGain(row.tried.front().cycles, report.lost);
    return fmt::format("no layout change {}; tried: {}",
                       isElsewhere ? "helps here, only elsewhere" : "saves " + leastGain(), joinNames(tried));
}

/// What makes the row stall that no layout changes.
std::vector<std::string> unavoidable(const StallRow& row, const WhyReport& report) {
    std::vector<std::string> out;
    if (row.hints.firstTouches.value_or(0) >= kWorthTelling) {
        out.push_back(
            fmt::format("{} of the stall cycles are first touches of memory", inPercent(*row.hints.firstTouches, 1)));
    }
    if (row.hints.prefetched.value_or(0) >= kWorthTelling) {
        out.push_back(fmt::format("a stride prefetcher in {} would hide {} of {}", report.machine.levelName(0),
                                  inPercent(*row.hints.prefetched, 1), out.empty() ? "the stall cycles" : "all"));
    }
    return out;
}

/// Whether there was nothing to try although it stalls: then what cannot be avoided is its advice.
bool isWithoutTrial(const StallRow& row, const WhyReport& report) {
    return !row.cure && !report.machine.levels.empty() && !leadingKind(row) && row.tried.empty() &&
           isGain(row.lost, report.lost);
}

/// Why there is no cure.
std::string withoutCure(const StallRow& row, const WhyReport& report) {
    if (report.machine.levels.empty()) return "no layout helps where there is no cache";
    if (const auto leading = leadingKind(row))
        return kindInWords(*leading, row, report) + ": " + chunksInWords(row.array.name);
    if (!row.tried.empty()) return triedInWords(row, report);
    if (!isGain(row.lost, report.lost)) return fmt::format("less than {}: no layout was tried", leastGain());
    std::vector<std::string> words = unavoidable(row, report);
    const StaySum& stays = row.stays[0];
    if (stays.fills > 0) {
        words.push_back(fmt::format("{} of the bytes fetched into {} are used",
                                    shareInWords(stays.utilization(report.machine.blockBytes()), 1),
                                    report.machine.levelName(0)));
    }
    words.emplace_back(row.array.hasName ? "there is no layout to try"
                                         : "no layout was tried: the memory has no name of its own");
    return fmt::format("{}", fmt::join(words, "; "));
}

/// The columns of misses: all kinds of the nearest level, and for each other level the kinds that a sentence names.
std::vector<MissColumn> missColumns(const std::vector<StallRow>& rows, const MachineConfig& machine) {
    std::vector<MissColumn> columns;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        columns.push_back({l, std::nullopt});
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            const MissColumn column{l, static_cast<MissKind>(k)};
            const bool isOfNearest = l == 0 && (machine.isCoherent() || !isBySharing(*column.kind));
            const auto isLeading = [&](const StallRow& row) { return leadingKind(row) == column; };
            if (isOfNearest || std::any_of(rows.begin(), rows.end(), isLeading)) columns.push_back(column);
        }
    }
    return columns;
}

/// "L1 misses"; "conflict", of the nearest level; "L2 conflict".
Column headed(const MissColumn& column, const MachineConfig& machine) {
    const std::string level = machine.levelName(column.level);
    if (!column.kind) return {level + "_misses", level + " misses"};
    const auto kind = static_cast<std::size_t>(*column.kind);
    return {fmt::format("{}_{}", level, kMissKindKeys[kind]),
            fmt::format("{}{}{}", column.level == 0 ? "" : level, column.level == 0 ? "" : " ", kMissKindWords[kind])};
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

namespace {

std::string hintOf(const LoopHint& loop) {
    const auto& [first, second] = loop.indices;
    const std::string loops =
        first.empty() ? "the loops around it" : fmt::format("the loops over {} and {}", first, second);
    return fmt::format("{} walks {} bytes a step: {} the other way round", loop.line,
                       grouped(static_cast<std::uint64_t>(std::llabs(loop.step))), loops);
}

std::string hintOf(const WorkingSetHint& set, const WhyReport& report) {
    const LevelConfig& level = report.machine.levels[set.level];
    const std::string blocks = set.fit == 0 ? "smaller blocks"
                                            : "blocks of " + counted(set.fit, set.areRows ? "row" : "element",
                                                                     set.areRows ? "rows" : "elements");
    return fmt::format("{} are fetched {:.0f} times into {}, which has {}: loops over {} would keep them there",
                       bytesInWords(set.bytes), set.times, level.name, bytesInWords(level.wayBytes() * level.ways),
                       blocks);
}

std::string hintOf(const FieldsHint& fields) {
    std::vector<std::string> names = fields.hot;
    if (names.size() > kMaxListed) {
        names.resize(kMaxListed);
        names.push_back(fmt::format("{} more", fields.hot.size() - kMaxListed));
    }
    return fmt::format(
        "{} of the accesses are to {}, {} of {} bytes of an element: the other fields in an array of their own",
        inPercent(fields.share, 1), joinNames(names), fields.bytes, fields.element);
}

}  // namespace

std::vector<std::string> hintsInWords(const StallRow& row, const WhyReport& report) {
    std::vector<std::string> out;
    const WhyHints& hints = row.hints;
    const auto isCuredBy = [&](Kind kind) {
        return row.cure && std::any_of(row.cure->changes.begin(), row.cure->changes.end(),
                                       [&](const LayoutChange& change) { return change.kind == kind; });
    };
    // Which order of the loops is best has then been found out.
    const bool areLoopsKnown = report.loopCure() != nullptr;
    if (hints.loop && !areLoopsKnown) out.push_back(hintOf(*hints.loop));
    if (hints.workingSet && !areLoopsKnown) out.push_back(hintOf(*hints.workingSet, report));
    if (hints.fields && !isCuredBy(Kind::split)) out.push_back(hintOf(*hints.fields));
    if (hints.growth) {
        out.push_back(fmt::format("it grows {} times, which copies {}: reserve its memory at once",
                                  hints.growth->blocks - 1, bytesInWords(hints.growth->copied)));
    }
    if (hints.nodes) {
        out.push_back(
            fmt::format("{} of the bytes fetched into {} are used: its blocks lie in the order of their making, "
                        "not of their walk",
                        inPercent(*hints.nodes, 1), report.machine.levelName(0)));
    }
    return out;
}

std::string apartInWords(const StallRow& row, const WhyReport& report) {
    if (isWithoutTrial(row, report)) return {};
    return fmt::format("{}", fmt::join(unavoidable(row, report), "; "));
}

std::string waitsInWords(const WhyReport& report) {
    const auto ofAll = [&](Cycles cycles) {
        return inPercent(static_cast<double>(cycles), static_cast<double>(report.waits.ofAll));
    };
    std::vector<std::string> waits;
    const auto add = [&](std::string_view where, Cycles cycles) {
        if (!isNothing(static_cast<double>(cycles), static_cast<double>(report.waits.ofAll)))
            waits.push_back(
                fmt::format("at {} for {} cycles, {} of all their cycles", where, grouped(cycles), ofAll(cycles)));
    };
    add("locks", report.waits.atLocks);
    add("barriers", report.waits.atBarriers);
    return waits.empty() ? std::string() : "CPUs wait " + joinNames(waits);
}

std::string trialsInWords(const WhyReport& report) {
    if (report.tried == 0) return "no other layout to try";
    const std::string tried = counted(report.tried, "other layout was", "other layouts were");
    if (report.played >= report.accesses) return tried + " tried by playing the trace with them";
    return fmt::format(
        "{} tried on a sample of {} of the {}: what they save is within the ± in 95 of 100 cases; --exact plays all",
        tried, grouped(report.played), counted(report.accesses, "access", "accesses"));
}

Table stallTable(std::string_view thing, const std::vector<StallRow>& rows, const WhyReport& report) {
    const MachineConfig& machine = report.machine;
    const bool isOfLines = !rows.empty() && rows.front().line.has_value();
    const std::vector<MissColumn> misses = missColumns(rows, machine);
    Table table{.name = fmt::format("{}s", thing),
                .title = fmt::format("The {}s that stall most", thing),
                .columns = {{std::string(thing), std::string(thing)},
                            {"lost", "cycles lost"},
                            {"lost_percent", "%"},
                            {"cycles", "cycles"},
                            {"accesses", "accesses"}},
                .rows = {}};
    for (const MissColumn& column : misses) table.columns.push_back(headed(column, machine));
    if (isOfLines) table.columns.push_back({"array", "mostly for"});
    table.columns.push_back({"stride", "stride"});
    const bool hasLevels = !machine.levels.empty();
    if (hasLevels) table.columns.push_back({"used_percent", machine.levelName(0) + " used %"});
    for (const StallRow& row : rows) {
        std::vector<Cell> cells{row.name, row.lost, 100 * perAccess(row.lost, report.lost), row.cycles, row.accesses};
        for (const MissColumn& column : misses) cells.emplace_back(column.of(row));
        if (isOfLines) cells.push_back(row.array.name.empty() ? Cell{} : Cell{row.array.name});
        cells.emplace_back(strideInWords(strideOf(row)));
        if (hasLevels) cells.emplace_back();
        if (hasLevels && row.stays[0].fills > 0) cells.back() = 100 * row.stays[0].utilization(machine.blockBytes());
        table.rows.push_back(std::move(cells));
    }
    return table;
}

namespace {

std::string whyAsText(const WhyReport& report) {
    std::string out = fmt::format(
        "{} on {}: {} lost, of {} of {}\n", report.trace, machineCalled(report.machine.name, report.settings),
        counted(report.lost, "stall cycle", "stall cycles"), counted(report.cycles, "cycle", "cycles"),
        counted(report.accesses, "access", "accesses"));
    const auto add = [&](std::string_view thing, const std::vector<StallRow>& rows) {
        if (rows.empty()) return;
        out += '\n' + tableAsText(stallTable(thing, rows, report), rows.size()) + '\n';
        for (const StallRow& row : rows) {
            if (!isGain(row.lost, report.lost)) continue;
            // The diagnosis of an array has its name.
            if (row.line || !row.cure) out += row.name + ": ";
            out += adviceFor(row, report) + '\n';
            for (const std::string& hint : hintsInWords(row, report)) out += "  hint: " + hint + '\n';
            if (const std::string apart = apartInWords(row, report); !apart.empty())
                out += "  unchanged by any layout: " + apart + '\n';
        }
    };
    add("line", report.lines);
    add("array", report.arrays);
    if (const std::string loops = loopsInWords(report); !loops.empty()) out += "\n" + loops + '\n';
    if (const std::string waits = waitsInWords(report); !waits.empty()) {
        out += "\n" + waits + ": whorl stats --costs shows which CPUs.\n";
    }
    if (report.lines.empty() && report.arrays.empty()) return out + "Nothing stalls.\n";
    out += fmt::format("\n{}{}.\n", report.tried == 0 ? "There was " : "", trialsInWords(report));
    if (const std::string tried = loopTrialsInWords(report); !tried.empty()) out += tried + ".\n";
    const bool isLong = report.accesses > kLongRecording;
    const std::string part = isLong ? partToRecord(report.busiest) : std::string();
    return part.empty() ? out : out + part + ".\n";
}

/// A trial, with what is known of it by a sample.
JsonValue triedAsJson(const Trial& trial) {
    JsonValue json = trialAsJson(trial);
    if (trial.within == 0) return json;
    json["saved_elapsed"] = JsonValue();
    json["saved_cycles_within"] = trial.within;
    return json;
}

JsonValue strideAsJson(const StrideSummary& stride) {
    return JsonObject{{"class", wordFor(stride.stride)},
                      {"bytes", stride.stride == StrideClass::constant ? JsonValue(stride.bytes) : JsonValue()},
                      {"steps", stride.steps},
                      {"share", stride.share()}};
}

JsonValue arrayAsJson(const ArrayUse& use) {
    return JsonObject{{"name", use.name},
                      {"accesses", use.accesses},
                      {"lost", use.lost},
                      {"stride", strideAsJson(use.stride)},
                      {"spanning", use.spanning},
                      {"has_name", use.hasName},
                      {"fields", use.fields},
                      {"used", use.used},
                      {"alternates", use.alternates},
                      {"line", use.line}};
}

JsonValue levelAsJson(const StallRow& row, std::size_t level, const WhyReport& report) {
    JsonObject json{{"misses", row.missesAt(level)}};
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        json.emplace_back(std::string(kMissKindKeys[k]), row.misses[level][k]);
    }
    const StaySum& stays = row.stays[level];
    json.emplace_back("fills", stays.fills);
    json.emplace_back("used_bytes", stays.usedBytes);
    JsonValue& share = json.emplace_back("used_share", JsonValue()).second;
    if (stays.fills > 0) share = stays.utilization(report.machine.levels[level].block);
    return json;
}

JsonValue stallAsJson(const StallRow& row, const WhyReport& report) {
    JsonObject levels;
    for (std::size_t l = 0; l < row.misses.size(); ++l) {
        levels.emplace_back(report.machine.levels[l].name, levelAsJson(row, l, report));
    }
    JsonValue then;
    if (row.cure) then = JsonObject();
    JsonValue within = then;
    for (std::size_t l = 0; row.cure && l < row.missesThen.size(); ++l) {
        then[report.machine.levels[l].name] = row.missesThenAt(l);
        within[report.machine.levels[l].name] = row.missesThenWithin(l);
    }
    return JsonObject{{"name", row.name},
                      {"accesses", row.accesses},
                      {"cycles", row.cycles},
                      {"lost", row.lost},
                      {"levels", std::move(levels)},
                      {"stride", strideAsJson(row.stride)},
                      {"array", arrayAsJson(row.array)},
                      {"tried", jsonArrayOf(row.tried, triedAsJson)},
                      {"cure", row.cure ? triedAsJson(*row.cure) : JsonValue()},
                      {"cured_level", row.savesAt ? JsonValue(report.machine.levelName(*row.savesAt)) : JsonValue()},
                      {"misses_then", std::move(then)},
                      {"misses_then_within", std::move(within)},
                      {"advice", adviceFor(row, report)},
                      {"hints", hintsInWords(row, report)},
                      {"first_touches", row.hints.firstTouches ? JsonValue(*row.hints.firstTouches) : JsonValue()},
                      {"prefetched", row.hints.prefetched ? JsonValue(*row.hints.prefetched) : JsonValue()}};
}

JsonObject whyAsJson(const WhyReport& report) {
    const auto asJson = [&](const StallRow& row) { return stallAsJson(row, report); };
    const auto loopAsJson = [&](const LoopTrial& trial) { return loopTrialAsJson(trial, report); };
    const LoopTrial* const cure = report.loopCure();
    return JsonObject{{"trace", report.trace},
                      {"machine", report.machine.name},
                      {"accesses", report.accesses},
                      {"cycles", report.cycles},
                      {"lost", report.lost},
                      {"tried", report.tried},
                      {"played", report.played},
                      {"lock_cycles", report.waits.atLocks},
                      {"barrier_cycles", report.waits.atBarriers},
                      {"lines", jsonArrayOf(report.lines, asJson)},
                      {"arrays", jsonArrayOf(report.arrays, asJson)},
                      {"loops", jsonArrayOf(report.loops, loopAsJson)},
                      {"loop_cure", cure == nullptr ? JsonValue() : loopAsJson(*cure)}};
}

}  // namespace

namespace {

/// Lines, then arrays: what they are is the first column, and what the advice says the last.
Table whyAsTable(const WhyReport& report) {
    std::vector<StallRow> rows = report.lines;
    rows.insert(rows.end(), report.arrays.begin(), report.arrays.end());
    Table table = stallTable("name", rows, report);
    table.columns.insert(table.columns.begin(), {"by", {}});
    table.columns.push_back({"advice", {}});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::vector<Cell>& cells = table.rows[r];
        cells.emplace_back(r < report.lines.size() ? "line" : "array");
        std::rotate(cells.begin(), cells.end() - 1, cells.end());
        cells.emplace_back(adviceFor(rows[r], report));
    }
    return table;
}

/// "mm.c:12:5: ", at the first character of the line that is not blank, by the names of lines.
std::unordered_map<std::string, std::string> placesOf(const Trace& trace) {
    std::unordered_map<std::string, std::string> places;
    for (const Site& site : trace.sites()) {
        if (site.line == 0) continue;
        const SourceText& text = trace.files()[site.file].lines;
        std::size_t column = 0;
        if (site.line <= text.size()) column = text[site.line - 1].find_first_not_of(" \t");
        std::string name = siteName(trace, site);
        std::string place = fmt::format("{}:{}: ", name, column == std::string_view::npos ? 1 : column + 1);
        places.emplace(std::move(name), std::move(place));
    }
    return places;
}

/// A line for each sentence about a row that loses enough, in the form of a compiler's notes. A row without a source
/// line has no place.
std::string whyAsNotes(const WhyReport& report, const Trace& trace) {
    const auto places = placesOf(trace);
    std::string out;
    const auto add = [&](const std::vector<StallRow>& rows) {
        for (const StallRow& row : rows) {
            if (!isGain(row.lost, report.lost)) continue;
            const auto found = places.find(row.line ? row.name : row.array.line);
            const std::string place = found == places.end() ? std::string() : found->second;
            // The diagnosis of an array has its name.
            const bool isNamed = row.line ? !place.empty() : row.cure.has_value();
            const std::string share =
                fmt::format("{:.0f} % of the stall cycles", 100 * perAccess(row.lost, report.lost));
            // The advice for a line is about the array for which it loses most.
            const auto isOfRow = [&](const StallRow& line) { return line.array.name == row.name; };
            if (row.line || std::ranges::none_of(report.lines, isOfRow)) {
                out += fmt::format("{}note: {}{} ({})\n", place, isNamed ? "" : row.name + ": ", adviceFor(row, report),
                                   share);
            }
            for (const std::string& hint : hintsInWords(row, report)) {
                out += fmt::format("{}note: hint: {}\n", place, hint);
            }
        }
    };
    add(report.lines);
    add(report.arrays);
    return out;
}

}  // namespace

std::string orderInWords(const WhyReport& report, const OrderNote& order) {
    return orderInWords(order, "stall cycles are lost", report.lost, &SharingCosts::stalls);
}

Document whyDocument(WhyReport report, std::shared_ptr<const Trace> trace, const std::optional<OrderNote>& order) {
    const auto found = std::make_shared<const WhyReport>(std::move(report));
    return {.text =
                [=](std::size_t) {
                    const std::string text = whyAsText(*found);
                    return order ? fmt::format("{}\n{}\n", text, orderInWords(*found, *order)) : text;
                },
            .json =
                [=] {
                    JsonObject json = whyAsJson(*found);
                    if (order) json.emplace_back("order", orderAsJson(*order));
                    return json;
                },
            .csv = [=] { return whyAsTable(*found); },
            .notes = [found, trace = std::move(trace)] { return whyAsNotes(*found, *trace); }};
}

}  // namespace whorl::sim
