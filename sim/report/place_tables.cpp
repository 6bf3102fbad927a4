#include "sim/report/place_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sim/report/cycle_tables.h"
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

namespace {

std::string cyclesInWords(Cycles cycles) {
    return counted(cycles, "cycle", "cycles");
}

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : std::string(between)) + part;
    return out;
}

Place placeOf(const LifeSubject& subject) {
    return {.from = subject.from, .bytes = subject.bytes};
}

/// The part of `taken` of a node for data that no other CPU had touched in the memory since: the other CPUs used what
/// lies beside it in the block. That is everything except the moves from other CPUs.
LifeFetches otherFetches(const ObjectLife& life, std::uint32_t node) {
    LifeFetches rest = life.nodes[node].taken;
    for (const LifeEdge& e : life.edges) {
        if (e.to != node || life.nodes[e.from].cpu == life.nodes[node].cpu) continue;
        rest.count -= e.taken.count;
        rest.cycles -= e.taken.cycles;
    }
    return rest;
}

/// The index of the best node; there must be a node.
template <class Better>
std::uint32_t nodeWith(const ObjectLife& life, const Better& better) {
    std::uint32_t best = 0;
    for (std::uint32_t n = 1; n < life.nodes.size(); ++n) {
        if (better(life.nodes[n], life.nodes[best])) best = n;
    }
    return best;
}

}  // namespace

std::string LifeWords::subject() const {
    const Object* const object = lifeObjectAt(life.subject.from, life.subject.bytes, trace);
    if (object != nullptr) return object->name;
    return nameOf(placeOf(life.subject), trace, machine);
}

std::string LifeWords::cpu(std::uint32_t cpu) const {
    return cpuWords(trace, cpu);
}

std::string LifeWords::node(std::uint32_t node) const {
    const LifeNode& n = life.nodes[node];
    const std::string& name = life.codes[n.code].name;
    return machine.cpus > 1 ? fmt::format("{} on CPU {}", name, n.cpu) : name;
}

std::string LifeWords::code(std::uint32_t code) const {
    const LifeCode& c = life.codes[code];
    const Site& site = trace.site(c.site);
    if (!c.isFunction || site.line == 0) return c.name;
    return fmt::format("{} ({})", c.name, siteName(trace, site));
}

std::vector<std::string> LifeWords::nodeFacts(std::uint32_t node) const {
    const LifeNode& n = life.nodes[node];
    std::vector<std::string> out;
    out.push_back(fmt::format("{}, {}, {}", counted(n.reads(), "read", "reads"), counted(n.writes, "write", "writes"),
                              cyclesInWords(n.cycles)));
    if (n.taken.count > 0) {
        out.push_back(fmt::format("{} a block from another CPU: {}",
                                  counted(n.taken.count, "access took", "accesses took"),
                                  cyclesInWords(n.taken.cycles)));
    }
    if (const LifeFetches rest = otherFetches(life, node); rest.count > 0) {
        out.push_back(fmt::format("{} of these because that CPU used data next to {} in the block: {}",
                                  grouped(rest.count), subject(), cyclesInWords(rest.cycles)));
    }
    if (n.fetched.count > 0) {
        out.push_back(fmt::format("{} from farther levels: {}",
                                  counted(n.fetched.count, "access was served", "accesses were served"),
                                  cyclesInWords(n.fetched.cycles)));
    }
    if (n.falseShared.count > 0) {
        out.push_back(fmt::format("{} by false sharing, as no other CPU had written what {} used: {}",
                                  counted(n.falseShared.count, "access missed", "accesses missed"),
                                  n.falseShared.count == 1 ? "it" : "they", cyclesInWords(n.falseShared.cycles)));
    }
    std::string blocks;
    if (n.begins > 0) blocks = fmt::format("the first to touch {}", counted(n.begins, "block", "blocks"));
    if (n.ends > 0) {
        blocks += fmt::format("{}the last to touch {}", blocks.empty() ? "" : ", ", counted(n.ends, "block", "blocks"));
    }
    if (!blocks.empty()) out.push_back(blocks);
    out.push_back(fmt::format("{}, from access {} to {}", counted(n.episodes, "episode", "episodes"),
                              grouped(n.first.value), grouped(n.last.value)));
    return out;
}

