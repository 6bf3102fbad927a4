// What costs most: a card over the views with two parts, why and the tables.
#include <memory>

#include "app/panels/cost_parts.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/words.h"

namespace whorl::app {

namespace {

/// The measures of the range, or of the whole run; null while they are not known.
SharedMeasures measuresOf(const PanelContext& c) {
    if (!c.context.range) return c.context.opened.run->measures();
    return c.range() == nullptr ? nullptr : SharedMeasures(c.results.range, &c.range()->measures);
}

void drawHeading(const PanelContext& c) {
    const char* const words = "WHAT COSTS MOST";
    // "Why" always covers the whole run, sharing has a range of its own, and both tabs show their range.
    if (c.session.overlays.costTab == CostTab::why || c.session.overlays.costTab == sharingTab()) {
        heading(c, words);
    } else {
        headingOfFigures(c, words, "whole run");
    }
    ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize("×").x - 2 * ImGui::GetStyle().FramePadding.x);
    if (ImGui::SmallButton("×")) c.queue(command::Costs{});
    hint(withKey("close", command::Costs{}));
}

void drawTabs(const PanelContext& c) {
    for (std::size_t i = 0; i < costTables().size(); ++i) {
        const auto tab = static_cast<CostTab>(i);
        const std::string word(costTables()[i].word);
        if (i > 0) ImGui::SameLine();
        const bool isChosen = tab == c.session.overlays.costTab;
        ImGui::PushStyleColor(ImGuiCol_Text, isChosen ? c.colours().accent : c.colours().muted);
        if (ImGui::Selectable(word.c_str(), isChosen, 0, {ImGui::CalcTextSize(word.c_str()).x, 0})) {
            c.queue(command::CostsBy{tab});
        }
        ImGui::PopStyleColor();
        nameItem(c, "costs " + word);
    }
}

void drawPart(const PanelContext& c) {
    const SharedMeasures measures = measuresOf(c);
    const CostTab tab = c.session.overlays.costTab;
    if (tab == CostTab::why) return drawWhy(c, measures.get());
    if (tab == sharingTab()) return drawSharing(c);
    drawCostTable(c, measures);
}

}  // namespace

void drawCostsCard(const PanelContext& c, const gl::Rect& canvas) {
    if (!c.context.opened.run) return;
    const float gap = 6 * c.scale;
    const auto x = static_cast<float>(canvas.x);
    const auto height = static_cast<float>(canvas.height);
    const float width = std::max(300 * c.scale, static_cast<float>(canvas.width) - 2 * gap);
    const float tall = std::max(160 * c.scale, height * 0.55f);
    ImGui::SetNextWindowPos({x + gap, static_cast<float>(canvas.y) + height - tall - gap});
    ImGui::SetNextWindowSize({width, tall});
    constexpr auto kFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                            ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                            ImGuiWindowFlags_NoNav;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    const bool isOpen = ImGui::Begin("##costs", nullptr, kFlags);
    ImGui::PopStyleVar();
    if (isOpen) {
        ImGui::PushFont(c.fonts.small);
        drawHeading(c);
        drawTabs(c);
        ImGui::BeginChild("content");
        drawPart(c);
        ImGui::EndChild();
        ImGui::PopFont();
    }
    ImGui::End();
}

}  // namespace whorl::app
