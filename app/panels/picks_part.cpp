// What is picked in the views of the history, in words.
#include <fmt/format.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/views/space/describe_node.h"
#include "render/scene/space/space_palette.h"
#include "sim/trace/source_lines.h"

namespace whorl::app {

namespace {

void drawDescription(const PanelContext& c, const char* what, const NodeDescription& description, scene::Rgba colour) {
    ImGui::PushStyleColor(ImGuiCol_Text, packed(nameColour(colour, c.context.ground)));
    wrapped(fmt::format("{} {}", what, description.title));
    ImGui::PopStyleColor();
    for (const std::string& line : description.lines) mutedWrapped(c, line);
}

}  // namespace

void drawPicks(const PanelContext& c) {
    const ViewSettings& viewSettings = c.context.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || !viewSettings.hasPicks()) return;
    const sim::History& history = c.historyViews()->history();
    const sim::Trace& trace = c.historyViews()->trace();
    const scene::SpacePalette& palette = scene::spacePaletteFor(c.context.ground);
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

}  // namespace whorl::app
