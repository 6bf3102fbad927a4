// The keys, from the list of bindings, over everything else.
#include <algorithm>
#include <span>
#include <vector>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// A binding whose words begin with this is the reverse of the previous one, and has no line of its own.
constexpr std::string_view kOtherWay = "…";

bool isOtherWay(const Binding& binding) {
    return binding.words.starts_with(kOtherWay);
}

/// The keys of a binding, and of its reverse.
std::string keysAt(std::span<const Binding> list, std::size_t index) {
    std::string out;
    for (std::size_t i = index; i == index || (i < list.size() && isOtherWay(list[i])); ++i) {
        for (const std::string_view key : list[i].keys) out += (out.empty() ? "" : "   ") + std::string(key);
    }
    return out;
}

void drawSection(const PanelContext& c, std::span<const Binding> list, std::string_view section) {
    heading(c, std::string(section).c_str());
    if (!ImGui::BeginTable(std::string(section).c_str(), 2, ImGuiTableFlags_SizingFixedFit)) return;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, 172 * c.scale);
    ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].section != section || isOtherWay(list[i])) continue;
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushStyleColor(ImGuiCol_Text, c.colours().accent);
        wrapped(keysAt(list, i));
        ImGui::PopStyleColor();
        ImGui::TableNextColumn();
        wrapped(std::string(list[i].words));
    }
    ImGui::EndTable();
    ImGui::Dummy({0, 2 * c.scale});
}

std::vector<std::string_view> sectionsOf(std::span<const Binding> list) {
    std::vector<std::string_view> out;
    for (const Binding& binding : list) {
        const bool known = std::find(out.begin(), out.end(), binding.section) != out.end();
        if (!known) out.push_back(binding.section);
    }
    return out;
}

void drawMouse(const PanelContext& c) {
    heading(c, "Mouse");
    for (const char* words :
         {"Point at anything for a description; click to select it; right-click for a menu.",
          "Shift and a click open the history of a block, a cell or an object.",
          "Click a CPU to show its caches alone; click a region's sign to change its colour.",
          "The wheel zooms, dragging pans, a double click shows the whole picture.",
          "Click the sentence to see the address in tag, set and offset; click regions to search for them.",
          "Drag on the strip to seek; with Shift or the right button, to select a range.",
          "In the strip, BlockViews and histories the wheel zooms the time, a double click shows all of it.",
          "Shift and a drag select a range there. In a BlockView, Ctrl and the wheel move the camera.",
          "Drag the lines between the panels to resize them."}) {
        wrapped(words);
    }
}

/// During a talk, of large text, the keys of the talk alone.
std::span<const Binding> shownKeys(const Session& session) {
    return session.talk.on ? stageBindings(session.presentation.has_value()) : bindings();
}

/// In two columns if they fit.
void drawAll(const PanelContext& c, bool two) {
    const std::span<const Binding> list = shownKeys(c.session);
    const auto all = sectionsOf(list);
    if (!ImGui::BeginTable("keys", two ? 2 : 1, ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    constexpr std::size_t kLeft = 6;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (two && i == kLeft) ImGui::TableNextColumn();
        drawSection(c, list, all[i]);
    }
    if (!c.session.talk.on) drawMouse(c);
    ImGui::EndTable();
}

}  // namespace

void drawHelp(const PanelContext& c) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
    // As wide as wanted and as high as its lines, limited by the window.
    const bool two = screen.x >= 1100 * c.scale;
    const float width = std::min((two ? 1240 : 620) * c.scale, screen.x - 8);
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, screen.y - 8});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoSavedSettings;
    bool open = true;
    const bool shown = ImGui::Begin("Keys", &open, flags);
    ImGui::PopStyleVar();
    // Smaller text on a small screen shows more keys at once; the others are reached by scrolling.
    const bool small = screen.y < 1000 * c.scale;
    if (small) ImGui::PushFont(c.fonts.small);
    if (shown) drawAll(c, two);
    if (small) ImGui::PopFont();
    ImGui::End();
    if (!open) c.queue(command::Help{});
}

}  // namespace whorl::app
