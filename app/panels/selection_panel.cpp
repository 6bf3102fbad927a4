// What is selected, in the rings or in any other view, and what is watched: in words, at the playhead.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
#include "sim/report/place_tables.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

/// The text for a selection without costs.
constexpr const char* kUnused = "no access in the range";

void button(const PanelContext& c, const char* sign, const Command& command, const std::string& words) {
    if (ImGui::SmallButton(sign)) c.queue(command);
    nameItem(c, std::string("button ") + sign);
    hint(words);
}

bool isWatched(const PanelContext& c, sim::ByteAddress byte) {
    const std::uint64_t block = c.machine().blockBytes();
    return std::any_of(c.context.watched.begin(), c.context.watched.end(),
                       [&](sim::ByteAddress w) { return w.value / block == byte.value / block; });
}

void drawHeading(const PanelContext& c) {
    heading(c, "SELECTED");
    ImGui::PushID("selected");  // the views have buttons of the same words
    ImGui::SameLine();
    button(c, "×", command::SelectNone{}, "deselect it (Escape)");
    const auto more = [&](const char* sign, const Command& command, const std::string& words) {
        flow(sign);
        button(c, sign, command, words);
    };
    if (const auto byte = c.context.marked()) {
        more(isWatched(c, *byte) ? "watched ✓" : "watch", command::WatchSelected{},
             "watch it: list it and mark it in the picture (w)");
    }
    if (placeOf(c.session, {ViewId::Kind::history})) {
        more("history", command::HistoryShow{}, "show all accesses to it over time (Shift and a click)");
    }
    if (lifeOf(c.session, {ViewId::Kind::life})) {
        more("life", command::LifeShow{}, "show who touched it, on which CPU, and what its moves cost (Alt+F)");
    }
    ImGui::PopID();
}

/// What is selected in the rings.
void drawSelected(const PanelContext& c) {
    if (!c.context.selected) return;
    const Selection& selected = *c.context.selected;
    const scene::Subject& subject = c.runs.open()->composer().subject();
    const sim::Snapshot& snapshot = c.picture()->snapshot;
    // What is selected as a byte is in a block of its own size in each level.
    const bool isByte = selected.byte && selected.target.kind == scene::Target::Kind::slot;
    const auto lines = isByte ? scene::describeByte(*selected.byte, snapshot, subject)
                              : scene::describe(selected.target, snapshot, subject);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i == 0) {
            wrapped(lines[i]);
        } else {
            mutedWrapped(c, lines[i]);
        }
    }
    if (lines.empty()) mutedWrapped(c, "It is no longer in the picture.");
}

/// "L1 set 3, rank 1 of 2": where a level holds it, in the first of its caches that does.
std::string whereIn(const PanelContext& c, std::size_t level, sim::ByteAddress byte) {
    const sim::Snapshot& snapshot = c.picture()->snapshot;
    const std::string& name = c.machine().levels[level].name;
    std::string out;
    std::uint32_t more = 0;
    for (std::uint32_t i = 0; i < c.machine().caches(level); ++i) {
        const sim::Cache& cache = snapshot.cache(level, i);
        const sim::BlockAddress block = cache.blockOf(byte);
        const std::uint32_t way = cache.find(block);
        if (way == sim::Cache::kNoWay) continue;
        if (!out.empty()) {
            ++more;
            continue;
        }
        const sim::SetIndex set = cache.setOf(block);
        const sim::Line line = cache.line(set, sim::WayIndex{way});
        const std::string which = c.machine().caches(level) > 1 ? fmt::format(" #{}", i) : "";
        out = fmt::format("{}{} set {}, rank {} of {}{}", name, which, set.value, line.rank + 1, cache.ways(),
                          line.dirty ? ", dirty" : "");
    }
    if (more > 0) out += fmt::format(", and {} more", more);
    return out;
}

