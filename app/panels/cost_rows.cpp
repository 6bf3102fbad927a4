#include "app/panels/cost_rows.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "app/views/space/highlights.h"
#include "sim/report/history_tables.h"
#include "sim/report/report_rows.h"
#include "sim/report/tables.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

std::optional<sim::Grouping> groupingOf(CostTab tab) {
    switch (tab) {
        case CostTab::functions:
            return sim::Grouping::function;
        case CostTab::lines:
            return sim::Grouping::line;
        case CostTab::regions:
            return sim::Grouping::region;
        case CostTab::objects:
            return sim::Grouping::object;
        default:
            return std::nullopt;
    }
}

bool holds(std::string_view text, std::string_view part) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                   [&](char a, char b) { return lower(a) == lower(b); });
    return part.empty() || found != text.end();
}

const std::string& textIn(const sim::Cell& cell) {
    static const std::string kNone;
    const auto* const text = std::get_if<std::string>(&cell);
    return text == nullptr ? kNone : *text;
}

bool isNothing(const sim::Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

/// Whether a row comes before another. What has no value comes last.
bool isBefore(const sim::Table& table, const CostOrder& order, std::size_t a, std::size_t b) {
    const sim::Cell& one = table.rows[a][order.column];
    const sim::Cell& other = table.rows[b][order.column];
    if (isNothing(one) || isNothing(other)) return !isNothing(one) && isNothing(other);
    return order.isDescending ? other < one : one < other;
}

/// The costliest site for which something holds.
template <class Holds>
std::optional<std::uint32_t> costliest(const sim::TallyTable& sites, Holds&& isIt) {
    std::optional<std::uint32_t> best;
    for (std::uint32_t s = 0; s < sites.rows(); ++s) {
        if (isIt(s) && (!best || sites.cycles(s) > sites.cycles(*best))) best = s;
    }
    return best;
}

/// Adds what each row has of the cycles of all rows.
void addShare(sim::Table& table) {
    const auto cycles = std::find_if(table.columns.begin(), table.columns.end(),
                                     [](const sim::Column& column) { return column.key == "cycles"; });
    if (cycles == table.columns.end()) return;
    const auto at = cycles - table.columns.begin();
    const auto cyclesOf = [&](const std::vector<sim::Cell>& row) {
        const auto* const n = std::get_if<std::uint64_t>(&row[static_cast<std::size_t>(at)]);
        return n == nullptr ? 0 : *n;
    };
    std::uint64_t all = 0;
    for (const auto& row : table.rows) all += cyclesOf(row);
    table.columns.insert(cycles + 1, {"cycles_percent", "%"});
    for (auto& row : table.rows) row.insert(row.begin() + at + 1, 100 * sim::perAccess(cyclesOf(row), all));
}

std::optional<sim::Table> plainTable(CostTab tab, const sim::Measures& measures, const sim::History* history,
                                     const sim::Trace& trace) {
    if (const auto grouping = groupingOf(tab)) return sim::tableBy(*grouping, measures, trace, true);
    if (tab == CostTab::why || history == nullptr) return std::nullopt;
    return tab == CostTab::fields ? sim::fieldTable(*history, trace) : sim::classTable(*history);
}

}  // namespace

std::optional<sim::Table> costTable(CostTab tab, const sim::Measures& measures, const sim::History* history,
                                    const sim::Trace& trace) {
    auto table = plainTable(tab, measures, history, trace);
    if (table) addShare(*table);
    return table;
}

std::vector<std::size_t> costRows(const sim::Table& table, std::string_view filter, const CostOrder& order) {
    std::vector<std::size_t> rows(table.rows.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::erase_if(rows, [&](std::size_t r) { return !holds(textIn(table.rows[r].front()), filter); });
    if (order.column >= table.columns.size()) return rows;
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return isBefore(table, order, a, b); });
    return rows;
}

