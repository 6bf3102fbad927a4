#include "sim/analysis/what_if.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "sim/replay/measuring.h"
#include "sim/report/report.h"
#include "sim/report/report_rows.h"

namespace whorl::sim {

namespace {

using Json = nlohmann::ordered_json;

/// One of the two.
struct Played {
    const Trace* trace = nullptr;
    Figures figures;
    std::optional<Cycles> elapsed;
};

Expected<Played> played(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Progress& progress) {
    auto figures = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, true, progress);
    if (!figures) return tl::unexpected(figures.error());
    Played out{.trace = trace.get(), .figures = *std::move(figures), .elapsed = {}};
    if (!trace->timing().empty()) out.elapsed = out.figures.elapsed;
    return out;
}

std::uint64_t tlbMissesOf(const Figures& figures) {
    const auto& misses = figures.counters.tlbMisses;
    return std::accumulate(misses.begin(), misses.end(), std::uint64_t{0});
}

void addLevel(std::vector<Difference>& out, const Figures& before, const Figures& after, std::size_t l) {
    const MachineConfig& machine = before.machine;
    const std::string& name = machine.levels[l].name;
    const auto kindOf = [&](const Figures& figures, MissKind kind) { return figures.ledger->misses(machine, l, kind); };
    const auto sharingOf = [&](const Figures& figures) {
        return kindOf(figures, MissKind::trueSharing) + kindOf(figures, MissKind::falseSharing);
    };
    out.push_back({.key = name + "_misses",
                   .words = name + " misses",
                   .before = before.counters.level(l).misses(),
                   .after = after.counters.level(l).misses()});
    for (std::size_t k = 0; k < kMissKinds; ++k) {
        const auto kind = static_cast<MissKind>(k);
        if (!isPossible(kind, machine)) continue;
        out.push_back({.key = fmt::format("{}_{}", name, kMissKindKeys[k]),
                       .words = fmt::format("  {}", kMissKindWords[k]),
                       .before = kindOf(before, kind),
                       .after = kindOf(after, kind)});
    }
    if (!isPossible(MissKind::trueSharing, machine)) return;
    out.push_back({.key = name + "_coherence",
                   .words = "  sharing, true and false",
                   .before = sharingOf(before),
                   .after = sharingOf(after)});
}

std::vector<Difference> figuresOf(const Played& before, const Played& after) {
    const Figures& was = before.figures;
    const Figures& is = after.figures;
    std::vector<Difference> out;
    out.push_back({.key = "cycles", .words = "cycles waited", .before = cyclesOf(was), .after = cyclesOf(is)});
    if (before.elapsed && after.elapsed) {
        out.push_back(
            {.key = "elapsed", .words = "cycles elapsed", .before = *before.elapsed, .after = *after.elapsed});
    }
    for (std::size_t l = 0; l < was.machine.levels.size(); ++l) addLevel(out, was, is, l);
    const MemoryCounters& memory = was.counters.memory;
    const MemoryCounters& memoryAfter = is.counters.memory;
    out.push_back({.key = "memory_reads",
                   .words = "blocks read from memory",
                   .before = memory.reads,
                   .after = memoryAfter.reads});
    out.push_back({.key = "memory_writes",
                   .words = "blocks written to memory",
                   .before = memory.writes,
                   .after = memoryAfter.writes});
    if (!was.counters.tlbMisses.empty()) {
        out.push_back(
            {.key = "tlb_misses", .words = "TLB misses", .before = tlbMissesOf(was), .after = tlbMissesOf(is)});
    }
    return out;
}

std::uint64_t distance(const Difference& d) {
    return std::max(d.before, d.after) - std::min(d.before, d.after);
}

/// Cycles by name, where they changed. `nameOf` tells what a row of the tables goes by; empty: nothing.
template <class NameOf>
std::vector<Difference> ranked(const TallyTable& before, const TallyTable& after, NameOf&& nameOf) {
    std::map<std::string, Difference> byName;
    for (std::size_t row = 0; row < before.rows(); ++row) {
        const std::string name = nameOf(row);
        if (name.empty()) continue;
        Difference& d = byName[name];
        d.before += before.cycles(row);
        d.after += after.cycles(row);
    }
    std::vector<Difference> out;
    for (auto& [name, d] : byName) {
        if (d.before == d.after) continue;
        d.key = d.words = name;
        out.push_back(std::move(d));
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return distance(a) > distance(b); });
    return out;
}

/// "1 234", "-1 234".
std::string savedOf(const Difference& d) {
    return (d.after > d.before ? "-" : "") + grouped(distance(d));
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

Json asJson(const Difference& d) {
    const auto share = d.savedShare();
    return {{"before", d.before},
            {"after", d.after},
            {"saved", static_cast<std::int64_t>(d.before) - static_cast<std::int64_t>(d.after)},
            {"saved_percent", share ? Json(100 * *share) : Json(nullptr)}};
}

Json asJson(const std::vector<Difference>& things) {
    Json out = Json::array();
    for (const Difference& d : things) {
        Json row = {{"name", d.key}};
        row.update(asJson(d));
        out.push_back(std::move(row));
    }
    return out;
}

}  // namespace

Expected<WhatIf> whatIf(const std::shared_ptr<const Trace>& before, const std::shared_ptr<const Trace>& after,
                        const MachineConfig& machine, Progress& progress) {
    const auto was = played(before, machine, progress);
    if (!was) return tl::unexpected(was.error());
    const auto is = played(after, machine, progress);
    if (!is) return tl::unexpected(is.error());
    WhatIf out{.trace = after->name(), .machine = was->figures.machine.name, .changes = {}, .figures = {}};
    for (const LayoutChange& change : after->changes()) out.changes.push_back(asText(change));
    out.figures = figuresOf(*was, *is);
    const Ledger& books = *was->figures.ledger;
    const Ledger& booksAfter = *is->figures.ledger;
    const auto& regions = before->regions();
    const auto& objects = before->objects();
    out.regions = ranked(books.regions, booksAfter.regions, [&](std::size_t row) {
        return row < regions.size() ? regions[row].name : std::string("(no region)");
    });
    if (objects.empty()) return out;
    out.objects = ranked(books.objects, booksAfter.objects, [&](std::size_t row) {
        return row < objects.size() ? objects[row].name : std::string("(no object)");
    });
    out.classes = ranked(books.objects, booksAfter.objects, [&](std::size_t row) {
        return row < objects.size() ? objects[row].className : std::string();
    });
    return out;
}

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

std::string whatIfAsJson(const WhatIf& whatIf) {
    Json figures = Json::object();
    for (const Difference& d : whatIf.figures) figures[d.key] = asJson(d);
    const Json json = {{"trace", whatIf.trace},
                       {"machine", whatIf.machine},
                       {"changes", whatIf.changes},
                       {"figures", std::move(figures)},
                       {"regions", asJson(whatIf.regions)},
                       {"objects", asJson(whatIf.objects)},
                       {"classes", asJson(whatIf.classes)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace whorl::sim
