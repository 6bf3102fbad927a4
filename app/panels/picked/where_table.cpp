// Where the picked memory is: in which set and way of each level, how old, in which state. And what a set holds.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/picked/picked_parts.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "sim/cache/contents.h"

namespace whorl::app {

namespace {

using sim::Contents;
using sim::Store;

/// "M dirty", "clean", "dirty, prefetched".
std::string stateOf(const sim::WayContents& way) {
    const std::string letter = way.state == 0 ? "" : std::string(1, way.state) + " ";
    return letter + (way.dirty ? "dirty" : "clean") + (way.prefetched ? ", prefetched" : "");
}

/// "L1", or "L1@2" of several; "TLB".
std::string shortName(const PanelContext& c, const Store& store) {
    if (store.kind == Store::Kind::pages) return "memory";
    const bool isTlb = store.kind == Store::Kind::tlb;
    const std::string name = isTlb ? "TLB" : c.machine().levels[store.level].name;
    const std::uint32_t all = isTlb ? c.machine().cpus : c.machine().caches(store.level);
    const std::uint32_t cpu = isTlb ? store.cache : c.machine().firstCpu(store.level, store.cache);
    return all > 1 ? fmt::format("{} CPU {}", name, cpu) : name;
}

std::string groupName(const PanelContext& c, const Store& store) {
    return store.kind == Store::Kind::pages ? "memory"
           : store.kind == Store::Kind::tlb ? "TLB"
                                            : c.machine().levels[store.level].name;
}

bool areOfOneGroup(const Store& a, const Store& b) {
    return a.kind == b.kind && a.level == b.level;
}

using Rows = std::vector<std::vector<sim::Cell>>;

/// The stores of a machine by level, TLBs and pages each by themselves.
template <class F>
void forEachGroup(const sim::MachineConfig& machine, F&& f) {
    const std::vector<Store> stores = sim::storesOf(machine);
    for (auto from = stores.begin(); from != stores.end();) {
        const auto to = std::find_if(from, stores.end(), [&](const Store& s) { return !areOfOneGroup(s, *from); });
        f(std::vector<Store>(from, to));
        from = to;
    }
}

/// A row for each store of a group that holds the block of a byte, or one that says that none does.
void addBlockRows(const PanelContext& c, Rows& rows, const std::vector<Store>& group, sim::ByteAddress byte) {
    const sim::Hierarchy& now = c.picture()->snapshot.now.hierarchy();
    const std::size_t before = rows.size();
    const Contents any(now, group.front());
    const sim::BlockAddress block = any.blockOf(byte);
    const std::string address = fmt::format("{:#x}", any.addressOf(block).value);
    for (const Store& store : group) {
        const Contents contents(now, store);
        const auto way = contents.find(block);
        if (!way) continue;
        const sim::SetIndex set = contents.setOf(block);
        const sim::WayContents its = contents.set(set)[way->value];
        rows.push_back({shortName(c, store), address, std::uint64_t{set.value}, std::uint64_t{way->value},
                        std::uint64_t{its.rank + 1}, stateOf(its)});
    }
    if (rows.size() > before) return;
    rows.push_back({groupName(c, group.front()), address, std::uint64_t{any.setOf(block).value}, sim::Cell(),
                    sim::Cell(), "not in " + groupName(c, group.front())});
}

/// How many blocks of some memory a store holds, and how many of them are dirty.
std::pair<std::uint64_t, std::uint64_t> heldBy(const sim::Cache& cache, const sim::Place& memory) {
    std::uint64_t held = 0;
    std::uint64_t dirty = 0;
    const sim::BlockAddress first = cache.blockOf(memory.from);
    const sim::BlockAddress last = cache.blockOf(memory.last());
    for (std::uint32_t s = 0; s < cache.sets(); ++s) {
        if (cache.occupied(sim::SetIndex{s}) == 0) continue;
        for (std::uint32_t w = 0; w < cache.ways(); ++w) {
            const sim::Line line = cache.line(sim::SetIndex{s}, sim::WayIndex{w});
            if (!line.valid || line.block < first || last < line.block) continue;
            ++held;
            dirty += line.dirty ? 1u : 0u;
        }
    }
    return {held, dirty};
}

/// The memory of several blocks: how many of them each cache holds.
sim::Table heldTable(const PanelContext& c, const sim::Place& memory) {
    sim::Table table{.name = "held",
                     .title = {},
                     .columns = {{"where", "where"}, {"held", "blocks"}, {"of", "of"}, {"dirty", "dirty"}},
                     .rows = {}};
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const std::uint64_t block = c.machine().levels[l].block;
        const std::uint64_t all = memory.last().value / block - memory.from.value / block + 1;
        for (std::uint32_t i = 0; i < c.machine().caches(l); ++i) {
            const auto [held, dirty] = heldBy(c.picture()->snapshot.cache(l, i), memory);
            const Store store{.level = static_cast<std::uint8_t>(l), .cache = static_cast<std::uint8_t>(i)};
            table.rows.push_back({shortName(c, store), held, all, dirty});
        }
    }
    return table;
}

sim::Table blockTable(const PanelContext& c, sim::ByteAddress byte) {
    sim::Table table{.name = "where",
                     .title = {},
                     .columns = {{"where", "where"},
                                 {"block", "block"},
                                 {"set", "set"},
                                 {"way", "way"},
                                 {"rank", "age"},
                                 {"state", "state"}},
                     .rows = {}};
    forEachGroup(c.machine(), [&](const std::vector<Store>& group) { addBlockRows(c, table.rows, group, byte); });
    return table;
}

/// Identifies the state of the machine that is shown.
TableSource sourceNow(const PanelContext& c, std::vector<double> numbers) {
    numbers.push_back(static_cast<double>(c.picture()->snapshot.begun().value));
    return TableSource({c.context.opened.run}, std::move(numbers));
}

}  // namespace

