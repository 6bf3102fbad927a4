#include "app/panels/tiles/tile_controls.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "app/panels/widgets.h"
#include "app/views/tile_look.h"

namespace whorl::app {

namespace {

/// Draws controls one after the other: in a row, or in a list.
class ControlRow {
  public:
    ControlRow(const PanelContext& c, const Tile& tile, float right, bool isList)
        : c_(c), tile_(tile), right_(right), isList_(isList) {}

    void draw(const ViewControl& control) {
        std::visit([&](const auto& is) { draw(control, is); }, control.is);
    }
    /// Some did not fit.
    bool isOver() const { return isOver_; }

  private:
    void draw(const ViewControl& control, const ViewControl::Toggle& toggle) {
        const char* const words = control.id.c_str();
        if (!next(ImGui::CalcTextSize(words).x + 2 * ImGui::GetStyle().FramePadding.x)) return;
        ImGui::PushStyleColor(ImGuiCol_Text, toggle.on ? c_.colours().accent : c_.colours().muted);
        if (ImGui::SmallButton(words)) c_.queue(toggle.command);
        ImGui::PopStyleColor();
        name(control);
    }
    void draw(const ViewControl& control, const ViewControl::Choice& choice) {
        if (!next(choice.width * c_.scale)) return;
        ImGui::SetNextItemWidth(choice.width * c_.scale);
        std::vector<std::string_view> words;
        words.reserve(choice.options.size());
        for (const ViewControl::Option& option : choice.options) words.emplace_back(option.words);
        combo(c_, fmt::format("##{}", control.id).c_str(), words, choice.now,
              [&](std::size_t i) { return choice.options[i].command; });
        name(control);
    }
    void draw(const ViewControl& control, const ViewControl::Slider& slider) {
        if (!next(slider.width * c_.scale)) return;
        ImGui::SetNextItemWidth(slider.width * c_.scale);
        const auto flags = ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp;
        float now = slider.now;
        const std::string id = fmt::format("##{}", control.id);
        if (ImGui::SliderFloat(id.c_str(), &now, slider.least, slider.most, slider.format, flags)) {
            c_.queue(slider.commandFor(std::round(now)));
        }
        name(control);
    }

    /// Whether another control of this width fits; continues the line.
    bool next(float width) {
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
    void name(const ViewControl& control) const {
        nameItem(c_, fmt::format("{}{} {}", isList_ ? "list " : "", control.id, wordOf(tile_.view)));
        hint(control.help);
    }

    const PanelContext& c_;
    const Tile& tile_;
    float right_;
    bool isList_;  ///< below each other: all fit
    bool isFirst_ = true;
    bool isOver_ = false;
};

/// All of them, below each other, once the button at the end of the row was pressed.
void drawList(const PanelContext& c, const Tile& tile, std::span<const ViewControl> controls) {
    if (!ImGui::BeginPopup("controls")) return;
    ControlRow list(c, tile, 0, true);
    for (const ViewControl& control : controls) list.draw(control);
    ImGui::EndPopup();
}

}  // namespace

void drawControls(const PanelContext& c, const Tile& tile, std::span<const ViewControl> controls) {
    if (controls.empty()) return;
    const float margin = 8 * c.scale;
    ImGui::PushFont(c.fonts.small);
    ImGui::PushID(wordOf(tile.view).c_str());
    const float more = ImGui::CalcTextSize("…").x + 2 * ImGui::GetStyle().FramePadding.x + 6 * c.scale;
    const float right = static_cast<float>(tile.where.x + tile.where.width) - margin - more;
    ImGui::SetCursorScreenPos({static_cast<float>(tile.where.x) + margin,
                               static_cast<float>(tile.where.y) + std::round(1.9f * viewText(c.scale))});
    ControlRow row(c, tile, right, false);
    for (const ViewControl& control : controls) row.draw(control);
    if (row.isOver()) {
        ImGui::SameLine(0, 6 * c.scale);
        if (ImGui::SmallButton("…")) ImGui::OpenPopup("controls");
        nameItem(c, fmt::format("more {}", wordOf(tile.view)));
        hint("all settings of this view");
    }
    drawList(c, tile, controls);
    ImGui::PopID();
    ImGui::PopFont();
}

}  // namespace whorl::app
