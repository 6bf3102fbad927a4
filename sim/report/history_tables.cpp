#include "sim/report/history_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/report/report_rows.h"

namespace whorl::sim {

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
        table.rows.push_back({fmt::format("{:#x}", w.address.value), placeIn(trace, object, in), w.accesses, w.cycles,
                              perAccess(w.cycles, w.accesses)});
    }
    rank(table, 3);
    return table;
}

namespace {

/// The field that holds an address of an object or a region: "Node.next"; empty if it is in none.
std::string fieldOf(const Trace& trace, const CostNode& owner, ByteAddress address) {
    const auto within = [&](ByteAddress base, const ElementType* type) {
        if (type == nullptr || type->fields.empty()) return std::string();
        const StructField* const field = type->fieldAt((address.value - base.value) % type->size);
        return field == nullptr ? type->name + ", padding" : type->name + '.' + field->name;
    };
    if (owner.kind == CostNode::Kind::region) {
        const Region& region = trace.regions()[owner.id];
        return within(region.base, region.type.get());
    }
    if (owner.kind != CostNode::Kind::object) return {};
    const Object& object = trace.objects()[owner.id];
    return within(object.base, object.type.get());
}

}  // namespace

Table fieldTable(const History& history, const Trace& trace) {
    Table table{.name = "by_field",
                .title = "By field",
                .columns = {{"field", "field"},
                            {"words", "words"},
                            {"accesses", "accesses"},
                            {"cycles", "cycles"},
                            {"cycles_per_access", "an access"}},
                .rows = {}};
    struct Sum {
        std::uint64_t words = 0;
        std::uint64_t accesses = 0;
        Cycles cycles = 0;
    };
    std::map<std::string, Sum> sums;
    for (const CostNode& w : history.words) {
        if (w.accesses == 0 && w.cycles == 0) continue;
        const CostNode& owner = history.objects[w.id];
        const std::string field = fieldOf(trace, owner, std::max(w.address, owner.address));
        Sum& sum = sums[field.empty() ? "(no field)" : field];
        ++sum.words;
        sum.accesses += w.accesses;
        sum.cycles += w.cycles;
    }
    for (const auto& [field, sum] : sums) {
        table.rows.push_back({field, sum.words, sum.accesses, sum.cycles, perAccess(sum.cycles, sum.accesses)});
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
                            {"cycles_per_access", "an access"},
                            {"cycles_per_instance", "an instance"},
                            {"cycles_per_word", "a word"}},
                .rows = {}};
    // Empty where there is nothing to share the cycles.
    const auto share = [](Cycles cycles, std::uint64_t among) {
        return among == 0 ? Cell() : Cell(perAccess(cycles, among));
    };
    const auto add = [&](std::string name, std::uint64_t instances, std::uint64_t words, const CostNode& sum) {
        if (sum.accesses == 0 && sum.cycles == 0) return;
        table.rows.push_back({std::move(name), instances, words, sum.accesses, sum.cycles,
                              perAccess(sum.cycles, sum.accesses), share(sum.cycles, instances),
                              share(sum.cycles, words)});
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
