#include "app/commands/cost_tables.h"

#include <algorithm>
#include <array>

#include "app/commands/selection_commands.h"
#include "app/commands/view_commands.h"
#include "sim/report/call_tables.h"
#include "sim/report/history_tables.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

template <sim::Grouping grouping>
sim::Table tableBy(const CostSources& of) {
    return sim::tableBy(grouping, of.measures, of.trace, true);
}

/// Picks the costliest site for which something holds.
template <class Holds>
std::optional<Command> pickCostliest(const CostSources& of, Holds&& isIt) {
    const sim::TallyTable& sites = of.measures.ledger->sites;
    std::optional<std::uint32_t> best;
    for (std::uint32_t s = 0; s < sites.rows(); ++s) {
        if (isIt(of.trace.sites()[s]) && (!best || sites.cycles(s) > sites.cycles(*best))) best = s;
    }
    return best ? std::optional<Command>(command::PickSource{*best}) : std::nullopt;
}

std::optional<Command> pickOfFunction(std::string_view name, const CostSources& of) {
    return pickCostliest(
        of, [&](const sim::Site& site) { return site.function != 0 && of.trace.functions()[site.function] == name; });
}

/// Of a row of the call tree, whose name is the functions from the outermost inward.
std::optional<Command> pickOfCall(std::string_view path, const CostSources& of) {
    return pickOfFunction(path.substr(path.rfind(';') + 1), of);
}

std::optional<Command> pickOfObject(std::string_view name, const CostSources& of) {
    for (std::uint32_t o = 0; o < of.trace.objects().size(); ++o) {
        const sim::Object& object = of.trace.objects()[o];
        if (object.name != name) continue;
        return command::PickObject{{.kind = sim::CostNode::Kind::object, .id = o, .address = object.base}};
    }
    return std::nullopt;
}

std::optional<Command> colourOfClass(std::string_view name, const CostSources& /*of*/) {
    return command::ClassColoured{std::string(name)};
}

sim::Table tableOfCallers(const CostSources& of) {
    return sim::callerTable(of.measures, of.trace);
}

sim::Table tableOfCalls(const CostSources& of) {
    return sim::callTree(of.measures, of.trace, true);
}

sim::Table tableOfFields(const CostSources& of) {
    return sim::fieldTable(*of.history, of.trace);
}

sim::Table tableOfClasses(const CostSources& of) {
    return sim::classTable(*of.history);
}

constexpr std::string_view kSharing = "sharing";

constexpr auto kCostTables = std::to_array<CostTable>({
    {"why"},
    {"functions", tableBy<sim::Grouping::function>, pickOfFunction},
    {"callers", tableOfCallers, pickOfFunction},
    {"calls", tableOfCalls, pickOfCall},
    {"lines", tableBy<sim::Grouping::line>, pickOfLine},
    {"regions", tableBy<sim::Grouping::region>, pickOfRegion},
    {"objects", tableBy<sim::Grouping::object>, pickOfObject},
    {"fields", tableOfFields, nullptr, true},
    {"classes", tableOfClasses, colourOfClass, true},
    {kSharing},
});

/// Adds what each row has of the cycles of all rows.
void addShare(sim::Table& table) {
    const std::size_t cycles = sim::columnOf(table.columns, "cycles");
    // The call tree has shares of its own, and leaves out what costs little.
    if (cycles == table.columns.size() || !table.ranked) return;
    const auto at = static_cast<std::ptrdiff_t>(cycles);
    const auto cyclesOf = [&](const std::vector<sim::Cell>& row) {
        const auto* const n = std::get_if<std::uint64_t>(&row[cycles]);
        return n == nullptr ? 0.0 : static_cast<double>(*n);
    };
    double all = 0;
    for (const auto& row : table.rows) all += cyclesOf(row);
    table.columns.insert(table.columns.begin() + at + 1, {"cycles_percent", "%"});
    for (auto& row : table.rows) row.insert(row.begin() + at + 1, all == 0 ? 0.0 : 100 * cyclesOf(row) / all);
}

}  // namespace

std::span<const CostTable> costTables() {
    return kCostTables;
}

CostTab sharingTab() {
    return *valueNamed<CostTab>(kSharing);
}

std::optional<sim::Table> tableFor(CostTab tab, const CostSources& of) {
    const CostTable& its = costTable(tab);
    if (its.make == nullptr || (its.ofHistory && of.history == nullptr)) return std::nullopt;
    sim::Table table = its.make(of);
    addShare(table);
    return table;
}

std::optional<Command> pickOfLine(std::string_view name, const CostSources& of) {
    return pickCostliest(of, [&](const sim::Site& site) { return sim::siteName(of.trace, site) == name; });
}

/// A variable that is no region is picked by its costliest block.
std::optional<Command> pickOfRegion(std::string_view name, const CostSources& of) {
    const sim::Owners& owners = of.trace.owners();
    for (std::uint32_t owner = 0; owner < owners.count(); ++owner) {
        if (owners.name(owner) != name) continue;
        if (owner < of.trace.regions().size()) return command::PickRegion{owner};
        const auto& blocks = owners.objects(owner);
        const auto cycles = [&](std::uint32_t o) { return of.measures.ledger->objects.cycles(o); };
        const auto most = std::max_element(blocks.begin(), blocks.end(),
                                           [&](std::uint32_t a, std::uint32_t b) { return cycles(a) < cycles(b); });
        return pickOfObject(of.trace.objects()[*most].name, of);
    }
    return std::nullopt;
}

bool costsNeedHistory(const Overlays& overlays) {
    return overlays.costs && costTable(overlays.costTab).ofHistory;
}

std::vector<std::string_view> costTableWords() {
    std::vector<std::string_view> words;
    words.reserve(kCostTables.size());
    for (const CostTable& table : kCostTables) words.push_back(table.word);
    return words;
}

}  // namespace whorl::app