std::vector<std::size_t> sharingRows(const sim::SharingTable& table, std::string_view filter, const CostOrder& order) {
    const auto isNamed = [&](std::size_t r) {
        const auto& row = table.table.rows[r];
        return holds(textIn(row[static_cast<std::size_t>(sim::SharingColumn::place)]), filter) ||
               holds(textIn(row[static_cast<std::size_t>(sim::SharingColumn::block)]), filter);
    };
    // Each block's row, then those of its offsets.
    std::vector<std::vector<std::size_t>> blocks;
    for (std::size_t r = 0; r < table.rows.size();) {
        std::vector<std::size_t> block{r};
        const bool isWhole = isNamed(r);
        for (++r; r < table.rows.size() && table.rows[r].field; ++r) {
            if (isWhole || isNamed(r)) block.push_back(r);
        }
        if (isWhole || block.size() > 1) blocks.push_back(std::move(block));
    }
    if (order.column < table.table.columns.size()) {
        const auto before = [&](std::size_t a, std::size_t b) { return isBefore(table.table, order, a, b); };
        for (auto& block : blocks) std::stable_sort(block.begin() + 1, block.end(), before);
        std::stable_sort(blocks.begin(), blocks.end(),
                         [&](const auto& a, const auto& b) { return before(a.front(), b.front()); });
    }
    std::vector<std::size_t> rows;
    rows.reserve(table.rows.size());
    for (const auto& block : blocks) rows.insert(rows.end(), block.begin(), block.end());
    return rows;
}

sim::Table onlyRows(const sim::Table& table, const std::vector<std::size_t>& rows) {
    sim::Table out = table;
    out.rows.clear();
    for (const std::size_t r : rows) out.rows.push_back(table.rows[r]);
    return out;
}

std::optional<Command> pickOf(CostTab tab, std::string_view name, const sim::Measures& measures,
                              const sim::Trace& trace) {
    const auto source = [](std::optional<std::uint32_t> site) {
        return site ? std::optional<Command>(command::PickSource{*site}) : std::nullopt;
    };
    const sim::TallyTable& sites = measures.ledger->sites;
    switch (tab) {
        case CostTab::functions:
            return source(costliest(sites, [&](std::uint32_t s) {
                const std::uint32_t function = trace.sites()[s].function;
                return function != 0 && trace.functions()[function] == name;
            }));
        case CostTab::lines:
            return source(
                costliest(sites, [&](std::uint32_t s) { return sim::siteName(trace, trace.sites()[s]) == name; }));
        case CostTab::regions:
            for (std::uint32_t r = 0; r < trace.regions().size(); ++r) {
                if (trace.regions()[r].name == name) return command::PickRegion{r};
            }
            return std::nullopt;
        case CostTab::objects:
            for (std::uint32_t o = 0; o < trace.objects().size(); ++o) {
                const sim::Object& object = trace.objects()[o];
                if (object.name != name) continue;
                return command::PickObject{{.kind = sim::CostNode::Kind::object, .id = o, .address = object.base}};
            }
            return std::nullopt;
        case CostTab::classes:
            return command::ClassColoured{std::string(name)};
        default:
            return std::nullopt;
    }
}

Commands picksOf(const sim::SharingReport& report, const sim::SharingRow& row, const sim::History* history,
                 const ViewSettings& settings) {
    const sim::SharedBlock& block = report.blocks[row.block];
    Commands out;
    if (!settings.showsKind(ViewId::Kind::blocks)) {
        out.push_back(command::View{{ViewId::Kind::blocks, static_cast<std::uint8_t>(block.level)}});
    }
    const auto word = [&](sim::ByteAddress address) {
        out.push_back(command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = address}});
    };
    if (row.field) {
        word(block.fields[*row.field].address);
        return out;
    }
    if (const auto stay = history == nullptr ? std::nullopt : firstStay(*history, block.level, block.block)) {
        // Of earlier picks, nothing else is to be lit.
        out.push_back(command::SelectNone{});
        out.push_back(command::PickStay{*stay, sim::ByteAddress{block.block.value * report.blockSizes[block.level]}});
        return out;
    }
    const auto costliest =
        std::max_element(block.fields.begin(), block.fields.end(),
                         [](const sim::SharedField& a, const sim::SharedField& b) { return a.lost < b.lost; });
    if (costliest != block.fields.end()) word(costliest->address);
    return out;
}

}  // namespace whorl::app