void drawWhere(const PanelContext& c, const PickedThing& thing) {
    if (!thing.memory || c.machine().levels.empty()) return;
    const sim::Place& memory = *thing.memory;
    const std::uint64_t block = c.machine().blockBytes();
    const bool isOfOne = memory.from.value / block == memory.last().value / block;
    KeptTable& kept = keptTable(c, isOfOne ? "where" : "held");
    // Addresses need two numbers, as one of them has 53 bits.
    kept.keep(sourceNow(c, {static_cast<double>(memory.from.value >> 32),
                            static_cast<double>(memory.from.value & 0xffffffff), static_cast<double>(memory.bytes)}),
              [&] { return isOfOne ? blockTable(c, memory.from) : heldTable(c, memory); });
    std::vector<ShownColumn> columns = {{.key = "where"}};
    if (isOfOne) {
        columns.push_back({.key = "block", .means = "address of its block", .keeps = 1});
        columns.push_back({.key = "set", .keeps = 4});
        columns.push_back({.key = "way", .keeps = 2});
        columns.push_back({.key = "rank", .means = "1: used last; the largest leaves next", .keeps = 3});
        columns.push_back({.key = "state", .keeps = 5});
    } else {
        columns.push_back({.key = "held", .means = "blocks of it that are there now"});
        columns.push_back({.key = "of", .isMuted = true});
        columns.push_back({.key = "dirty"});
    }
    drawTable(
        c, kept,
        {.thing = "where", .columns = std::move(columns), .others = std::nullopt, .sorts = false, .isTight = true});
}

void drawSet(const PanelContext& c, const scene::Target& set) {
    const Contents contents(c.picture()->snapshot.now.hierarchy(), {.level = set.level, .cache = set.cache});
    KeptTable& kept = keptTable(c, "set");
    kept.keep(sourceNow(c, {static_cast<double>(set.level), static_cast<double>(set.cache),
                            static_cast<double>(set.set.value)}),
              [&] {
                  sim::Table table{.name = "set",
                                   .title = {},
                                   .columns = {{"block", "holds"}, {"way", "way"}, {"rank", "age"}, {"state", "state"}},
                                   .rows = {}};
                  const std::vector<sim::WayContents> ways = contents.set(set.set);
                  for (std::size_t w = 0; w < ways.size(); ++w) {
                      const sim::ByteAddress at = contents.addressOf(ways[w].block);
                      std::vector<sim::Cell> row{ways[w].valid ? c.trace().placeOf(at, tickNow(c)) : std::string("–"),
                                                 std::uint64_t{w}};
                      if (ways[w].valid) row.insert(row.end(), {std::uint64_t{ways[w].rank + 1}, stateOf(ways[w])});
                      row.resize(table.columns.size());
                      table.rows.push_back(std::move(row));
                  }
                  return table;
              });
    drawTable(c, kept,
              {.thing = "way",
               .columns = {{.key = "block"},
                           {.key = "way", .keeps = 1},
                           {.key = "rank", .means = "1: used last; the largest leaves next", .keeps = 2},
                           {.key = "state", .keeps = 3}},
               .others = std::nullopt,
               .isTight = true,
               .most = 64,
               .clicked = [&](std::size_t w) {
                   const sim::WayContents its = contents.set(set.set)[w];
                   if (its.valid) c.queue(command::Select{contents.addressOf(its.block)});
               }});
}

}  // namespace whorl::app
