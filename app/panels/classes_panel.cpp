// The classes of the trace's objects, with their costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// Cycles shared among some; nothing where there is none.
std::string each(std::uint64_t cycles, std::uint64_t among) {
    if (among == 0) return {};
    const double share = static_cast<double>(cycles) / static_cast<double>(among);
    return share < 1000 ? fmt::format("{:.1f}", share) : roughCount(static_cast<std::uint64_t>(share + 0.5));
}

}  // namespace

void drawClassesPanel(const PanelContext& c) {
    const ViewSettings& viewSettings = c.session.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || c.historyViews()->history().classes.empty())
        return;
    heading(c, "CLASSES");
    ImGui::PushFont(c.fonts.small);
    // Those that a column has room for; the hint of a row has all in full.
    constexpr std::array<const char*, 5> kHeadings = {"cycles", "inst.", "/inst.", "words", "/word"};
    constexpr std::array<const char*, 5> kHints = {
        "access cycles of all accesses to objects of the class", "instances: objects of the class",
        "access cycles per instance", "words of them that are accessed", "access cycles per word that is accessed"};
    constexpr auto kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
    if (ImGui::BeginTable("classes", kHeadings.size() + 1, kFlags)) {
        ImGui::TableSetupColumn("class", ImGuiTableColumnFlags_WidthStretch);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        muted(c, "class");
        for (std::size_t i = 0; i < kHeadings.size(); ++i) {
            ImGui::TableNextColumn();
            muted(c, kHeadings[i]);
            hint(kHints[i]);
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
            hint(
                fmt::format("{}: {} access cycles in {} accesses\n{} instances: {} cycles an instance\n"
                            "{} words: {} cycles a word\nclick to colour it",
                            k.name, grouped(k.cycles), grouped(k.accesses), grouped(k.instances),
                            each(k.cycles, k.instances), grouped(k.words), each(k.cycles, k.words)));
            numberCell(roughCount(k.cycles));
            numberCell(roughCount(k.instances));
            numberCell(each(k.cycles, k.instances));
            numberCell(roughCount(k.words));
            numberCell(each(k.cycles, k.words));
            ImGui::PopID();
        }
        ImGui::EndTable();
    }
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
