// Draws the bar of menus and the menu of what is under the mouse.
#include <imgui.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/menus.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

constexpr const char* kContextMenu = "context menu";
constexpr float kBar = 26;  ///< its height, pixels at scale 1

void drawItems(const PanelContext& c, const std::vector<MenuItem>& items);

void drawItem(const PanelContext& c, const MenuItem& item) {
    if (item.begins) ImGui::Separator();
    const char* const words = item.words.c_str();
    const bool opens = item.commands.empty();
    ImGui::PushStyleColor(ImGuiCol_Text, item.isOff ? c.colours().muted : c.colours().text);
    const bool isChosen = opens ? ImGui::BeginMenu(words, !item.isOff)
                                : ImGui::MenuItem(words, item.keys.c_str(), item.on.value_or(false), !item.isOff);
    ImGui::PopStyleColor();
    nameItem(c, "menu " + item.words);
    if (!isChosen) return;
    for (const Command& command : item.commands) c.queue(command);
    if (!opens) return;
    drawItems(c, item.items);
    ImGui::EndMenu();
}

void drawItems(const PanelContext& c, const std::vector<MenuItem>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
        ImGui::PushID(static_cast<int>(i));
        drawItem(c, items[i]);
        ImGui::PopID();
    }
}

/// The command that picks what is selected.
std::optional<Command> pickAgain(const RunContext& context) {
    const ViewSettings& picks = context.viewSettings;
    if (picks.source && picks.sourceIsNewer) return command::PickSource{picks.source->site};
    if (const auto byte = context.marked()) return command::Select{*byte};
    if (context.selected) return command::SelectPart{context.selected->target};
    return std::nullopt;
}

float widthOf(const MenuItem& item) {
    return ImGui::CalcTextSize(item.words.c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
}

/// As many as have room at the right end, the first ones before the others.
void drawButtons(const PanelContext& c, float width) {
    std::vector<MenuItem> buttons = menuButtons(c.session);
    const float gap = 6 * c.scale;
    float all = 0;
    for (const MenuItem& button : buttons) all += widthOf(button) + gap;
    for (; !buttons.empty() && ImGui::GetCursorPosX() + gap + all > width; buttons.pop_back()) {
        all -= widthOf(buttons.back()) + gap;
    }
    ImGui::SetCursorPosX(width - all);
    for (const MenuItem& button : buttons) {
        ImGui::BeginDisabled(button.isOff);
        ImGui::PushStyleColor(ImGuiCol_Text, button.isOff                ? c.colours().muted
                                             : button.on.value_or(false) ? c.colours().accent
                                                                         : c.colours().text);
        if (ImGui::SmallButton(button.words.c_str())) {
            if (button.commands.empty()) ImGui::OpenPopup(button.words.c_str());
            for (const Command& command : button.commands) c.queue(command);
        }
        ImGui::PopStyleColor();
        ImGui::EndDisabled();
        nameItem(c, "button " + button.words);
        if (!button.commands.empty()) hint(wordsWithKey(button.commands.front()));
        ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y});
        if (ImGui::BeginPopup(button.words.c_str())) {
            drawItems(c, button.items);
            ImGui::EndPopup();
        }
        ImGui::SameLine(0, gap);
    }
}

}  // namespace

float menuBarHeight(const Session& session, float scale) {
    return session.panels && session.menuBar && !session.onStage() ? std::round(kBar * scale) : 0;
}

void drawMenuBar(const PanelContext& c, float width) {
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, menuBarHeight(c.session, c.scale)});
    ImGui::PushFont(c.fonts.small);
    const float padding = (menuBarHeight(c.session, c.scale) - ImGui::GetFontSize()) / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8 * c.scale, padding});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    const auto flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                       ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_MenuBar;
    ImGui::Begin("##menus", nullptr, flags);
    ImGui::PopStyleVar(3);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {8 * c.scale, padding});
    if (ImGui::BeginMenuBar()) {
        if (c.session.focus == Field::menus) {
            ImGui::OpenPopup(menuBar().front().title);
            c.queue(command::Focus{Field::none});
        }
        for (const Menu& menu : menuBar()) {
            const bool isOpen = ImGui::BeginMenu(menu.title);
            nameItem(c, std::string("menu ") + menu.title);
            if (!isOpen) continue;
            drawItems(c, menu.items(c.session));
            ImGui::EndMenu();
        }
        drawButtons(c, width);
        ImGui::EndMenuBar();
    }
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopFont();
}

void drawContextMenu(const PanelContext& c) {
    ContextMenu& menu = c.edits.menu;
    if (c.session.focus == Field::contextMenu) {
        c.queue(command::Focus{Field::none});
        std::optional<Command> pick = std::exchange(c.edits.menuOf, std::nullopt);
        if (!pick) pick = pickAgain(c.context);
        menu = {{.pick = std::move(pick), .view = c.context.viewSettings.active, .ofRange = true}, true};
    }
    if (menu.opens) ImGui::OpenPopup(kContextMenu);
    menu.opens = false;
    ImGui::PushFont(c.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {8 * c.scale, 8 * c.scale});
    if (ImGui::BeginPopup(kContextMenu)) {
        if (!menu.subject.name.empty()) muted(c, cut(menu.subject.name, 320 * c.scale));
        drawItems(c, contextMenu(c.session, menu.subject));
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    ImGui::PopFont();
}

}  // namespace whorl::app
