#include "sim/report/sharing_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "sim/trace/source_lines.h"

namespace whorl::sim {

namespace {

constexpr std::array<std::string_view, 3> kCauseWords = {"false sharing", "true sharing", "not missed"};
constexpr std::array<std::string_view, 3> kCauseKeys = {"false_sharing", "true_sharing", "no_miss"};

Table emptyTable() {
    return {.name = "by_block",
            .title = "Blocks that CPUs invalidate for each other, and what is accessed in them",
            .columns = {{"level", "level"},
                        {"block", "block"},
                        {"offset", "offset"},
                        {"bytes", "bytes"},
                        {"place", "place"},
                        {"cpus", "CPUs"},
                        {"reads", "reads"},
                        {"writes", "writes"},
                        {"invalidations", "invalidated"},
                        {"false_sharing", "false misses"},
                        {"true_sharing", "true misses"},
                        {"lost", "cycles lost"},
                        {"kind", "kind"},
                        {"lines", "lines"},
                        {"cure", ""},
                        {"saved_cycles", ""},
                        {"saved_elapsed", ""}},
            .rows = {},
            .ranked = false};
}

/// Joins the words, each once, in this order.
template <class Word>
std::string joined(const std::vector<Word>& words, std::string_view between) {
    std::vector<Word> out;
    std::set<Word> seen;
    for (const Word& word : words) {
        if (seen.insert(word).second) out.push_back(word);
    }
    return fmt::format("{}", fmt::join(out, between));
}

/// The names of the lines, as far as they are known.
std::string namesOf(const std::vector<FieldLine>& lines, const Trace& trace) {
    std::vector<std::string> names;
    names.reserve(lines.size());
    for (const FieldLine& line : lines) {
        const Site& site = trace.site(line.site);
        if (isNamed(site)) names.push_back(siteName(trace, site));
    }
    return joined(names, ", ");
}

/// What accesses did in a block or at an offset.
struct PlaceSums {
    std::string place;
    std::set<std::uint32_t> cpus;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;

    void add(const SharedField& field) {
        for (const FieldUse& use : field.uses) cpus.insert(use.cpu);
        reads += field.reads();
        writes += field.writes();
    }
};

/// The cells that rows of blocks and of offsets have in common; `of` has the counts.
template <class Of>
std::vector<Cell> cellsOf(const SharingReport& report, const SharingRow& about, const PlaceSums& sums, const Of& of,
                          const Trace& trace) {
    const SharedBlock& block = report.blocks[about.block];
    const std::uint64_t size = report.blockSizes[block.level];
    return {report.levels[block.level],
            fmt::format("{:#x}", block.block.value * size),
            Cell(),
            size,
            sums.place,
            fmt::format("{}", fmt::join(sums.cpus, " ")),
            sums.reads,
            sums.writes,
            of.invalidations,
            of.falseMisses,
            of.trueMisses,
            of.lost,
            std::string(wordsFor(causeOf(of.trueMisses, of.falseMisses))),
            namesOf(linesOf(report, about), trace),
            Cell(),
            Cell(),
            Cell()};
}

Cell& at(std::vector<Cell>& row, SharingColumn column) {
    return row[static_cast<std::size_t>(column)];
}

std::vector<Cell> rowOf(const SharingReport& report, std::size_t b, const SharingGroup& group, const Trace& trace) {
    const SharedBlock& block = report.blocks[b];
    PlaceSums sums;
    std::vector<std::string> places;
    for (const SharedField& field : block.fields) {
        sums.add(field);
        places.push_back(report.things[field.thing].name);
    }
    sums.place = joined(places, ", ");
    std::vector<Cell> row = cellsOf(report, {.block = b, .field = {}}, sums, block, trace);
    if (group.cures.empty()) return row;
    const Trial& cure = group.cures.front();
    std::vector<std::string> specs;
    for (const LayoutChange& change : cure.changes) specs.push_back(asText(change));
    at(row, SharingColumn::cure) = fmt::format("{}", fmt::join(specs, " "));
    // A cure costs cycles of neither kind, so no saving is negative.
    at(row, SharingColumn::savedCycles) = static_cast<std::uint64_t>(cure.cycles);
    at(row, SharingColumn::savedElapsed) = static_cast<std::uint64_t>(cure.elapsed);
    return row;
}

std::vector<Cell> rowOf(const SharingReport& report, std::size_t b, std::size_t f, const Trace& trace) {
    const SharedBlock& block = report.blocks[b];
    const SharedField& field = block.fields[f];
    PlaceSums sums{.place = field.place, .cpus = {}};
    sums.add(field);
    std::vector<Cell> row = cellsOf(report, {.block = b, .field = f}, sums, field, trace);
    at(row, SharingColumn::offset) = offsetOf(field, block, report);
    at(row, SharingColumn::bytes) = field.size;
    return row;
}

/// The indices of blocks, or of fields, the largest loss first.
template <class Of>
std::vector<std::size_t> costliestFirst(const std::vector<Of>& things) {
    std::vector<std::size_t> order(things.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto rank = [](const Of& of) {
            return std::tuple(of.lost, of.trueMisses + of.falseMisses, of.invalidations);
        };
        return rank(things[a]) > rank(things[b]);
    });
    return order;
}

}  // namespace

