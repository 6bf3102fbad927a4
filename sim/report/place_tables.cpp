#include "sim/report/place_tables.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

bool isOfCache(const PlaceHistory& history) {
    return history.place.kind == Place::Kind::cache;
}

/// "yes", or nothing.
Cell mark(bool is) {
    return is ? Cell{std::string("yes")} : Cell{};
}

std::string hexOf(std::uint64_t address) {
    return fmt::format("{:#x}", address);
}

}  // namespace

Table placeAccessTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    const bool ofCache = isOfCache(history);
    const bool hasTlb = machine.tlb.entries > 0;
    Table table{.name = "accesses", .title = {}, .columns = {{"tick", "tick"}}, .rows = {}};
    table.columns.push_back({"cpu", machine.cpus > 1 ? "CPU" : ""});
    for (const char* const key : {"line", "address", "place"}) table.columns.push_back({key, key});
    table.columns.push_back({"op", "R/W"});
    table.columns.push_back({"size", "size"});
    if (ofCache) table.columns.insert(table.columns.end(), {{"block", {}}, {"result", "result"}, {"demand", {}}});
    table.columns.push_back({"served_by", "served by"});
    table.columns.push_back({"penalty", "penalty"});
    if (hasTlb) table.columns.push_back({"tlb_miss", "TLB miss"});
    if (machine.memory.isBounded()) table.columns.push_back({"page_fault", "page fault"});
    table.rows.reserve(history.accesses.size());
    for (const PlaceAccess& a : history.accesses) {
        const ByteAddress byte = namingByte(history, a);
        std::vector<Cell> cells{
            a.tick.value,           std::uint64_t{a.cpu},        siteName(trace, trace.site(a.site)),
            hexOf(a.address.value), trace.placeOf(byte, a.tick), std::string(a.write ? "W" : "R"),
            std::uint64_t{a.size}};
        if (ofCache) {
            cells.emplace_back(hexOf(a.block.value * history.blockBytes));
            cells.emplace_back(std::string(a.hit ? "hit" : a.demand ? "miss" : "brought"));
            cells.push_back(mark(a.demand));
        }
        cells.emplace_back(machine.levelName(a.served));
        cells.emplace_back(a.penalty);
        if (hasTlb) cells.push_back(mark(a.tlbMiss));
        if (machine.memory.isBounded()) cells.push_back(mark(a.pageFault));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table placeRowTable(std::string_view thing, const std::vector<PlaceRow>& rows, const MachineConfig& machine,
                    bool ofCache) {
    const std::string count = ofCache ? "requests" : "accesses";
    Table table{.name = fmt::format("{}s", thing),
                .title = fmt::format("By {}", thing),
                .columns = {{std::string(thing), std::string(thing)},
                            {"first", "first"},
                            {"last", "last"},
                            {count, count},
                            {"writes", "writes"}},
                .rows = {}};
    for (std::size_t l = 0; l <= machine.levels.size(); ++l) {
        table.columns.push_back({"served_by_" + machine.levelName(l), machine.levelName(l)});
    }
    table.columns.push_back({"penalty", "penalty"});
    for (const PlaceRow& row : rows) {
        std::vector<Cell> cells{row.name, row.first.value, row.last.value, row.accesses, row.writes};
        for (const std::uint64_t n : row.served) cells.emplace_back(n);
        cells.emplace_back(row.penalty);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table placeNameTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    return placeRowTable("name", rowsByName(history, trace), machine, isOfCache(history));
}

Table placeLineTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    return placeRowTable("line", rowsByLine(history, trace), machine, isOfCache(history));
}

Table placeStayTable(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    Table table{
        .name = "stays",
        .title = "Blocks that lived there",
        .columns = {{"level", {}}, {"cache", {}}, {"block", "block"}, {"place", "place"}, {"in", "in"}, {"out", "out"}},
        .rows = {}};
    for (const PlaceStay& s : history.stays) {
        const ByteAddress base{s.block.value * machine.levels[s.level].block};
        const Tick then = s.in == Stay::kNever ? history.range.from : s.in;
        std::vector<Cell> cells{machine.levels[s.level].name, std::uint64_t{s.cache}, hexOf(base.value),
                                trace.placeOf(base, then)};
        for (const Tick t : {s.in, s.out}) cells.push_back(t == Stay::kNever ? Cell{} : Cell{t.value});
        table.rows.push_back(std::move(cells));
    }
    return table;
}

namespace {

std::string placeHistoryAsText(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine,
                               std::size_t top) {
    const bool ofCache = isOfCache(history);
    const std::uint64_t all = history.accesses.size() + history.leftOut;
    std::string out = fmt::format("{}: {}\n", nameOf(history.place, trace, machine),
                                  ofCache ? counted(all, "request", "requests") : counted(all, "access", "accesses"));
    if (history.leftOut > 0) {
        out +=
            fmt::format("The last {} are left out: choose a range with --from and --to.\n", grouped(history.leftOut));
    }
    if (all == 0) return out;
    out += '\n' + tableAsText(placeAccessTable(history, trace, machine), top);
    out += '\n' + tableAsText(placeNameTable(history, trace, machine), top);
    out += '\n' + tableAsText(placeLineTable(history, trace, machine), top);
    if (ofCache) out += '\n' + tableAsText(placeStayTable(history, trace, machine), top);
    return out;
}

JsonValue placeHistoryAsJson(const PlaceHistory& history, const Trace& trace, const MachineConfig& machine) {
    JsonObject json{{"place", nameOf(history.place, trace, machine)},
                    {"from", history.range.from.value},
                    {"to", history.range.to.value}};
    for (Table& table : std::array{placeAccessTable(history, trace, machine), placeNameTable(history, trace, machine),
                                   placeLineTable(history, trace, machine), placeStayTable(history, trace, machine)}) {
        json.emplace_back(table.name, std::move(table));
    }
    json.emplace_back("left_out", history.leftOut);
    json.emplace_back("stays_left_out", history.staysLeftOut);
    return json;
}

}  // namespace

Document placeDocument(const std::shared_ptr<const PlaceHistory>& history, const std::shared_ptr<const Run>& run) {
    return {.text = [=](std::size_t top) { return placeHistoryAsText(*history, run->trace(), run->machine(), top); },
            .json = [=] { return placeHistoryAsJson(*history, run->trace(), run->machine()); },
            .csv = [=] { return placeAccessTable(*history, run->trace(), run->machine()); }};
}

}  // namespace whorl::sim