void drawWatchedBlock(const PanelContext& c, sim::ByteAddress byte) {
    ImGui::PushID(std::to_string(byte.value).c_str());
    const double begun = std::ceil(c.context.player.position());
    const sim::Tick now{begun > 0 ? static_cast<std::uint64_t>(begun) - 1 : 0};
    const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float width = ImGui::GetContentRegionAvail().x - cross - 4 * c.scale;
    const bool chosen = c.context.marked() == byte;
    if (ImGui::Selectable(c.trace().placeOf(byte, now).c_str(), chosen, 0, {std::max(20.0f, width), 0})) {
        c.queue(command::Select{byte});
    }
    hint(fmt::format("{:#x}: click to select it", byte.value));
    ImGui::SameLine(0, 4 * c.scale);
    if (ImGui::SmallButton("×")) c.queue(command::Watch{byte});
    hint("stop watching it");
    bool anywhere = false;
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const std::string where = whereIn(c, l, byte);
        if (where.empty()) continue;
        anywhere = true;
        muted(c, "  " + where);
    }
    if (!anywhere) muted(c, "  in memory only");
    ImGui::PopID();
}

void drawDescription(const PanelContext& c, const char* what, const NodeDescription& description, scene::Rgba colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, packed(nameColour(colour, c.context.ground)));
    wrapped(fmt::format("{} {}", what, description.title));
    ImGui::PopStyleColor();
    for (const std::string& line : description.lines) mutedWrapped(c, line);
}

/// The picked source line, object and stay, in words.
void drawPicks(const PanelContext& c) {
    const ViewSettings& viewSettings = c.context.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || !viewSettings.hasPicks()) return;
    const sim::History& history = c.historyViews()->history();
    const sim::Trace& trace = c.historyViews()->trace();
    const scene::Palette& palette = scene::paletteFor(c.context.ground);
    if (viewSettings.source) {
        const auto node = find(history, *viewSettings.source);
        const sim::Site& site = trace.site(sim::SiteId{viewSettings.source->site});
        drawDescription(
            c, "line", node ? describeSource(history, trace, *node) : NodeDescription{siteName(trace, site), {kUnused}},
            palette.source);
    }
    if (viewSettings.object) {
        const auto word = findWord(history, *viewSettings.object);
        const auto node = word ? word : findObject(history, *viewSettings.object);
        const std::string name = nameOfPick(*viewSettings.object, memoryOf(*viewSettings.object, trace), trace);
        drawDescription(
            c, "object",
            node ? describeObject(history, trace, word.has_value(), *node) : NodeDescription{name, {kUnused}},
            palette.object);
    }
    if (viewSettings.stay) {
        const sim::History& all = c.historyViews({ViewId::Kind::blocks})->history();
        const auto stay = find(all, *viewSettings.stay);
        if (stay)
            drawDescription(c, "stay of", describeStay(all, trace, viewSettings.stay->level, *stay), palette.picked);
    }
}

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
    const bool ofCache = c.context.viewSettings.place->kind == sim::Place::Kind::cache;
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
    if (!c.context.viewSettings.place || c.runs.open() == nullptr) return;
    if (const auto picked = c.runs.open()->of<PlaceHistories>().picked()) {
        mutedWrapped(c, picked->title);
        if (picked->names.empty() && picked->lines.empty()) muted(c, kUnused);
        drawPlaces(c, picked, "name", picked->names, pickOf);
        drawPlaces(c, picked, "word", picked->words, wordOf);
        drawPlaces(c, picked, "line", picked->lines, lineOf);
    } else {
        muted(c, "being computed");
    }
}

void drawSelectionPanel(const PanelContext& c) {
    if (c.picture() == nullptr) return;
    if (c.context.selected || c.context.viewSettings.hasPicks()) {
        ImGui::PushFont(c.fonts.small);
        drawHeading(c);
        drawPicks(c);
        drawSelected(c);
        drawCell(c);
        ImGui::PopFont();
        ImGui::Dummy({0, 6 * c.scale});
    }
    if (c.context.watched.empty()) return;
    heading(c, "WATCHED");
    ImGui::PushFont(c.fonts.small);
    for (const sim::ByteAddress byte : c.context.watched) drawWatchedBlock(c, byte);
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