std::vector<std::string> LifeWords::edgeFacts(const LifeEdge& edge) const {
    std::vector<std::string> out;
    out.push_back(counted(edge.count, "move of a block", "moves of blocks"));
    if (edge.taken.count > 0) {
        // Between two accesses of one CPU to this memory, no other has touched it.
        const bool isBack = life.nodes[edge.from].cpu == life.nodes[edge.to].cpu;
        const std::string why = isBack ? ", which used data next to " + subject() + " in the block" : "";
        out.push_back(fmt::format("{} taken {}from another CPU{}: {}", grouped(edge.taken.count), isBack ? "back " : "",
                                  why, cyclesInWords(edge.taken.cycles)));
    }
    if (edge.fetched.count > 0) {
        out.push_back(fmt::format("{} fetched from farther levels: {}", grouped(edge.fetched.count),
                                  cyclesInWords(edge.fetched.cycles)));
    }
    const std::uint64_t ready = edge.count - std::min(edge.count, edge.taken.count + edge.fetched.count);
    if (ready > 0) out.push_back(fmt::format("{} found it in the nearest cache", grouped(ready)));
    return out;
}

std::string LifeWords::beginning() const {
    const Object* const object = lifeObjectAt(life.subject.from, life.subject.bytes, trace);
    std::string out;
    if (object != nullptr) {
        const bool hasClass = !object->className.empty() && object->className != object->name;
        out = fmt::format("created at access {}{}", grouped(object->born.value),
                          hasClass ? ", of class " + object->className : "");
    }
    if (life.nodes.empty()) return out;
    const std::uint32_t first = nodeWith(life, [](const LifeNode& a, const LifeNode& b) { return a.first < b.first; });
    return fmt::format("{}first touched by {} at access {}", out.empty() ? "" : out + "; ", node(first),
                       grouped(life.nodes[first].first.value));
}

std::string LifeWords::end() const {
    const Object* const object = lifeObjectAt(life.subject.from, life.subject.bytes, trace);
    std::string out;
    if (!life.nodes.empty()) {
        const std::uint32_t last = nodeWith(life, [](const LifeNode& a, const LifeNode& b) { return a.last > b.last; });
        out = fmt::format("last touched by {} at access {}", node(last), grouped(life.nodes[last].last.value));
    }
    if (object == nullptr) return out;
    const bool stays = object->died.value >= trace.size();
    return fmt::format("{}{}", out.empty() ? "" : out + "; ",
                       stays ? "it exists until the end of the trace"
                             : fmt::format("ended at access {}", grouped(object->died.value)));
}

std::string LifeWords::sums() const {
    const LifeFetches taken = life.taken();
    const LifeFetches fetched = life.fetched();
    const Cycles cycles = life.cycles();
    LifeFetches rest;
    LifeFetches falseShared;
    for (std::uint32_t n = 0; n < life.nodes.size(); ++n) {
        rest += otherFetches(life, n);
        falseShared += life.nodes[n].falseShared;
    }
    const std::string shared =
        falseShared.count == 0 ? "" : fmt::format("; of these by false sharing {}", grouped(falseShared.cycles));
    const std::string otherFetchesInWords =
        rest.cycles > 0 ? fmt::format(" ({} because of neighbouring data in the blocks)", grouped(rest.cycles)) : "";
    return fmt::format("{}, {}: look-ups {}, taken from other CPUs {}{}, farther levels {}",
                       counted(life.accesses(), "access", "accesses"), cyclesInWords(cycles),
                       grouped(cycles - taken.cycles - fetched.cycles), grouped(taken.cycles), otherFetchesInWords,
                       grouped(fetched.cycles)) +
           shared;
}

Table lifeNodeTable(const LifeWords& words) {
    Table table{.name = "nodes",
                .title = "Who touched it",
                .columns = {{"code", "code"},
                            {"line", {}},
                            {"cpu", "CPU"},
                            {"accesses", "accesses"},
                            {"reads", {}},
                            {"writes", "writes"},
                            {"cycles", "cycles"},
                            {"taken", "taken"},
                            {"taken_cycles", "cycles"},
                            {"fetched", "fetched"},
                            {"fetched_cycles", "cycles"},
                            {"false_sharing", "by false sharing"},
                            {"false_sharing_cycles", "cycles"},
                            {"episodes", "episodes"},
                            {"first", "first"},
                            {"last", "last"},
                            {"begins", {}},
                            {"ends", {}}},
                .rows = {}};
    for (const LifeNode& n : words.life.nodes) {
        const LifeCode& code = words.life.codes[n.code];
        table.rows.push_back({code.name, siteName(words.trace, words.trace.site(code.site)), std::uint64_t{n.cpu},
                              n.accesses, n.reads(), n.writes, n.cycles, n.taken.count, n.taken.cycles, n.fetched.count,
                              n.fetched.cycles, n.falseShared.count, n.falseShared.cycles, n.episodes, n.first.value,
                              n.last.value, n.begins, n.ends});
    }
    return table;
}

