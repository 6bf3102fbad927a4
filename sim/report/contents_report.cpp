#include "sim/report/contents_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/text.h"
#include "sim/replay/totals/ledger.h"
#include "sim/report/json.h"

namespace whorl::sim {

namespace {

std::vector<Cell> rowOfWay(const ContentsQuery& query, const Contents& contents, SetIndex set, std::size_t way,
                           const WayContents& of) {
    std::vector<Cell> row{std::uint64_t{set.value}, std::uint64_t{way}, std::uint64_t{of.valid},
                          std::uint64_t{of.dirty}};
    if (of.valid) {
        const ByteAddress base = contents.addressOf(of.block);
        row.insert(row.end(),
                   {fmt::format("{:#x}", contents.tagOf(of.block)), fmt::format("{:#x}", base.value),
                    query.trace->placeOf(namedByteOf(contents, *query.trace, of.block), Tick{query.now->played()})});
    } else {
        row.resize(row.size() + 3);
    }
    row.push_back(of.valid && contents.hasOrder() ? Cell(std::uint64_t{of.rank}) : Cell());
    row.push_back(of.kept ? Cell(std::uint64_t{*of.kept}) : Cell());
    row.push_back(of.state != 0 ? Cell(std::string(1, of.state)) : Cell());
    return row;
}

bool isInUse(const std::vector<WayContents>& set) {
    return std::any_of(set.begin(), set.end(), [](const WayContents& way) { return way.valid; });
}

std::string storeAsText(const ContentsQuery& query, const Store& store) {
    const Contents contents(query.now->hierarchy(), store);
    const Table table = contentsTable(query, store, true);
    std::string text = fmt::format("{}: {}", nameOf(store, query.now->machine()), shapeInWords(contents));
    const std::uint64_t shown = table.rows.size() / contents.ways();
    const bool isMemory = store.kind == Store::Kind::pages;
    const std::uint64_t empty = isMemory ? contents.ways() - table.rows.size() : contents.sets() - shown;
    if (empty > 0) {
        text += isMemory ? fmt::format("; {} free", counted(empty, "frame is", "frames are"))
                         : fmt::format("; {} empty", counted(empty, "set is", "sets are"));
    }
    text += '\n';
    if (!table.rows.empty()) text += tableAsText(table, table.rows.size());
    if (!contents.hasOrder() || table.rows.empty()) return text;
    return text + fmt::format("order: {}\n", rowOf(contents.policy()).ranks);
}

std::string contentsAsText(const ContentsQuery& query) {
    std::string text = fmt::format("{} on {}, after {}\n", query.trace->name(), query.now->machine().name,
                                   counted(query.now->played(), "access", "accesses"));
    for (const Store& store : query.stores) text += '\n' + storeAsText(query, store);
    return text;
}

JsonValue contentsAsJson(const ContentsQuery& query) {
    const auto storeAsJson = [&](const Store& store) {
        const Contents contents(query.now->hierarchy(), store);
        constexpr std::string_view kKinds[] = {"cache", "tlb", "memory"};
        return JsonObject{{"name", nameOf(store, query.now->machine())},
                          {"kind", kKinds[static_cast<std::size_t>(store.kind)]},
                          {"sets", contents.sets()},
                          {"ways", contents.ways()},
                          {"block", contents.block()},
                          {"policy", rowOf(contents.policy()).word},
                          {"contents", contentsTable(query, store)}};
    };
    return JsonObject{{"at", query.now->played()}, {"stores", jsonArrayOf(query.stores, storeAsJson)}};
}

Table contentsAsCsv(const ContentsQuery& query) {
    Table all;
    for (const Store& store : query.stores) {
        Table table = contentsTable(query, store);
        if (all.columns.empty()) {
            all = {.name = "contents", .title = {}, .columns = {{"store", "store"}}, .rows = {}, .ranked = false};
            all.columns.insert(all.columns.end(), table.columns.begin(), table.columns.end());
        }
        for (std::vector<Cell>& row : table.rows) {
            row.insert(row.begin(), nameOf(store, query.now->machine()));
            all.rows.push_back(std::move(row));
        }
    }
    return all;
}

}  // namespace

Table contentsTable(const ContentsQuery& query, const Store& store, bool inUse) {
    const Contents contents(query.now->hierarchy(), store);
    const bool isMemory = store.kind == Store::Kind::pages;
    const bool hasStates = store.kind == Store::Kind::cache && query.now->machine().isCoherent(store.level);
    Table table{.name = "contents",
                .title = {},
                .columns = {{"set", isMemory ? "" : "set"},
                            {"way", isMemory ? "frame" : "way"},
                            {"valid", "V"},
                            {"dirty", "D"},
                            {"tag", "tag"},
                            {"address", "address"},
                            {"block", store.kind == Store::Kind::cache ? "block" : "page"},
                            {"order", contents.hasOrder() ? "order" : ""},
                            {"policy_state", std::string(rowOf(contents.policy()).kept)},
                            {"state", hasStates ? "state" : ""}},
                .rows = {},
                .ranked = false};
    for (std::uint32_t s = 0; s < contents.sets(); ++s) {
        const std::vector<WayContents> ways = contents.set(SetIndex{s});
        if (inUse && !isInUse(ways)) continue;
        for (std::size_t w = 0; w < ways.size(); ++w) {
            table.rows.push_back(rowOfWay(query, contents, SetIndex{s}, w, ways[w]));
        }
    }
    return table;
}

ByteAddress namedByteOf(const Contents& contents, const Trace& trace, BlockAddress block) {
    const ByteAddress base = contents.addressOf(block);
    const std::uint32_t region = regionOfBlock(trace, base, contents.block());
    return region < trace.regions().size() ? std::max(base, trace.regions()[region].base) : base;
}

std::string shapeInWords(const Contents& contents) {
    if (contents.store().kind == Store::Kind::pages) {
        return fmt::format("{}, pages of {}, LRU", counted(contents.ways(), "frame", "frames"),
                           formatBytes(contents.block()));
    }
    const bool isTlb = contents.store().kind == Store::Kind::tlb;
    return fmt::format("{} of {}, {} of {}, {}", counted(contents.sets(), "set", "sets"),
                       counted(contents.ways(), "way", "ways"), isTlb ? "pages" : "blocks",
                       isTlb ? formatBytes(contents.block()) : counted(contents.block(), "byte", "bytes"),
                       contents.ways() == 1 ? "direct-mapped" : rowOf(contents.policy()).name);
}

Document contentsDocument(const ContentsQuery& query) {
    return {.text = [=](std::size_t) { return contentsAsText(query); },
            .json = [=] { return contentsAsJson(query); },
            .csv = [=] { return contentsAsCsv(query); }};
}

}  // namespace whorl::sim
