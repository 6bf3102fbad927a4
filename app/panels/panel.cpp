#include "app/panels/panel.h"

#include <fmt/format.h>

#include <cmath>

namespace whorl::app {

std::string roughBytes(std::uint64_t bytes) {
    auto amount = static_cast<double>(bytes);
    const char* unit = "";
    for (const char* next : {"K", "M", "G", "T"}) {
        if (amount < 1000) break;
        amount /= 1024;
        unit = next;
    }
    return fmt::format("{:.{}f}{}", amount, amount < 100 && amount != std::floor(amount) ? 1 : 0, unit);
}

ImU32 packed(scene::Rgba c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

ImU32 packed(const ImVec4& colour) {
    return ImGui::ColorConvertFloat4ToU32(colour);
}

void heading(const PanelContext& c, const char* words) {
    ImGui::PushFont(c.fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TextUnformatted(words);
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

void muted(const PanelContext& c, const std::string& words) {
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TextUnformatted(words.c_str());
    ImGui::PopStyleColor();
}

void hint(const std::string& words) {
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", words.c_str());
}

}  // namespace whorl::app