Table lifeMoveTable(const LifeWords& words) {
    Table table{.name = "moves",
                .title = "Moves of blocks",
                .columns = {{"from", "from"},
                            {"from_cpu", {}},
                            {"to", "to"},
                            {"to_cpu", {}},
                            {"moves", "moves"},
                            {"taken", "taken"},
                            {"taken_cycles", "cycles"},
                            {"fetched", "fetched"},
                            {"fetched_cycles", "cycles"}},
                .rows = {}};
    for (const LifeEdge& e : words.life.edges) {
        table.rows.push_back({words.node(e.from), std::uint64_t{words.life.nodes[e.from].cpu}, words.node(e.to),
                              std::uint64_t{words.life.nodes[e.to].cpu}, e.count, e.taken.count, e.taken.cycles,
                              e.fetched.count, e.fetched.cycles});
    }
    return table;
}

namespace {

std::string lifeAsText(const LifeWords& words, std::size_t top) {
    const ObjectLife& life = words.life;
    const Range range = life.subject.range;
    std::string out =
        fmt::format("{}: {}, {} of {} touched, accesses {} to {}\n", words.subject(),
                    counted(life.subject.bytes, "byte", "bytes"), counted(life.blocks, "block", "blocks"),
                    counted(life.blockBytes, "byte", "bytes"), grouped(range.from.value), grouped(range.to.value));
    if (const std::string beginning = words.beginning(); !beginning.empty()) out += "  " + beginning + '\n';
    if (life.nodes.empty()) return out + "  Nothing touched it in these accesses.\n";
    std::uint32_t code = ~std::uint32_t{0};
    for (std::uint32_t n = 0; n < life.nodes.size(); ++n) {
        const LifeNode& node = life.nodes[n];
        if (node.code != code) {
            const std::string then = code == ~std::uint32_t{0} ? "" : "then ";
            code = node.code;
            out += fmt::format("  {}{}\n", then, words.code(code));
        }
        const std::string who = words.machine.cpus > 1 ? words.cpu(node.cpu) + ": " : "";
        out += fmt::format("    {}{}\n", who, joined(words.nodeFacts(n), "; "));
    }
    out += "  " + words.end() + '\n';
    out += "Together: " + words.sums() + ".\n";
    if (life.edges.empty()) return out;
    const auto all = static_cast<std::uint64_t>(life.edges.size());
    out += fmt::format("\nMoves of blocks, the most frequent first{}:\n",
                       all > top ? fmt::format(", {} of {}", grouped(top), grouped(all)) : "");
    for (std::size_t e = 0; e < std::min<std::size_t>(top, all); ++e) {
        const LifeEdge& edge = life.edges[e];
        out += fmt::format("  {} -> {}: {}\n", words.node(edge.from), words.node(edge.to),
                           joined(words.edgeFacts(edge), "; "));
    }
    return out;
}

JsonValue lifeAsJson(const LifeWords& words) {
    const ObjectLife& life = words.life;
    return JsonObject{{"place", words.subject()},
                      {"from", life.subject.range.from.value},
                      {"to", life.subject.range.to.value},
                      {"address", life.subject.from.value},
                      {"bytes", life.subject.bytes},
                      {"block", life.blockBytes},
                      {"blocks", life.blocks},
                      {"accesses", life.accesses()},
                      {"cycles", life.cycles()},
                      {"nodes", lifeNodeTable(words)},
                      {"moves", lifeMoveTable(words)}};
}

}  // namespace

Document lifeDocument(const std::shared_ptr<const ObjectLife>& life, const std::shared_ptr<const Run>& run) {
    const auto words = [=] { return LifeWords{*life, run->trace(), run->machine()}; };
    return {.text = [=](std::size_t top) { return lifeAsText(words(), top); },
            .json = [=] { return lifeAsJson(words()); },
            .csv = [=] { return lifeNodeTable(words()); }};
}

}  // namespace whorl::sim
