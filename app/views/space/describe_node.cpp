#include "app/views/space/describe_node.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/report/table.h"
#include "sim/trace/memory_names.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

using NodeKind = sim::CostNode::Kind;
using sim::grouped;

/// 1 plus the number of nodes that cost more.
std::size_t rankOf(const sim::History& history, const std::vector<sim::CostNode>& nodes, std::size_t node) {
    const auto cost = [&](const sim::CostNode& n) { return n.waited(history.lookUp); };
    const auto costsMore = [&](const sim::CostNode& n) { return cost(n) > cost(nodes[node]); };
    return 1 + static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), costsMore));
}

std::string costLine(const sim::History& history, const std::vector<sim::CostNode>& nodes, std::size_t node) {
    const sim::CostNode& n = nodes[node];
    const auto all = static_cast<double>(std::max<sim::Cycles>(1, history.waited()));
    const sim::Cycles waited = n.waited(history.lookUp);
    return fmt::format("waited {} for blocks ({:.1f} %) in {}", sim::counted(waited, "cycle", "cycles"),
                       100 * static_cast<double>(waited) / all, sim::counted(n.accesses, "access", "accesses"));
}

/// "12 misses in L1, 3 in L2", "1 invalidation in L1": a line for each kind of count that is not 0.
void addCounts(NodeDescription& description, const sim::History& history, const sim::NodeCounts& counts,
               std::size_t node) {
    const auto add = [&](sim::NodeCount what, std::string_view one, std::string_view many) {
        std::string line;
        for (std::size_t l = 0; l < history.levels.size(); ++l) {
            const std::uint32_t count = counts.of(what, l, node);
            if (count == 0) continue;
            line += line.empty() ? sim::counted(count, one, many) : ", " + grouped(count);
            line += " in " + history.levels[l].name;
        }
        if (!line.empty()) description.lines.push_back(std::move(line));
    };
    add(sim::NodeCount::misses, "miss", "misses");
    add(sim::NodeCount::invalidations, "block invalidated", "blocks invalidated");
}

std::string rankLine(const sim::History& history, const std::vector<sim::CostNode>& nodes, std::size_t node) {
    return fmt::format("rank {} of {} by cost", grouped(rankOf(history, nodes, node)), grouped(nodes.size()));
}

/// "CPU 2 reads C[5] (vecadd.h:31)".
std::string accessLine(const sim::Trace& trace, sim::Tick tick) {
    std::string out;
    trace.forEach(tick, sim::Tick{tick.value + 1}, [&](sim::Tick t, const sim::Access& a) {
        out = fmt::format("CPU {} {} {}", a.cpu, a.isWrite() ? "writes" : "reads", trace.placeOf(a.address, t));
        if (const sim::Site& site = trace.site(a.site); isNamed(site))
            out += fmt::format(" ({})", siteName(trace, site));
    });
    return out;
}

/// Whose access invalidated a block, and how: "CPU 1 writes ArrayC[24] (vecadd.h:31)"; if that is in another block,
/// which farther level had to give up both at once.
std::string invalidationOf(const sim::History& history, const sim::Trace& trace, const sim::HistoryLevel& level,
                           const sim::Stay& stay) {
    if (stay.out == sim::Stay::kNever) return {};
    const std::uint64_t block = level.blocks[stay.block].block.value;
    sim::ByteAddress address;
    trace.forEach(stay.out, sim::Tick{stay.out.value + 1},
                  [&](sim::Tick, const sim::Access& a) { address = a.address; });
    std::string out = ": " + accessLine(trace, stay.out);
    if (address.value / level.blockSize == block) return out;
    const std::uint64_t base = block * level.blockSize;
    const auto holdsBoth = [&](const sim::HistoryLevel& l) {
        return address.value / l.blockSize == base / l.blockSize;
    };
    const auto whole = std::find_if(history.levels.begin(), history.levels.end(), holdsBoth);
    if (whole == history.levels.end()) return out;
    return out + fmt::format(", in another {} block: {} gave up the whole {} bytes that hold both", level.name,
                             whole->name, whole->blockSize);
}

std::string endOf(const sim::History& history, const sim::Trace& trace, const sim::HistoryLevel& level,
                  const sim::Stay& stay) {
    std::string at = fmt::format("at cycle {}", grouped(stay.to));
    const std::string then = stay.out == sim::Stay::kNever ? std::string() : ": " + accessLine(trace, stay.out);
    switch (stay.leaving) {
        case sim::Leaving::resident:
            return fmt::format("still cached at the end, cycle {}", grouped(history.end));
        case sim::Leaving::replaced: {
            if (stay.by == sim::Stay::kNone) return fmt::format("replaced {}{}", at, then);
            const sim::ByteAddress base{level.blocks[stay.by].block.value * level.blockSize};
            return fmt::format("replaced {} by {:#x} ({}){}", at, base.value,
                               insideOf(trace, base, level.blockSize, stay.out, 3), then);
        }
        case sim::Leaving::invalidated:
            return fmt::format("invalidated {}{}", at, invalidationOf(history, trace, level, stay));
        case sim::Leaving::included:
            return fmt::format("invalidated {} by the inclusion of a farther level{}", at, then);
        case sim::Leaving::moved:
            return fmt::format("moved to a nearer level {}{}", at, then);
        case sim::Leaving::paged:
            return fmt::format("invalidated {}: its page left memory{}", at, then);
    }
    return at;
}

