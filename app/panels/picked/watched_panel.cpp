// What is watched, and where it is at the playhead.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/picked/picked_thing.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// "L1 set 3, rank 1 of 2": where a level holds it, in the first of its caches that does.
std::string whereIn(const PanelContext& c, std::size_t level, sim::ByteAddress byte) {
    const sim::Snapshot& snapshot = c.picture()->snapshot;
    const std::string& name = c.machine().levels[level].name;
    std::string out;
    std::uint32_t more = 0;
    for (std::uint32_t i = 0; i < c.machine().caches(level); ++i) {
        const sim::Cache& cache = snapshot.cache(level, i);
        const sim::BlockAddress block = cache.blockOf(byte);
        const std::uint32_t way = cache.find(block);
        if (way == sim::Cache::kNoWay) continue;
        if (!out.empty()) {
            ++more;
            continue;
        }
        const sim::SetIndex set = cache.setOf(block);
        const sim::Line line = cache.line(set, sim::WayIndex{way});
        const std::string which = c.machine().caches(level) > 1 ? fmt::format(" #{}", i) : "";
        out = fmt::format("{}{} set {}, rank {} of {}{}", name, which, set.value, line.rank + 1, cache.ways(),
                          line.dirty ? ", dirty" : "");
    }
    if (more > 0) out += fmt::format(", and {} more", more);
    return out;
}

void drawWatchedBlock(const PanelContext& c, sim::ByteAddress byte) {
    ImGui::PushID(std::to_string(byte.value).c_str());
    const float cross = ImGui::CalcTextSize("×").x + 2 * ImGui::GetStyle().FramePadding.x;
    const float width = ImGui::GetContentRegionAvail().x - cross - 4 * c.scale;
    const bool chosen = c.context.marked() == byte;
    if (ImGui::Selectable(c.trace().placeOf(byte, tickNow(c)).c_str(), chosen, 0, {std::max(20.0f, width), 0})) {
        c.queue(command::Select{byte});
    }
    hint(fmt::format("{:#x}: click to select it", byte.value));
    ImGui::SameLine(0, 4 * c.scale);
    if (ImGui::SmallButton("×")) c.queue(command::Watch{byte});
    hint("stop watching it");
    bool anywhere = false;
    for (std::size_t l = 0; l < c.machine().levels.size(); ++l) {
        const std::string where = whereIn(c, l, byte);
        if (where.empty()) continue;
        anywhere = true;
        muted(c, "  " + where);
    }
    if (!anywhere) muted(c, "  in memory only");
    ImGui::PopID();
}

}  // namespace

void drawWatchedPanel(const PanelContext& c) {
    if (c.context.watched.empty() || c.picture() == nullptr) return;
    if (!section(c, "WATCHED", "section-watched")) return;
    ImGui::PushFont(c.fonts.small);
    for (const sim::ByteAddress byte : c.context.watched) drawWatchedBlock(c, byte);
    ImGui::PopFont();
    ImGui::Dummy({0, 6 * c.scale});
}

}  // namespace whorl::app
