// The classes of the trace's objects, with their costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/panels.h"
#include "app/panels/table_widget.h"
#include "app/panels/widgets.h"
#include "sim/report/history_tables.h"

namespace whorl::app {

namespace {

/// A button for its colour: it opens a colour editor.
bool drawHue(const PanelContext& c, const std::string& name, const scene::Rgba hue) {
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    std::array<float, 3> rgb = {static_cast<float>(hue.r) / 255, static_cast<float>(hue.g) / 255,
                                static_cast<float>(hue.b) / 255};
    constexpr auto kHue = ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoLabel;
    if (ImGui::ColorEdit3("##hue", rgb.data(), kHue)) c.queue(command::ClassColour{name, colourFrom(rgb)});
    ImGui::PopStyleVar();
    return ImGui::IsItemHovered();
}

std::string describeClass(const KeptTable& kept, std::size_t r) {
    const auto text = [&](std::string_view key) { return cellText(kept.cell(r, key)); };
    std::string out =
        fmt::format("{}: {} access cycles in {} accesses", text("class"), text("cycles"), text("accesses"));
    const std::string each = text("cycles_per_instance");
    if (!each.empty()) out += fmt::format("\n{} instances: {} cycles an instance", text("instances"), each);
    return out +
           fmt::format("\n{} words: {} cycles a word\nclick to colour it", text("words"), text("cycles_per_word"));
}

const std::vector<ShownColumn>& classColumns() {
    constexpr auto kRough = NumberForm::rough;
    static const std::vector<ShownColumn> kColumns = {
        {.key = "class"},
        {"cycles", "cycles", "access cycles of all accesses to objects of the class", {}, kRough, 4},
        {"instances", "inst.", "instances: objects of the class", {}, kRough, 2},
        {"cycles_per_instance", "/inst.", "access cycles per instance", {}, kRough, 3},
        {"words", "words", "accessed words of the objects", {}, kRough, 0},
        {"cycles_per_word", "/word", "access cycles per accessed word", {}, kRough, 1},
    };
    return kColumns;
}

}  // namespace

void drawClassesPanel(const PanelContext& c) {
    const ViewSettings& viewSettings = c.context.viewSettings;
    if (c.historyViews() == nullptr || !viewSettings.needsHistory() || c.historyViews()->history().classes.empty())
        return;
    if (!section(c, "CLASSES", "section-classes")) return;
    ImGui::PushFont(c.fonts.small);
    const std::shared_ptr<const sim::History> history = c.historyViews()->shared();
    const std::vector<scene::Rgba> hues = c.historyViews()->shown().hues(viewSettings, c.context.ground);
    KeptTable& kept = keptTable(c, "classes");
    kept.keep(TableSource({history}), [&] { return sim::classTable(*history); });
    const auto nameOf = [&](std::size_t r) { return std::get<std::string>(kept.table().rows[r].front()); };
    // What is in no class has no colour.
    const auto hueOf = [&](std::size_t r) -> std::optional<scene::Rgba> {
        const auto found = std::find_if(history->classes.begin(), history->classes.end(),
                                        [&](const sim::CostClass& k) { return k.name == nameOf(r); });
        if (found == history->classes.end()) return std::nullopt;
        return hues[static_cast<std::size_t>(found - history->classes.begin())];
    };
    drawTable(c, kept,
              {.thing = "class",
               .columns = classColumns(),
               .others = std::nullopt,
               .order = "cycles",
               .row =
                   [&](std::size_t r) {
                       return RowLook{
                           .hint = describeClass(kept, r),
                           .isChosen = viewSettings.classColours && viewSettings.classes.contains(nameOf(r))};
                   },
               .clicked =
                   [&](std::size_t r) {
                       if (hueOf(r)) c.queue(command::ClassColoured{nameOf(r)});
                   },
               .sign =
                   [&](std::size_t r) {
                       const auto hue = hueOf(r);
                       if (hue) return drawHue(c, nameOf(r), *hue);
                       ImGui::Dummy({ImGui::GetFontSize(), ImGui::GetFontSize()});
                       return false;
                   }});
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
