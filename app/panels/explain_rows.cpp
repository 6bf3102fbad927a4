// Below the sentence: the page of the current access and how it was translated, then its address as each level splits
// it into bit fields, and what happened there.
#include <fmt/format.h>

#include <algorithm>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "sim/analysis/explain.h"

namespace whorl::app {

namespace {

constexpr float kRow = 22;

/// A field of an address in a box as wide as its column, so that those of all levels can be compared.
void drawField(const PanelContext& c, const std::string& words, ImVec4 colour, const std::string& description) {
    ImGui::TableNextColumn();
    ImGui::PushFont(c.fonts.mono);
    const ImVec2 size = ImGui::CalcTextSize(words.c_str());
    const float pad = 5 * c.scale;
    const float width = std::max(ImGui::GetContentRegionAvail().x, size.x + 2 * pad);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 to(at.x + width, at.y + size.y + 2 * c.scale);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec4 bed = colour;
    bed.w = 0.16f;
    list.AddRectFilled(at, to, packed(bed), 2);
    list.AddRect(at, to, packed(colour), 2);
    list.AddText({at.x + (width - size.x) / 2, at.y + c.scale}, packed(c.colours().text), words.c_str());
    ImGui::Dummy({size.x + 2 * pad, size.y + 2 * c.scale});
    ImGui::PopFont();
    hint(description);
}

/// "1 0000 = 16"; the number alone when it would have too many digits.
std::string digits(std::uint64_t value, unsigned bits) {
    constexpr unsigned kMaxDigits = 14;
    if (bits == 0) return "–";
    return bits > kMaxDigits ? fmt::format("{:#x}", value)
                             : fmt::format("{} = {}", sim::binaryDigits(value, bits), value);
}

void drawPage(const PanelContext& c, const sim::PageExplanation& page) {
    const Theme colours = c.colours();
    ImGui::TableNextRow(ImGuiTableRowFlags_None, kRow * c.scale);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted("page");
    drawField(c, fmt::format("page {:#x}", page.page), colours.muted, "the number of the virtual page");
    drawField(c, page.frame ? fmt::format("frame {}", *page.frame) : "–", colours.accent,
              page.frame ? "the frame of memory that holds the page" : "memory is not bounded: every page is there");
    drawField(c, "byte " + digits(page.offset, page.offsetBits), colours.text,
              fmt::format("{} bits select one of the {} bytes of a page", page.offsetBits,
                          std::uint64_t{1} << page.offsetBits));
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, page.walked || page.faulted ? colours.warning : colours.text);
    ImGui::TextUnformatted(page.words.c_str());
    ImGui::PopStyleColor();
    hint(page.words);
}

void drawLevel(const PanelContext& c, const sim::LevelExplanation& level) {
    const Theme colours = c.colours();
    ImGui::TableNextRow(ImGuiTableRowFlags_None, kRow * c.scale);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(level.name.c_str());
    drawField(c, fmt::format("tag {:#x}", level.tag), colours.muted, "distinguishes the blocks of a set");
    if (sim::isPowerOfTwo(level.sets)) {
        drawField(c, "set " + digits(level.set, level.setBits), colours.accent,
                  fmt::format("{} bits select one of {} sets", level.setBits, level.sets));
    } else {
        drawField(c, fmt::format("set {} (mod {})", level.set, level.sets), colours.accent,
                  fmt::format("the number of the block, {:#x}, modulo {} sets", level.tag * level.sets + level.set,
                              level.sets));
    }
    drawField(c, "byte " + digits(level.offset, level.offsetBits), colours.text,
              fmt::format("{} bits select one of the {} bytes of a block", level.offsetBits,
                          std::uint64_t{1} << level.offsetBits));
    ImGui::TableNextColumn();
    const bool missed = level.asked && !level.hit;
    ImGui::PushStyleColor(ImGuiCol_Text, missed ? colours.warning : level.asked ? colours.text : colours.muted);
    ImGui::TextUnformatted(level.words.c_str());
    ImGui::PopStyleColor();
    hint(level.words);
}

}  // namespace

float explainHeight(const Session& session, float scale) {
    if (!session.explain || !session.opened.run) return 0;
    const sim::MachineConfig& machine = session.opened.run->machine();
    const bool translates = machine.tlb.entries != 0 || machine.memory.isBounded();
    const std::size_t rows = machine.levels.size() + (translates ? 1 : 0);
    return (static_cast<float>(rows) * kRow + 8) * scale;
}

void drawExplainRows(const PanelContext& c) {
    const sim::Step* step = c.picture() == nullptr ? nullptr : c.picture()->snapshot.current();
    const ImVec2 from = ImGui::GetCursorPos();
    ImGui::PushFont(c.fonts.small);
    if (step == nullptr) {
        muted(c, "The address of each access is shown here in tag, set and offset.");
    } else if (ImGui::BeginTable("fields", 5, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoKeepColumnsVisible)) {
        for (const char* column : {"level", "tag", "set", "byte"}) {
            ImGui::TableSetupColumn(column, ImGuiTableColumnFlags_WidthFixed);
        }
        ImGui::TableSetupColumn("words", ImGuiTableColumnFlags_WidthStretch);
        const auto page = sim::explainPage(*step, c.picture()->snapshot.now.hierarchy());
        if (page) drawPage(c, *page);
        for (const sim::LevelExplanation& level : sim::explainAccess(*step, c.machine())) drawLevel(c, level);
        ImGui::EndTable();
    }
    ImGui::PopFont();
    ImGui::SetCursorPos({from.x, from.y + explainHeight(c.session, c.scale)});
}

}  // namespace whorl::app