/// Adds the states of a stay, each with the access that caused it: "modified from cycle 900: CPU 1 writes C[3]
/// (vecadd.h:31)".
void addStates(NodeDescription& description, const sim::Trace& trace, const sim::HistoryLevel& level,
               std::uint32_t index) {
    constexpr std::uint32_t kMax = 8;
    const auto stateOf = [&](sim::Holding holding) { return sim::kHoldingNames[static_cast<std::size_t>(holding)]; };
    description.lines.push_back(fmt::format("came in {}", stateOf(sim::Stay(level.stays[index]).holding)));
    const auto [first, last] = level.changesOf(index);
    for (std::uint32_t i = first; i < std::min(last, first + kMax); ++i) {
        const sim::Change change = level.changes[i];
        description.lines.push_back(fmt::format("{} from cycle {}: {}", stateOf(change.holding), grouped(change.at),
                                                accessLine(trace, change.tick)));
    }
    if (last - first > kMax) {
        description.lines.push_back(fmt::format("and {} more state changes", grouped(last - first - kMax)));
    }
}

/// "C[4…7]" from "C[4]" and "C[7]", "node+0x10…0x1f" from "node+0x10" and "node+0x1f", "order.id…note" from "order.id"
/// and "order.note": the last part differs.
std::string joined(const std::string& first, const std::string& last) {
    if (first == last) return first;
    if (last.size() > first.size() && last.compare(0, first.size() + 1, first + "+") == 0) {
        return first + "+0x0…" + last.substr(first.size() + 1);
    }
    const auto cut = [](const std::string& place) { return place.find_last_of("[+.") + 1; };
    const std::size_t at = cut(last);
    if (at == 0 || cut(first) != at || first.compare(0, at, last, 0, at) != 0) return first + " to " + last;
    const std::size_t bracket = first.back() == ']' ? 1 : 0;
    return first.substr(0, first.size() - bracket) + "…" + last.substr(at);
}

}  // namespace

std::string nameOf(const sim::CostNode& node, const sim::Trace& trace) {
    switch (node.kind) {
        case NodeKind::line:
        case NodeKind::instruction:
            return siteName(trace, trace.site(sim::SiteId{node.id}));
        case NodeKind::object: {
            const sim::Object& object = trace.objects()[node.id];
            return object.name.empty() ? fmt::format("{} at {:#x}", object.className, object.base.value) : object.name;
        }
        case NodeKind::region:
            return trace.regions()[node.id].name;
        case NodeKind::word:
            break;
    }
    return trace.placeOf(node.address, sim::Tick{trace.size() == 0 ? 0 : trace.size() - 1});
}

std::string nameOfWord(const sim::History& history, const sim::Trace& trace, const sim::CostNode& word) {
    const sim::CostNode& object = history.objects[word.id];
    if (object.kind != NodeKind::object) return nameOf(word, trace);
    // A word may start before its object.
    return trace.placeIn(trace.objects()[object.id], std::max(word.address, object.address));
}

std::string nameOfPick(const ObjectPick& pick, const std::optional<PickedMemory>& memory, const sim::Trace& trace) {
    if (memory && !memory->name.empty()) return sim::shortPlace(memory->name);
    if (const sim::Object* const object = objectOf(pick, trace)) {
        return fmt::format("{} at {:#x}", object->className, object->base.value);
    }
    return sim::shortPlace(trace.placeOf(pick.address, sim::Tick{trace.size() == 0 ? 0 : trace.size() - 1}));
}

std::string nameOfStay(const sim::Trace& trace, const sim::Stay& stay) {
    return sim::shortPlace(trace.placeOf(stay.address, stay.in == sim::Stay::kNever ? sim::Tick{0} : stay.in));
}

std::vector<std::string> NodeDescription::inLines() const {
    std::vector<std::string> all{title};
    all.insert(all.end(), lines.begin(), lines.end());
    return all;
}

NodeDescription describeSource(const sim::History& history, const sim::Trace& trace, std::size_t source) {
    const sim::CostNode& node = history.sources[source];
    NodeDescription description{nameOf(node, trace), {}};
    const sim::Site& site = trace.site(sim::SiteId{node.id});
    if (node.kind == NodeKind::line) {
        const sim::SourceFile& file = trace.files()[site.file];
        if (site.line <= file.lines.size()) {
            const std::string_view text = file.lines[site.line - 1];
            description.lines.emplace_back(text.substr(std::min(text.find_first_not_of(" \t"), text.size())));
        }
    }
    description.lines.push_back(rankLine(history, history.sources, source));
    description.lines.push_back(costLine(history, history.sources, source));
    addCounts(description, history, history.sourceCounts, source);
    if (source < history.sourceObjects.size()) {
        const auto objects = history.sourceObjects.end(source) - history.sourceObjects.begin(source);
        description.lines.push_back(fmt::format("accesses {} {}", grouped(static_cast<std::uint64_t>(objects)),
                                                objects == 1 ? "object" : "objects"));
    }
    return description;
}

