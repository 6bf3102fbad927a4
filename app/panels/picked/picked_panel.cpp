// What is picked, whatever picked it: its name, where it is in each level, who accessed it last, and how often; what it
// is linked to; and what lived in it.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/picked/picked_parts.h"
#include "app/panels/widgets.h"
#include "app/views/space/describe_node.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
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

void drawHeading(const PanelContext& c) {
    heading(c, "PICKED");
    ImGui::PushID("selected");  // the views have buttons of the same words
    ImGui::SameLine();
    button(c, "×", command::SelectNone{}, "deselect it (Escape)");
    const auto more = [&](const char* sign, const Command& command, const std::string& words) {
        flow(sign);
        button(c, sign, command, words);
    };
    if (const auto byte = c.context.marked()) {
        more(c.context.watches(*byte) ? "watched ✓" : "watch", command::WatchSelected{},
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

/// "B[3][0] · B [16×16]".
void drawTitle(const PanelContext& c, const PickedThing& thing) {
    const scene::Rgba hue = thing.region ? hueOfRegion(c, *thing.region) : scene::paletteFor(c.context.ground).text;
    ImGui::PushStyleColor(ImGuiCol_Text, packed(nameColour(hue, c.context.ground)));
    ImGui::PushFont(c.fonts.body);
    wrapped(thing.name);
    ImGui::PopFont();
    ImGui::PopStyleColor();
    if (thing.of.empty()) return;
    const std::string of = "· " + thing.of;
    const float room = ImGui::GetContentRegionMax().x + ImGui::GetWindowPos().x - ImGui::GetItemRectMax().x;
    if (ImGui::CalcTextSize(of.c_str()).x + 2 * ImGui::GetStyle().ItemSpacing.x < room) ImGui::SameLine();
    mutedWrapped(c, of);
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

/// Other parts of the rings, in the words of their tooltips; their first line is the title.
void drawPart(const PanelContext& c) {
    if (!c.context.selected) return;
    const scene::Target& target = c.context.selected->target;
    const auto lines = scene::describe(target, c.picture()->snapshot, c.runs.open()->composer().subject());
    for (std::size_t i = 1; i < lines.size(); ++i) mutedWrapped(c, lines[i]);
    if (target.kind == scene::Target::Kind::set) drawSet(c, target);
}

/// The memory in numbers: "0x1000, 32 bytes".
void drawAddress(const PanelContext& c, const PickedThing& thing) {
    if (!thing.memory) return;
    mutedWrapped(
        c, fmt::format("{:#x}, {}", thing.memory->from.value, sim::counted(thing.memory->bytes, "byte", "bytes")));
}

void drawThing(const PanelContext& c, const PickedThing& thing) {
    drawTitle(c, thing);
    drawAddress(c, thing);
    drawWhere(c, thing);
    if (thing.kind == PickedThing::Kind::part) drawPart(c);
    if (thing.kind == PickedThing::Kind::way) {
        const sim::Place& way = *c.context.viewSettings.place;
        drawSet(c, {.kind = scene::Target::Kind::set, .level = way.level, .cache = way.cache, .set = way.set});
    }
    const bool isAccessed = thing.kind == PickedThing::Kind::memory || thing.kind == PickedThing::Kind::way;
    const bool isMemory = isAccessed || thing.kind == PickedThing::Kind::region;
    if (isMemory) drawAccessesTo(c, thing);
    drawLinks(c, thing);
    drawPicks(c);
    if (isMemory) drawCell(c);
}

}  // namespace

void drawPickedPanel(const PanelContext& c) {
    if (c.picture() == nullptr) return heading(c, "PICKED");
    ImGui::PushFont(c.fonts.small);
    if (const auto thing = pickedThing(c)) {
        drawHeading(c);
        drawThing(c, *thing);
    } else {
        heading(c, "PICKED");
        mutedWrapped(c,
                     "Nothing is picked: click on a block, a ring, a region or a line to see where it is and who "
                     "accessed it.");
    }
    ImGui::PopFont();
}

}  // namespace whorl::app
