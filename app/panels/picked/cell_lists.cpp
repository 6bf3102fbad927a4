// What lived in the picked place, and which source lines used it, as tables.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/picked/picked_parts.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/views/history/place_histories.h"
#include "sim/report/place_tables.h"

namespace whorl::app {

namespace {

/// The command that picks what a row names, so that it is outlined everywhere.
std::optional<Command> pickOf(const PanelContext& c, const std::string& name) {
    const sim::Trace& trace = c.trace();
    const auto named = [&](const auto& things) {
        return std::find_if(things.begin(), things.end(), [&](const auto& t) { return t.name == name; });
    };
    if (const auto object = named(trace.objects()); object != trace.objects().end()) {
        const auto id = static_cast<std::uint32_t>(object - trace.objects().begin());
        return command::PickObject{{sim::CostNode::Kind::object, id, object->base}};
    }
    if (const auto region = named(trace.regions()); region != trace.regions().end()) {
        const auto id = static_cast<std::uint32_t>(region - trace.regions().begin());
        return command::PickObject{{sim::CostNode::Kind::region, id, region->base}};
    }
    return std::nullopt;
}

/// The command that picks the word that a row names.
std::optional<Command> wordOf(const PanelContext& c, const std::string& name) {
    const auto word = sim::placeNamed(name, c.trace(), c.machine());
    if (!word) return std::nullopt;
    return command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = word->from}};
}

/// The command that shows a source line.
std::optional<Command> lineOf(const PanelContext&, const std::string& name) {
    if (name.find(':') == std::string::npos) return std::nullopt;
    return command::LookUp{name};
}

using CommandFor = std::optional<Command> (*)(const PanelContext&, const std::string&);

/// The table of `whorl history`, with the accesses that missed the nearest level.
sim::Table tableOf(const PanelContext& c, const std::string& thing, const std::vector<sim::PlaceRow>& rows) {
    const bool ofCache = pickedPlace(c.context)->kind == sim::Place::Kind::cache;
    sim::Table table = sim::placeRowTable(thing, rows, c.machine(), ofCache);
    table.columns.push_back({"misses", "miss"});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const std::uint64_t hits = rows[r].served.empty() ? 0 : rows[r].served.front();
        table.rows[r].emplace_back(rows[r].accesses - std::min(rows[r].accesses, hits));
    }
    return table;
}

void drawPlaces(const PanelContext& c, const std::shared_ptr<const PlaceHistories::Picked>& picked,
                const std::string& thing, const std::vector<sim::PlaceRow>& rows, CommandFor commandFor) {
    if (rows.empty()) return;
    KeptTable& kept = keptTable(c, "cell " + thing);
    kept.keep(TableSource({picked}), [&] { return tableOf(c, thing, rows); });
    constexpr auto kRough = NumberForm::rough;
    const std::string accesses = kept.table().columns[3].key;
    const auto hintOf = [&](std::size_t r) {
        const sim::PlaceRow& row = rows[r];
        return fmt::format("{}: accesses {} to {}, {} of them writes{}", row.name, grouped(row.first.value),
                           grouped(row.last.value), grouped(row.writes),
                           commandFor(c, row.name) ? "; click to show it" : "");
    };
    drawTable(c, kept,
              {.thing = thing,
               .columns = {{.key = thing},
                           {.key = "first", .form = kRough, .ascends = true},
                           {.key = accesses, .heading = "acc.", .form = kRough, .keeps = 1},
                           {.key = "misses", .form = kRough, .keeps = 2},
                           {.key = "penalty", .heading = "cyc.", .form = kRough, .keeps = 3}},
               .others = std::nullopt,
               .order = "penalty",
               .isTight = true,
               .most = 12,
               .row = [&](std::size_t r) { return RowLook{.hint = hintOf(r)}; },
               .clicked =
                   [&](std::size_t r) {
                       if (const auto command = commandFor(c, rows[r].name)) c.queue(*command);
                   }});
}

}  // namespace

void drawCell(const PanelContext& c) {
    if (!pickedPlace(c.context) || c.runs.open() == nullptr) return;
    const PlaceHistories& histories = c.runs.open()->of<PlaceHistories>();
    const auto picked = histories.picked(c.context);
    if (!picked) {
        const double share = histories.fractionOfPicked();
        return muted(c,
                     share < 0 ? "its accesses: being computed" : fmt::format("its accesses: {:.0f} %", 100 * share));
    }
    if (picked->names.empty() && picked->lines.empty()) return;
    ImGui::Dummy({0, 3 * c.scale});
    mutedWrapped(c, picked->title);
    drawPlaces(c, picked, "name", picked->names, pickOf);
    drawPlaces(c, picked, "word", picked->words, wordOf);
    drawPlaces(c, picked, "line", picked->lines, lineOf);
}

}  // namespace whorl::app
