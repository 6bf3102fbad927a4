// What lived in the picked cell, and which source lines used it: names with their lifetimes, accesses, misses and
// penalty, sorted by any of them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// As many rows as are listed; the rest is counted.
constexpr std::size_t kMostRows = 12;

/// The columns, in the order of the table; where it is narrow, the first ones with numbers give way.
enum class RowColumn : std::uint8_t { name, first, accesses, misses, penalty };
constexpr std::array<const char*, 5> kHeads{"", "first", "acc.", "miss", "cyc."};

std::uint64_t missesOf(const sim::PlaceRow& row) {
    return row.accesses - std::min(row.accesses, row.served.empty() ? 0 : row.served.front());
}

bool isBefore(const sim::PlaceRow& a, const sim::PlaceRow& b, RowColumn by) {
    switch (by) {
        case RowColumn::name:
            return a.name < b.name;
        case RowColumn::first:
            return a.first < b.first;
        case RowColumn::accesses:
            return a.accesses < b.accesses;
        case RowColumn::misses:
            return missesOf(a) < missesOf(b);
        case RowColumn::penalty:
            return a.penalty < b.penalty;
    }
    return false;
}

/// The rows as the headings say.
std::vector<sim::PlaceRow> sorted(std::vector<sim::PlaceRow> rows) {
    const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || specs->SpecsCount == 0) return rows;
    const auto by = static_cast<RowColumn>(specs->Specs[0].ColumnUserID);
    const bool isDown = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    std::stable_sort(rows.begin(), rows.end(), [&](const sim::PlaceRow& a, const sim::PlaceRow& b) {
        return isDown ? isBefore(b, a, by) : isBefore(a, b, by);
    });
    return rows;
}

/// The command that picks what a row names, so that it is outlined everywhere.
std::optional<Command> pickOf(const PanelContext& c, const std::string& name) {
    const sim::Trace& trace = c.trace();
    const auto named = [&](const auto& things) {
        return std::find_if(things.begin(), things.end(), [&](const auto& t) { return t.name == name; });
    };
    if (const auto object = named(trace.objects()); object != trace.objects().end()) {
        const auto id = static_cast<std::uint32_t>(object - trace.objects().begin());
        return command::PickObject{{sim::CostNode::Kind::object, id, object->base}};
    }
    if (const auto region = named(trace.regions()); region != trace.regions().end()) {
        const auto id = static_cast<std::uint32_t>(region - trace.regions().begin());
        return command::PickObject{{sim::CostNode::Kind::region, id, region->base}};
    }
    return std::nullopt;
}

/// Likewise of a word.
std::optional<Command> wordOf(const PanelContext& c, const std::string& name) {
    const auto word = sim::placeNamed(name, c.trace(), c.machine());
    if (!word) return std::nullopt;
    return command::PickObject{{.kind = sim::CostNode::Kind::word, .id = 0, .address = word->from}};
}

/// The command that shows a source line.
std::optional<Command> lineOf(const PanelContext&, const std::string& name) {
    if (name.find(':') == std::string::npos) return std::nullopt;
    return command::LookUp{name};
}

using CommandFor = std::optional<Command> (*)(const PanelContext&, const std::string&);

constexpr float kCellPadding = 2;

/// The columns of numbers that fit beside names, and how wide each is.
struct NumberColumns {
    std::size_t first = 1;  ///< of kHeads; those behind it follow
    float width = 0;
};

/// As wide as the heads with the arrow of what is sorted, and the numbers; the names keep some room.
NumberColumns numberColumns(const PanelContext& c) {
    constexpr float kArrow = 0.65f;  // of the font, as ImGui draws it
    NumberColumns out;
    const float arrow = std::ceil(kArrow * ImGui::GetFontSize() + ImGui::GetStyle().FramePadding.x);
    for (const char* head : kHeads) out.width = std::max(out.width, ImGui::CalcTextSize(head).x + arrow);
    out.width = std::max(out.width, ImGui::CalcTextSize("38.1K").x);
    const float each = out.width + 2 * kCellPadding * c.scale;
    const float names = 5 * ImGui::GetFontSize();
    const float room = ImGui::GetContentRegionAvail().x - names;
    while (out.first + 1 < kHeads.size() && static_cast<float>(kHeads.size() - out.first) * each > room) ++out.first;
    return out;
}

void drawTable(const PanelContext& c, const char* what, const std::vector<sim::PlaceRow>& rows, CommandFor commandFor) {
    const NumberColumns numbers = numberColumns(c);
    const auto flags = ImGuiTableFlags_Sortable | ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {kCellPadding * c.scale, c.scale});
    const std::size_t columns = kHeads.size() - numbers.first + 1;
    if (!ImGui::BeginTable(fmt::format("{}{}", what, columns).c_str(), static_cast<int>(columns), flags)) {
        ImGui::PopStyleVar();
        return;
    }
    ImGui::TableSetupColumn(what, ImGuiTableColumnFlags_WidthStretch, 0, static_cast<ImGuiID>(RowColumn::name));
    for (std::size_t column = numbers.first; column < kHeads.size(); ++column) {
        auto how = ImGuiTableColumnFlags_WidthFixed | ImGuiTableColumnFlags_None;
        if (column != static_cast<std::size_t>(RowColumn::first)) how |= ImGuiTableColumnFlags_PreferSortDescending;
        if (column == static_cast<std::size_t>(RowColumn::penalty)) how |= ImGuiTableColumnFlags_DefaultSort;
        ImGui::TableSetupColumn(kHeads[column], how, numbers.width, static_cast<ImGuiID>(column));
    }
    ImGui::TableHeadersRow();
    const std::vector<sim::PlaceRow> shown = sorted(rows);
    for (std::size_t i = 0; i < std::min(kMostRows, shown.size()); ++i) {
        const sim::PlaceRow& row = shown[i];
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        ImGui::PushID(static_cast<int>(i));
        const auto command = commandFor(c, row.name);
        if (ImGui::Selectable(cut(row.name, ImGui::GetContentRegionAvail().x).c_str(), false,
                              ImGuiSelectableFlags_SpanAllColumns) &&
            command) {
            c.queue(*command);
        }
        nameItem(c, fmt::format("{} {}", what, row.name));
        hint(fmt::format("{}: accesses {} to {}, {} of them writes{}", row.name, grouped(row.first.value),
                         grouped(row.last.value), grouped(row.writes), command ? "; click to show it" : ""));
        ImGui::PopID();
        const std::array values{row.first.value, row.accesses, missesOf(row), row.penalty};
        for (std::size_t column = numbers.first; column < kHeads.size(); ++column) {
            numberCell(roughCount(values[column - 1]));
        }
    }
    ImGui::EndTable();
    ImGui::PopStyleVar();
    if (shown.size() > kMostRows) muted(c, fmt::format("and {} more", grouped(shown.size() - kMostRows)));
}

}  // namespace

void drawCell(const PanelContext& c) {
    if (!c.context.viewSettings.place || c.runs.open() == nullptr) return;
    if (const PlaceHistories::Picked* const picked = c.runs.open()->of<PlaceHistories>().picked()) {
        mutedWrapped(c, picked->title);
        if (picked->names.empty() && picked->lines.empty()) muted(c, kUnused);
        if (!picked->names.empty()) drawTable(c, "name", picked->names, pickOf);
        if (!picked->words.empty()) drawTable(c, "word", picked->words, wordOf);
        if (!picked->lines.empty()) drawTable(c, "line", picked->lines, lineOf);
    } else {
        muted(c, "being computed");
    }
}

}  // namespace whorl::app
