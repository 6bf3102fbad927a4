// The regions with their colours, and how many of their blocks are cached now.
#include <fmt/format.h>

#include "app/panels/panel.h"
#include "render/scene/palette.h"
#include "sim/machine/machine_config.h"

namespace whorl::app {

namespace {

/// How many blocks of each region each level holds, by region and level.
std::vector<std::vector<std::uint32_t>> residents(const PanelContext& c) {
    const std::size_t levels = c.machine().levels.size();
    const auto& regions = c.trace().regions();
    std::vector<std::vector<std::uint32_t>> counts(regions.size(), std::vector<std::uint32_t>(levels));
    for (std::size_t l = 0; l < levels; ++l) {
        const sim::Cache& cache = c.picture->moment.now.hierarchy().cache(l);
        std::size_t region = 0;
        for (std::uint32_t s = 0; s < cache.sets(); ++s) {
            for (std::uint32_t w = 0; w < cache.ways(); ++w) {
                const sim::Line line = cache.line(sim::SetIndex{s}, sim::WayIndex{w});
                if (!line.valid) continue;
                const sim::ByteAddress address = cache.addressOf(line.block);
                if (region >= regions.size() || !regions[region].contains(address))
                    region = c.trace().regionAt(address);
                if (region < regions.size()) ++counts[region][l];
            }
        }
    }
    return counts;
}

void swatch(const PanelContext& c, std::size_t region) {
    const scene::Palette& palette = scene::paletteFor(c.session.ground);
    const ImU32 colour = packed(scene::hueOf(palette, region));
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 centre(at.x + side / 2, at.y + side / 2);
    if (scene::shapeOf(region) == scene::Shape::disc) {
        ImGui::GetWindowDrawList()->AddCircleFilled(centre, side * 0.38f, colour, 24);
    } else {
        ImGui::GetWindowDrawList()->AddNgonFilled(centre, side * 0.46f, colour, 4);
    }
    ImGui::Dummy({side, side});
}

void drawRow(const PanelContext& c, std::size_t r, const std::vector<std::uint32_t>& counts) {
    const sim::Region& region = c.trace().regions()[r];
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    swatch(c, r);
    ImGui::SameLine();
    ImGui::TextUnformatted(region.name.c_str());
    hint(fmt::format("{} at {:#x}, {} bytes", region.name, region.base.value, grouped(region.size)));
    ImGui::TableNextColumn();
    muted(c, roughBytes(region.size));
    for (const std::uint32_t count : counts) {
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(grouped(count).c_str());
    }
}

}  // namespace

void drawRegionsPanel(const PanelContext& c) {
    heading(c, "REGIONS");
    if (c.picture == nullptr) return;
    const auto counts = residents(c);
    const auto& levels = c.machine().levels;
    const auto columns = static_cast<int>(2 + levels.size());
    if (!ImGui::BeginTable("regions", columns, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp)) return;
    ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch, 1.0f);
    ImGui::TableSetupColumn("size", ImGuiTableColumnFlags_WidthFixed);
    for (const auto& level : levels) ImGui::TableSetupColumn(level.name.c_str(), ImGuiTableColumnFlags_WidthFixed);
    ImGui::PushStyleColor(ImGuiCol_Text, c.colours().muted);
    ImGui::TableHeadersRow();
    ImGui::PopStyleColor();
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(counts.size()));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            const auto region = static_cast<std::size_t>(r);
            drawRow(c, region, counts[region]);
        }
    }
    ImGui::EndTable();
}

}  // namespace whorl::app
