// A table of what costs most: sorted by a heading, filtered by name, picked by a click, exported as CSV.
#include <fmt/format.h>

#include <memory>

#include "app/panels/cost_parts.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// The kinds of misses of a level, which are in the columns after it, and what misses count where that matters.
std::string kindsAfter(const KeptTable& kept, std::size_t r, const std::string& key) {
    if (!key.ends_with("_misses")) return {};
    const std::vector<sim::Cell>& row = kept.table().rows[r];
    const std::size_t column = sim::columnOf(kept.table().columns, key);
    std::string out;
    for (std::size_t k = 0; k < sim::kMissKinds && column + 1 + k < row.size(); ++k) {
        const auto* const n = std::get_if<std::uint64_t>(&row[column + 1 + k]);
        if (n != nullptr && *n > 0)
            out += fmt::format("{}{} {}", out.empty() ? "" : "\n", grouped(*n), sim::kMissKindWords[k]);
    }
    if (!out.empty() && sim::hasMoreMisses(kept.table(), row)) out += fmt::format("\n{}", sim::kUnitOfMisses);
    return out;
}

}  // namespace

void pickCost(const PanelContext& c, const std::optional<Command>& pick) {
    if (!pick) return;
    if (pick->id() == command::PickSource::kForm.id && c.context.player.playing()) c.queue(command::Play{});
    c.queue(*pick);
}

void drawCostTable(const PanelContext& c, const SharedMeasures& measures) {
    const CostTab tab = c.session.overlays.costTab;
    const CostTable& its = costTable(tab);
    if (measures == nullptr) {
        muted(c, c.context.range ? "being measured …" : "When the run is simulated to its end.");
        return;
    }
    std::shared_ptr<const sim::History> history;
    if (its.ofHistory && c.historyViews() != nullptr) history = c.historyViews()->shared();
    if (its.ofHistory && history == nullptr) {
        muted(c, "being computed …");
        return;
    }
    const CostSources of{*measures, history.get(), c.trace()};
    KeptTable& kept = keptTable(c, "costs");
    kept.keep(TableSource({measures, history}, {static_cast<double>(tab)}), [&] { return *tableFor(tab, of); });
    if (kept.table().rows.empty()) {
        muted(c, "The trace has none.");
        return;
    }
    drawTableTools(c, kept, "costs", fmt::format("whorl-{}", its.word));
    const MutedScope aged(c, c.context.range.has_value() && c.isOld());
    const auto nameOf = [&](std::size_t r) { return cellText(kept.table().rows[r].front()); };
    drawTable(c, kept,
              {.thing = "cost",
               .order = "cycles",
               .room = TableLook::Room::sideways,
               .row = [&](std::size_t r) { return RowLook{.isChosen = nameOf(r) == c.edits.costs.picked}; },
               .clicked =
                   [&](std::size_t r) {
                       c.edits.costs.picked = nameOf(r);
                       if (its.pick != nullptr) pickCost(c, its.pick(nameOf(r), of));
                   },
               .hint = [&](std::size_t r, const std::string& key) { return kindsAfter(kept, r, key); }});
}

}  // namespace whorl::app
