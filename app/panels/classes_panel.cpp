// The classes of the trace's objects, with their costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

void drawClassesPanel(const PanelContext& c) {
    const ViewSettings& viewSettings = c.session.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || c.historyViews()->history().classes.empty())
        return;
    heading(c, "CLASSES");
    ImGui::PushFont(c.fonts.small);
    constexpr auto kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
    if (ImGui::BeginTable("classes", 4, kFlags)) {
        ImGui::TableSetupColumn("class", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableNextRow();
        for (const char* name : {"class", "number", "cycles", "each"}) {
            ImGui::TableNextColumn();
            muted(c, name);
        }
        const auto& classes = c.historyViews()->history().classes;
        const std::vector<scene::Rgba> hues = c.historyViews()->hues(viewSettings, c.session.ground);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const sim::CostClass& k = classes[i];
            ImGui::PushID(static_cast<int>(i));
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
            const scene::Rgba hue = hues[i];
            std::array<float, 3> rgb = {static_cast<float>(hue.r) / 255, static_cast<float>(hue.g) / 255,
                                        static_cast<float>(hue.b) / 255};
            constexpr auto kHue = ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel;
            if (ImGui::ColorEdit3("##hue", rgb.data(), kHue)) {
                c.queue(command::ClassColour{k.name, colourFrom(rgb)});
            }
            ImGui::PopStyleVar();
            ImGui::SameLine(0, 4 * c.scale);
            const std::string name = cut(k.name, ImGui::GetContentRegionAvail().x);
            if (ImGui::Selectable((name + "##class").c_str(),
                                  viewSettings.classColours && viewSettings.classes.contains(k.name))) {
                c.queue(command::ClassColoured{k.name});
            }
            hint(fmt::format("{}: {} cycles in {} accesses to {} words; click to colour it", k.name, grouped(k.cycles),
                             grouped(k.accesses), grouped(k.words)));
            const std::uint64_t instances = std::max<std::uint64_t>(1, k.instances);
            for (const std::uint64_t number : {k.instances, k.cycles, k.cycles / instances}) {
                numberCell(roughCount(number));
            }
            ImGui::PopID();
        }
        ImGui::EndTable();
    }
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