std::string_view wordsFor(SharingCause cause) {
    return kCauseWords[static_cast<std::size_t>(cause)];
}

std::string_view keyFor(SharingCause cause) {
    return kCauseKeys[static_cast<std::size_t>(cause)];
}

std::vector<std::size_t> groupsOfBlocks(const SharingReport& report) {
    std::vector<std::size_t> out(report.blocks.size());
    for (std::size_t g = 0; g < report.groups.size(); ++g) {
        for (const std::size_t b : report.groups[g].blocks) out[b] = g;
    }
    return out;
}

std::uint64_t offsetOf(const SharedField& field, const SharedBlock& block, const SharingReport& report) {
    const std::uint64_t begin = block.block.value * report.blockSizes[block.level];
    return std::max(field.address.value, begin) - begin;
}

std::vector<FieldLine> linesOf(const SharingReport& report, const SharingRow& row) {
    const SharedBlock& block = report.blocks[row.block];
    if (row.field) return block.fields[*row.field].lines;
    std::map<SiteId, FieldLine> sums;
    for (const SharedField& field : block.fields) {
        for (const FieldLine& line : field.lines) {
            FieldLine& sum = sums.try_emplace(line.site, FieldLine{.site = line.site}).first->second;
            sum.reads += line.reads;
            sum.writes += line.writes;
            sum.lost += line.lost;
        }
    }
    std::vector<FieldLine> out;
    out.reserve(sums.size());
    for (const auto& [site, line] : sums) out.push_back(line);
    rankLines(out);
    return out;
}

SharingTable sharingTable(const SharingReport& report, const Trace& trace) {
    SharingTable out{.table = emptyTable(), .rows = {}};
    const std::vector<std::size_t> groupOf = groupsOfBlocks(report);
    for (const std::size_t b : costliestFirst(report.blocks)) {
        const SharedBlock& block = report.blocks[b];
        out.rows.push_back({.block = b, .field = std::nullopt});
        out.table.rows.push_back(rowOf(report, b, report.groups[groupOf[b]], trace));
        for (const std::size_t f : costliestFirst(block.fields)) {
            out.rows.push_back({.block = b, .field = f});
            out.table.rows.push_back(rowOf(report, b, f, trace));
        }
    }
    return out;
}

std::string sharingTableAsText(const SharingTable& table, std::size_t top) {
    Table shown = table.table;
    shown.rows.clear();
    std::size_t blocks = 0;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        if (!table.rows[r].field) ++blocks;
        if (blocks > top) continue;
        shown.rows.push_back(table.table.rows[r]);
        if (!table.rows[r].field) continue;
        // The level and the block are those of the row of the block above.
        at(shown.rows.back(), SharingColumn::level) = at(shown.rows.back(), SharingColumn::block) = std::string();
    }
    return tableAsText(shown, top) +
           (blocks > top ? fmt::format("… and {} that cost less\n", counted(blocks - top, "block", "blocks")) : "");
}

}  // namespace whorl::sim
