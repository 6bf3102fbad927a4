// The keys, from the registry, over everything else.
#include <algorithm>
#include <vector>

#include "app/panels/panel.h"

namespace whorl::app {

namespace {

std::string keysOf(const Action& action) {
    std::string out;
    for (const std::string_view key : action.keys) out += (out.empty() ? "" : "   ") + std::string(key);
    return out;
}

void drawSection(const PanelContext& c, std::string_view section) {
    heading(c, std::string(section).c_str());
    if (!ImGui::BeginTable(std::string(section).c_str(), 2, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 190 * c.scale);
    ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
    for (const Action& action : actions()) {
        if (action.section != section) continue;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
        ImGui::TextUnformatted(keysOf(action).c_str());
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(std::string(action.words).c_str());
    }
    ImGui::EndTable();
    ImGui::Dummy({0, 2 * c.scale});
}

}  // namespace

void drawHelp(const PanelContext& c) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    // As wide as wanted and as high as its lines, unless the window is smaller.
    const float width = std::min(620 * c.scale, screen.x - 8);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - 8});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoSavedSettings;
    bool open = true;
    const bool shown = ImGui::Begin("Keys", &open, flags);
    ImGui::PopStyleVar();
    if (shown) {
        std::vector<std::string_view> sections;
        for (const Action& action : actions()) {
            const bool known = std::find(sections.begin(), sections.end(), action.section) != sections.end();
            if (!action.section.empty() && !known) sections.push_back(action.section);
        }
        for (const std::string_view section : sections) drawSection(c, section);
        heading(c, "Mouse");
        ImGui::TextUnformatted("Point at a block to read what it is; click it to ring it wherever it goes.");
        ImGui::TextUnformatted(
            "Drag the strip at the bottom to go anywhere in the trace; with Shift, or with the right");
        ImGui::TextUnformatted("button, to choose a range of it.");
        ImGui::TextUnformatted("Drag the lines between the panels to resize them.");
    }
    ImGui::End();
    if (!open) c.queue("help");
}

}  // namespace whorl::app
