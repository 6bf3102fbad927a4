#include "sim/report/history_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

namespace {

/// Ticks listed in a table for people.
constexpr std::size_t kFewMoments = 5;

std::string inWords(const std::vector<Tick>& moments) {
    std::string out;
    for (std::size_t i = 0; i < std::min(moments.size(), kFewMoments); ++i) {
        out += fmt::format("{}{}", i == 0 ? "" : ", ", moments[i].value);
    }
    return moments.size() > kFewMoments ? out + ", …" : out;
}

JsonValue collisionsAsJson(const Collisions& collisions, const History& history, std::optional<std::size_t> level) {
    JsonArray pairs;
    for (const Collision& c : collisions.cells) {
        if (level && c.level != *level) continue;
        pairs.emplace_back(JsonObject{{"level", history.levels[c.level].name},
                                      {"culprit", collisions.names[c.evictor]},
                                      {"victim", collisions.names[c.victim]},
                                      {"evictions", c.count()},
                                      {"moments", jsonArrayOf(c.moments, [](Tick t) { return t.value; })}});
    }
    return JsonObject{{"by", wordFor(collisions.of)}, {"pairs", std::move(pairs)}, {"left_out", collisions.leftOut}};
}

std::string collisionsAsText(const Collisions& collisions, const History& history, std::optional<std::size_t> level,
                             std::size_t top) {
    constexpr std::size_t kColumns = 8;  // fits in a terminal
    std::string out;
    for (std::size_t l = 0; l < history.levels.size(); ++l) {
        if (level && *level != l) continue;
        const Table matrix = collisionMatrix(collisions, history, l, kColumns);
        out += matrix.rows.empty() ? fmt::format("No block was evicted from {}.\n\n", history.levels[l].name)
                                   : tableAsText(matrix, top) + '\n';
    }
    out += tableAsText(collisionPairs(collisions, history, level), top);
    if (collisions.leftOut == 0) return out;
    // The history had no room for everything.
    return out + fmt::format("\n{} stays of the cheapest blocks are left out: choose a range with --from and --to\n",
                             grouped(collisions.leftOut));
}

}  // namespace

Table collisionMatrix(const Collisions& collisions, const History& history, std::size_t level, std::size_t top) {
    const std::vector<CollisionSum> evictors = collisionSums(collisions, level, &Collision::evictor);
    const std::vector<CollisionSum> victims = collisionSums(collisions, level, &Collision::victim);
    const std::size_t columns = std::min(top, victims.size());
    Table table{.name = "collisions_" + history.levels[level].name,
                .title = fmt::format("Evictions from {}: accesses to the row evict blocks of the column",
                                     history.levels[level].name),
                .columns = {{"culprit", std::string(wordFor(collisions.of))}},
                .rows = {}};
    for (std::size_t v = 0; v < columns; ++v) {
        const std::string& name = collisions.names[victims[v].name];
        table.columns.push_back({name, name});
    }
    if (columns < victims.size()) table.columns.push_back({"others", "others"});
    table.columns.push_back({"in_all", "in all"});
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
    for (const Collision& c : collisions.cells) {
        if (c.level == level) counts[{c.evictor, c.victim}] = c.count();
    }
    for (const CollisionSum& evictor : evictors) {
        std::uint64_t others = evictor.count;
        std::vector<Cell> cells{collisions.names[evictor.name]};
        for (std::size_t v = 0; v < columns; ++v) {
            const auto at = counts.find({evictor.name, victims[v].name});
            const std::uint64_t count = at == counts.end() ? 0 : at->second;
            cells.emplace_back();
            if (count > 0) cells.back() = count;
            others -= count;
        }
        if (columns < victims.size()) cells.emplace_back(others);
        cells.emplace_back(evictor.count);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

Table collisionPairs(const Collisions& collisions, const History& history, std::optional<std::size_t> level) {
    Table table{.name = "collisions",
                .title = "The pairs that collide most",
                .columns = {{"level", "level"},
                            {"culprit", "culprit"},
                            {"victim", "victim"},
                            {"evictions", "evictions"},
                            {"moments", "first at access"}},
                .rows = {}};
    for (const Collision& c : collisions.cells) {
        if (level && c.level != *level) continue;
        table.rows.push_back({history.levels[c.level].name, collisions.names[c.evictor], collisions.names[c.victim],
                              c.count(), inWords(c.moments)});
    }
    rank(table, 3);
    return table;
}

Document collisionDocument(Collisions collisions, const std::shared_ptr<const History>& history,
                           std::optional<std::size_t> level) {
    const auto found = std::make_shared<const Collisions>(std::move(collisions));
    return {.text = [=](std::size_t top) { return collisionsAsText(*found, *history, level, top); },
            .json = [=] { return collisionsAsJson(*found, *history, level); },
            .csv = [=] { return collisionPairs(*found, *history, level); }};
}

}  // namespace whorl::sim
