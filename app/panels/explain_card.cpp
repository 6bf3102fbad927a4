// The address of the access in motion as each level takes it apart, as bit fields; and what became of it there.
#include <fmt/format.h>

#include <algorithm>

#include "app/explain.h"
#include "app/panels/overlays.h"
#include "sim/run/sentence.h"

namespace whorl::app {

namespace {

/// The parts of an address, side by side in one table column each: so that those of all levels can be compared.
void drawField(const PanelContext& c, const std::string& name, const std::string& value, const std::string& bits,
               ImVec4 colour) {
    ImGui::TableNextColumn();
    ImGui::PushFont(c.fonts.mono);
    const std::string shown = bits.empty() ? value : bits;
    const ImVec2 size = ImGui::CalcTextSize(shown.c_str());
    const float pad = 5 * c.scale;
    const float width = std::max(ImGui::GetContentRegionAvail().x, size.x + 2 * pad);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + width, at.y + size.y + 4 * c.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec4 bed = colour;
    bed.w = 0.16f;
    list.AddRectFilled(at, to, packed(bed), 2);
    list.AddRect(at, to, packed(colour), 2);
    list.AddText({at.x + (width - size.x) / 2, at.y + 2 * c.scale}, packed(c.colours().text), shown.c_str());
    ImGui::Dummy({size.x + 2 * pad, size.y + 4 * c.scale});
    ImGui::PopFont();
    muted(c, name.empty() ? value : fmt::format("{} {}", name, value));
}

void drawLevel(const PanelContext& c, const LevelExplained& level) {
    // More digits than this are no picture any more.
    constexpr unsigned kMostDigits = 16;
    const Theme colours = c.colours();
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(level.name.c_str());
    drawField(c, "tag", "", fmt::format("{:#x}", level.tag), colours.muted);
    const std::string set =
        level.setBits > kMostDigits ? fmt::format("{:#x}", level.set) : binary(level.set, level.setBits);
    drawField(c, "set", fmt::format("{}", level.set), set.empty() ? "no bits" : set, colours.accent);
    const std::string offset =
        level.offsetBits > kMostDigits ? fmt::format("{:#x}", level.offset) : binary(level.offset, level.offsetBits);
    drawField(c, "byte", fmt::format("{}", level.offset), offset.empty() ? "no bits" : offset, colours.warning);
    ImGui::TableNextColumn();
    const bool missed = level.asked && !level.hit;
    ImGui::PushStyleColor(ImGuiCol_Text, missed ? colours.warning : level.asked ? colours.text : colours.muted);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(level.words.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void drawLevels(const PanelContext& c, const std::vector<LevelExplained>& levels) {
    const auto flags = ImGuiTableFlags_SizingFixedFit;
    if (!ImGui::BeginTable("fields", 5, flags)) return;
    for (const char* column : {"level", "tag", "set", "byte"}) {
        ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
    }
    ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
    for (const LevelExplained& level : levels) drawLevel(c, level);
    ImGui::EndTable();
}

}  // namespace

void drawExplainCard(const PanelContext& c, const gl::Rect& canvas) {
    const sim::Step* step = c.picture == nullptr ? nullptr : c.picture->moment.current();
    const float gap = 8 * c.scale;
    const ImVec2 at(static_cast<float>(canvas.x) + static_cast<float>(canvas.width) / 2,
                    static_cast<float>(canvas.y + canvas.height) - gap);
    const float width = std::min(620 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    if (beginOverlay("##explain", c, at, {0.5f, 1}, width)) {
        ImGui::PushFont(c.fonts.small);
        if (step == nullptr) {
            muted(c, "nothing has happened yet");
        } else {
            const sim::Access& a = step->access;
            if (!c.session.panels) {
                ImGui::PushTextWrapPos(0);
                ImGui::TextUnformatted(sim::sentenceFor(*step, c.trace(), c.machine()).c_str());
                ImGui::PopTextWrapPos();
            }
            muted(c, fmt::format("access {}: {} bytes at {:#x}", step->tick.value, a.size, a.address.value));
            ImGui::SameLine();
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                                 std::max(0.0f, ImGui::GetContentRegionAvail().x - 16 * c.scale));
            if (ImGui::SmallButton("×")) c.queue("explain");
            hint("close (i)");
            drawLevels(c, explained(*step, c.machine()));
        }
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