NodeDescription describeObject(const sim::History& history, const sim::Trace& trace, bool words, std::size_t node) {
    const auto& nodes = words ? history.words : history.objects;
    const sim::CostNode& n = nodes[node];
    NodeDescription description{words ? nameOfWord(history, trace, n) : nameOf(n, trace), {}};
    if (n.classId != sim::CostNode::kNoClass) {
        description.lines.push_back(fmt::format("class {}", history.classes[n.classId].name));
    }
    description.lines.push_back(fmt::format("address {:#x}, {} bytes", n.address.value, grouped(n.size)));
    description.lines.push_back(rankLine(history, nodes, node));
    description.lines.push_back(costLine(history, nodes, node));
    addCounts(description, history, words ? history.wordCounts : history.objectCounts, node);
    const sim::Relation& sources = words ? history.wordSources : history.objectSources;
    if (node < sources.size()) {
        const auto lines = sources.end(node) - sources.begin(node);
        description.lines.push_back(fmt::format("accessed from {} {}", grouped(static_cast<std::uint64_t>(lines)),
                                                lines == 1 ? "source line" : "source lines"));
    }
    return description;
}

NodeDescription describeStay(const sim::History& history, const sim::Trace& trace, std::size_t levelIndex,
                             std::size_t index) {
    const sim::HistoryLevel& level = history.levels[levelIndex];
    const sim::Stay& stay = level.stays[index];
    const sim::HistoryBlock& block = level.blocks[stay.block];
    const sim::ByteAddress base{block.block.value * level.blockSize};
    NodeDescription description{
        fmt::format("{} bytes at {:#x} in {}", grouped(level.blockSize), base.value,
                    level.caches > 1 ? level.name + " of " + level.cpusOf(stay.cache) : level.name),
        {}};
    const sim::Tick now = stay.in == sim::Stay::kNever ? history.from : stay.in;
    description.lines.push_back("holds " + insideOf(trace, base, level.blockSize, now, 4));
    description.lines.push_back(fmt::format("the block: {} access cycles in all", grouped(block.cost)));
    if (stay.in == sim::Stay::kNever) {
        description.lines.emplace_back("cached before the range");
    } else {
        description.lines.push_back(fmt::format("filled at cycle {}{}: {}, {} access cycles", grouped(stay.from),
                                                stay.prefetched ? ", prefetched" : "", accessLine(trace, stay.in),
                                                grouped(stay.cost)));
    }
    addStates(description, trace, level, static_cast<std::uint32_t>(index));
    description.lines.push_back(endOf(history, trace, level, stay));
    return description;
}

std::string describeCell(const scene::CellAround& cell) {
    const auto cycles = [](double at) { return grouped(static_cast<std::uint64_t>(at)); };
    const std::string span = fmt::format("the cycles {} – {}", cycles(cell.cycles.from), cycles(cell.cycles.to));
    if (!cell.grid.events) {
        return cell.count == 1 ? fmt::format("drawn as long as {}", span)
                               : fmt::format("one of {} stays folded into {}", grouped(cell.count), span);
    }
    return fmt::format("{} {} of {} in {}", grouped(cell.count),
                       cell.count == 1 ? "fill or departure" : "fills and departures",
                       cell.grid.rows == 1 ? "this block" : fmt::format("up to {} blocks", cell.grid.rows), span);
}

std::string insideOf(const sim::Trace& trace, sim::ByteAddress base, std::uint64_t size, sim::Tick at,
                     std::size_t most) {
    const sim::ByteAddress last{base.value + size - 1};
    const auto lastOf = [](const sim::Object& o) {
        return sim::ByteAddress{o.base.value + std::max<std::uint64_t>(o.size, 1) - 1};
    };
    std::vector<const sim::Object*> inside;
    for (const sim::Object& o : trace.objects()) {
        if (o.base > last) break;
        const bool isAlive = o.born <= at && at < o.died;
        if (isAlive && lastOf(o) >= base) inside.push_back(&o);
    }
    if (inside.empty()) return joined(trace.placeOf(base, at), trace.placeOf(last, at));
    // For an object larger than the block, name the part that is in the block.
    const sim::Object& only = *inside.front();
    if (inside.size() == 1 && (only.base < base || lastOf(only) > last)) {
        return joined(trace.placeIn(only, std::max(base, only.base)),
                      trace.placeIn(only, std::min(last, lastOf(only))));
    }
    std::vector<std::string> names;
    std::size_t more = 0;
    for (const sim::Object* o : inside) {
        const std::string& name = o->name.empty() ? o->className : o->name;
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        if (names.size() < most) {
            names.push_back(name);
        } else {
            ++more;
        }
    }
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    if (more > 0) out += fmt::format(" and {} more", more);
    return out;
}

}  // namespace whorl::app
