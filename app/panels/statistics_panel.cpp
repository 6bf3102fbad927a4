// The counts of each level up to the playhead.
#include <fmt/format.h>

#include "app/panels/panel.h"

namespace whorl::app {

namespace {

/// Text that ends where its column does, so that numbers can be compared.
void rightAligned(const std::string& text) {
    ImGui::TableNextColumn();
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    if (room > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
    ImGui::TextUnformatted(text.c_str());
}

void row(const PanelContext& c, const char* words, const sim::Counters& counters,
         std::uint64_t (*value)(const sim::CacheCounters&)) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    muted(c, words);
    for (std::size_t l = 0; l < counters.levels(); ++l) rightAligned(grouped(value(counters.level(l))));
}

void rates(const PanelContext& c, const sim::Counters& counters) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    muted(c, "hit rate");
    for (std::size_t l = 0; l < counters.levels(); ++l) {
        const sim::CacheCounters level = counters.level(l);
        rightAligned(level.accesses() == 0 ? "–" : fmt::format("{:.1f} %", 100 * level.hitRate()));
    }
}

}  // namespace

void drawStatisticsPanel(const PanelContext& c) {
    heading(c, "STATISTICS");
    if (c.picture == nullptr) return;
    const sim::Counters& counters = c.picture->moment.now.counters();
    const auto columns = static_cast<int>(1 + counters.levels());
    if (!ImGui::BeginTable("statistics", columns, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::TableNextColumn();
    for (const auto& level : c.machine().levels) rightAligned(level.name);
    rates(c, counters);
    row(c, "requests", counters, [](const sim::CacheCounters& l) { return l.accesses(); });
    row(c, "hits", counters, [](const sim::CacheCounters& l) { return l.hits(); });
    row(c, "misses", counters, [](const sim::CacheCounters& l) { return l.misses(); });
    row(c, "evictions", counters, [](const sim::CacheCounters& l) { return l.evictions; });
    row(c, "write-backs", counters, [](const sim::CacheCounters& l) { return l.writebacks; });
    ImGui::EndTable();
    muted(c,
          fmt::format("memory: {} reads, {} writes", grouped(counters.memory.reads), grouped(counters.memory.writes)));
}

}  // namespace whorl::app
