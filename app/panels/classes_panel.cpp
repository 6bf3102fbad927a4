// The classes of the trace's objects, with their costs.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// Cycles shared among some; nothing where there is none.
std::string each(std::uint64_t cycles, std::uint64_t among) {
    if (among == 0) return {};
    const double share = static_cast<double>(cycles) / static_cast<double>(among);
    return share < 1000 ? fmt::format("{:.1f}", share) : roughCount(static_cast<std::uint64_t>(std::llround(share)));
}

struct Heading {
    const char* words;
    const char* means;
};
constexpr std::array<Heading, 5> kHeadings = {{
    {"cycles", "access cycles of all accesses to objects of the class"},
    {"inst.", "instances: objects of the class"},
    {"/inst.", "access cycles per instance"},
    {"words", "words of them that are accessed"},
    {"/word", "access cycles per word that is accessed"},
}};

/// A row of columns of equal width, in each of which `draw` draws what belongs there. All rows are of one table,
/// between which the names have the whole width.
template <class Draw>
void classRow(const Draw& draw) {
    constexpr auto kFlags = ImGuiTableFlags_SizingStretchSame | ImGuiTableFlags_NoPadOuterX;
    if (!ImGui::BeginTable("classes", kHeadings.size(), kFlags)) return;
    ImGui::TableNextRow();
    for (std::size_t i = 0; i < kHeadings.size(); ++i) draw(i);
    ImGui::EndTable();
}

void drawName(const PanelContext& c, const sim::CostClass& k, const scene::Rgba hue) {
    const ViewSettings& viewSettings = c.context.viewSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
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
                    k.name, grouped(k.cycles), grouped(k.accesses), grouped(k.instances), each(k.cycles, k.instances),
                    grouped(k.words), each(k.cycles, k.words)));
}

}  // namespace

void drawClassesPanel(const PanelContext& c) {
    const ViewSettings& viewSettings = c.context.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || c.historyViews()->history().classes.empty())
        return;
    heading(c, "CLASSES");
    ImGui::PushFont(c.fonts.small);
    classRow([&](std::size_t i) {
        ImGui::TableNextColumn();
        const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(kHeadings[i].words).x;
        if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
        muted(c, kHeadings[i].words);
        hint(kHeadings[i].means);
    });
    const auto& classes = c.historyViews()->history().classes;
    const std::vector<scene::Rgba> hues = c.historyViews()->shown().hues(viewSettings, c.context.ground);
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const sim::CostClass& k = classes[i];
        ImGui::PushID(static_cast<int>(i));
        drawName(c, k, hues[i]);
        ImGui::PopID();
        const std::array<std::string, kHeadings.size()> numbers = {roughCount(k.cycles), roughCount(k.instances),
                                                                   each(k.cycles, k.instances), roughCount(k.words),
                                                                   each(k.cycles, k.words)};
        classRow([&](std::size_t n) { numberCell(numbers[n]); });
    }
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
