// What is picked in the views of the history, in words.
#include <fmt/format.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/views/space/describe_node.h"
#include "render/scene/space/space_palette.h"

namespace whorl::app {

namespace {

void drawDescription(const PanelContext& c, const char* what, const NodeDescription& description, scene::Rgba colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, packed(nameColour(colour, c.session.ground)));
    wrapped(fmt::format("{} {}", what, description.title));
    ImGui::PopStyleColor();
    for (const std::string& line : description.lines) mutedWrapped(c, line);
}

}  // namespace

void drawPicksPanel(const PanelContext& c) {
    const ViewSettings& viewSettings = c.session.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || !viewSettings.hasPicks()) return;
    const sim::History& history = c.historyViews()->history();
    const sim::Trace& trace = c.historyViews()->trace();
    const scene::SpacePalette& palette = scene::spacePaletteFor(c.session.ground);
    heading(c, "PICKED");
    ImGui::SameLine();
    if (ImGui::SmallButton("×")) c.queue(command::PickNone{});
    hint("deselect it (Escape)");
    if (viewSettings.object || viewSettings.stay) {
        ImGui::SameLine();
        if (ImGui::SmallButton("life##picked")) c.queue(command::LifeShow{});
        nameItem(c, "button life");
        hint("show who touched it, on which CPU, and what its moves cost (Alt+F)");
    }
    ImGui::PushFont(c.fonts.small);
    if (viewSettings.source) {
        const auto node = find(history, *viewSettings.source);
        if (node) drawDescription(c, "line", describeSource(history, trace, *node), palette.source);
    }
    if (viewSettings.object) {
        const auto word = findWord(history, *viewSettings.object);
        const auto node = word ? word : findObject(history, *viewSettings.object);
        if (node) drawDescription(c, "object", describeObject(history, trace, word.has_value(), *node), palette.object);
    }
    if (viewSettings.stay) {
        const sim::History& all = c.historyViews({ViewId::Kind::blocks})->history();
        const auto stay = find(all, *viewSettings.stay);
        if (stay)
            drawDescription(c, "stay of", describeStay(all, trace, viewSettings.stay->level, *stay), palette.picked);
    }
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
