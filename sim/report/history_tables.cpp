#include "sim/report/history_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace whorl::sim {

namespace {

double perAccess(const CostNode& sum) {
    return sum.accesses == 0 ? 0.0 : static_cast<double>(sum.cycles) / static_cast<double>(sum.accesses);
}

}  // namespace

std::string placeIn(const Trace& trace, const CostNode& object, ByteAddress address) {
    if (object.kind == CostNode::Kind::region) return trace.regions()[object.id].placeOf(address);
    if (object.kind != CostNode::Kind::object) return fmt::format("{:#x}", address.value);
    return trace.placeIn(trace.objects()[object.id], address);
}

Table wordTable(const History& history, const Trace& trace) {
    Table table{.name = "by_word",
                .title = history.wordSize == 4 ? "By word" : fmt::format("By word of {} bytes", history.wordSize),
                .columns = {{"word", "word"},
                            {"place", "place"},
                            {"accesses", "accesses"},
                            {"cycles", "cycles"},
                            {"cycles_per_access", "an access"}},
                .rows = {}};
    table.rows.reserve(history.words.size());
    for (const CostNode& w : history.words) {
        if (w.accesses == 0 && w.cycles == 0) continue;
        // A word may begin before its owner does.
        const CostNode& object = history.objects[w.id];
        const ByteAddress in = std::max(w.address, object.address);
        table.rows.push_back(
            {fmt::format("{:#x}", w.address.value), placeIn(trace, object, in), w.accesses, w.cycles, perAccess(w)});
    }
    rank(table, 3);
    return table;
}

Table classTable(const History& history) {
    Table table{.name = "by_class",
                .title = "By class",
                .columns = {{"class", "class"},
                            {"instances", "instances"},
                            {"words", "words"},
                            {"accesses", "accesses"},
                            {"cycles", "cycles"},
                            {"cycles_per_access", "an access"}},
                .rows = {}};
    const auto add = [&](std::string name, std::uint64_t instances, std::uint64_t words, const CostNode& sum) {
        if (sum.accesses == 0 && sum.cycles == 0) return;
        table.rows.push_back({std::move(name), instances, words, sum.accesses, sum.cycles, perAccess(sum)});
    };
    for (const CostClass& c : history.classes) {
        add(c.name, c.instances, c.words, {.cycles = c.cycles, .accesses = c.accesses});
    }
    CostNode others;
    std::uint64_t words = 0;
    for (const CostNode& o : history.objects) {
        if (o.classId != CostNode::kNoClass) continue;
        others.cycles += o.cycles;
        others.accesses += o.accesses;
        ++words;
    }
    add("(no class)", 0, words, others);
    rank(table, 4);
    return table;
}

}  // namespace whorl::sim
