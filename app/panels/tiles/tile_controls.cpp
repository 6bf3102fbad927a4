#include "app/panels/tiles/tile_controls.h"

#include "app/views/tile_look.h"

namespace whorl::app {

void TileControls::begin() {
    const float margin = 8 * c_.scale;
    const float text = viewText(c_.scale);
    ImGui::PushFont(c_.fonts.small);
    ImGui::PushID(wordOf(tile_.view).c_str());
    const float more = ImGui::CalcTextSize("…").x + 2 * ImGui::GetStyle().FramePadding.x + 6 * c_.scale;
    right_ = static_cast<float>(tile_.where.x + tile_.where.width) - margin - more;
    ImGui::SetCursorScreenPos(
        {static_cast<float>(tile_.where.x) + margin, static_cast<float>(tile_.where.y) + std::round(1.9f * text)});
}

/// The button for the rest, if there is one. Whether the list of all is open.
bool TileControls::endsOpen() {
    if (isOver_) {
        ImGui::SameLine(0, 6 * c_.scale);
        if (ImGui::SmallButton("…")) ImGui::OpenPopup("controls");
        named("more", "all settings of this view");
    }
    return ImGui::BeginPopup("controls");
}

void TileControls::end() const {
    ImGui::PopID();
    ImGui::PopFont();
}

/// Whether another control of this width fits; continues the line.
bool TileControls::next(float width) {
    if (isList_) return true;
    if (isFirst_) {
        isFirst_ = false;
        return true;
    }
    const float gap = 6 * c_.scale;
    // What follows one that does not fit is not drawn before it.
    isOver_ = isOver_ || ImGui::GetItemRectMax().x + gap + width > right_;
    if (isOver_) return false;
    ImGui::SameLine(0, gap);
    return true;
}

void TileControls::named(const char* id, const std::string& help) const {
    nameItem(c_, fmt::format("{}{} {}", isList_ ? "list " : "", id, wordOf(tile_.view)));
    hint(help);
}

void TileControls::toggle(const char* words, bool on, const Command& command, const std::string& help) {
    if (!next(ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x)) return;
    ImGui::PushStyleColor(ImGuiCol_Text, on ? c_.colours().accent : c_.colours().muted);
    if (ImGui::SmallButton(words)) c_.queue(command);
    ImGui::PopStyleColor();
    named(words, help);
}

}  // namespace whorl::app
