#include "app/panels/table_widget.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

/// A column as it is drawn in this frame.
struct DrawnColumn {
    ShownColumn shown;
    std::size_t index = 0;  ///< in the table
    bool isText = false;
    float width = 0;  ///< pixels
};

/// What the arrow of the heading by which a table is sorted takes of the room in a cell, as ImGui draws it.
float arrowWidth() {
    constexpr float kArrow = 0.65f;
    const ImGuiStyle& style = ImGui::GetStyle();
    return std::ceil(kArrow * ImGui::GetFontSize() + style.FramePadding.x - style.CellPadding.x);
}

float widthOf(const KeptTable& kept, const DrawnColumn& column, bool isNamed, bool sorts) {
    const auto wide = [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; };
    // ImGui leaves room for the arrow beside each text that it draws; we draw those of numbers that name no rows.
    const bool hasArrow = sorts && (column.isText || isNamed || (kept.order() && kept.order()->column == column.index));
    const float heading = wide(column.shown.heading) + (hasArrow ? arrowWidth() : 0);
    if (!column.shown.sample.empty()) return std::max(heading, wide(column.shown.sample));
    const float cells = wide(cellText(kept.widest(column.index), column.shown.form));
    // A smaller number may have more digits: 9 999 and 10.0K.
    const auto* const count = std::get_if<std::uint64_t>(&kept.widest(column.index));
    const bool isRounded = column.shown.form == NumberForm::rough && count != nullptr && *count >= 10'000;
    return std::max({heading, cells, isRounded ? wide("9 999") : 0});
}

std::vector<DrawnColumn> columnsOf(const KeptTable& kept, const TableLook& look) {
    const std::vector<sim::Column>& columns = kept.table().columns;
    std::vector<DrawnColumn> out;
    const auto add = [&](ShownColumn shown, std::size_t index) {
        if (shown.heading.empty()) shown.heading = columns[index].heading;
        DrawnColumn column{.shown = std::move(shown), .index = index, .isText = kept.isOfTexts(index)};
        column.width = widthOf(kept, column, out.size() == look.named, look.sorts);
        out.push_back(std::move(column));
    };
    for (const ShownColumn& shown : look.columns) {
        if (const std::size_t index = sim::columnOf(columns, shown.key); index < columns.size()) add(shown, index);
    }
    for (std::size_t i = 0; look.others && i < columns.size(); ++i) {
        const auto isListed = [&](const DrawnColumn& column) { return column.index == i; };
        if (columns[i].heading.empty() || std::any_of(out.begin(), out.end(), isListed)) continue;
        add({.key = columns[i].key, .form = *look.others, .keeps = 1}, i);
    }
    return out;
}

/// Leaves out columns until the names have some room.
void giveWay(const KeptTable& kept, std::vector<DrawnColumn>& columns, TableLook& look) {
    constexpr float kNames = 5;  // letters
    std::size_t& named = look.named;
    const float sign = (look.sign ? 1.5f : 0.0f) * ImGui::GetFontSize() + (kept.folds() ? 2 * ImGui::GetFontSize() : 0);
    const float longest = ImGui::CalcTextSize(cellText(kept.widest(columns[named].index)).c_str()).x;
    const float names = sign + std::min(kNames * ImGui::GetFontSize(), longest);
    const float padding = 2 * ImGui::GetStyle().CellPadding.x;
    const auto room = [&] {
        float left = ImGui::GetContentRegionAvail().x;
        for (std::size_t i = 0; i < columns.size(); ++i) left -= (i == named ? 0 : columns[i].width) + padding;
        return left;
    };
    while (columns.size() > 2 && room() < names) {
        std::size_t least = named == 0 ? 1 : 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (i != named && columns[i].shown.keeps <= columns[least].shown.keeps) least = i;
        }
        columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(least));
        if (least < named) --named;
    }
}

/// `names`: the width of those of the rows where the table is moved sideways.
void setUp(const std::vector<DrawnColumn>& columns, const TableLook& look, float names) {
    const bool isWide = look.room == TableLook::Room::sideways;
    const auto isBar = [](const DrawnColumn& column) { return column.shown.isBar; };
    const bool hasBar = std::any_of(columns.begin(), columns.end(), isBar);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const DrawnColumn& column = columns[i];
        const bool stretches = hasBar ? column.shown.isBar : i == look.named && !isWide;
        ImGuiTableColumnFlags how = stretches ? ImGuiTableColumnFlags_WidthStretch : ImGuiTableColumnFlags_WidthFixed;
        if (!column.isText && !column.shown.ascends) how |= ImGuiTableColumnFlags_PreferSortDescending;
        if (column.shown.key == look.order) how |= ImGuiTableColumnFlags_DefaultSort;
        const float width = stretches ? 0 : i == look.named && isWide ? names : column.width;
        ImGui::TableSetupColumn(column.shown.heading.c_str(), how, width, static_cast<ImGuiID>(column.index));
    }
}

void takeOrder(KeptTable& kept) {
    const ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || specs->SpecsCount == 0) return kept.setOrder(std::nullopt);
    const ImGuiTableColumnSortSpecs& chosen = specs->Specs[0];
    kept.setOrder(TableOrder{.column = chosen.ColumnUserID,
                             .isDescending = chosen.SortDirection == ImGuiSortDirection_Descending});
}

void drawHeadings(const PanelContext& c, const KeptTable& kept, const TableLook& look,
                  const std::vector<DrawnColumn>& columns) {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    bool asksForMenu = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(i))) continue;
        const DrawnColumn& column = columns[i];
        const std::string& words = column.shown.heading;
        const bool isSorted = (ImGui::TableGetColumnFlags() & ImGuiTableColumnFlags_IsSorted) != 0;
        const bool isRight = !column.isText && i != look.named;
        ImVec2 at = ImGui::GetCursorScreenPos();
        at.x += ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(words.c_str()).x - (isSorted ? arrowWidth() : 0);
        ImGui::PushID(static_cast<int>(i));
        ImGui::TableHeader(isRight ? "##right" : words.c_str());
        ImGui::PopID();
        if (isRight) ImGui::GetWindowDrawList()->AddText(at, ImGui::GetColorU32(ImGuiCol_Text), words.c_str());
        nameItem(c, fmt::format("heading {} {}", look.thing, column.shown.key));
        if (!column.shown.means.empty()) hint(column.shown.means);
        asksForMenu = asksForMenu || (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right));
    }
    if (asksForMenu) ImGui::OpenPopup("table");
    if (!ImGui::BeginPopup("table")) return;
    if (ImGui::Selectable("copy as CSV")) ImGui::SetClipboardText(kept.csv().c_str());
    nameItem(c, "copy " + look.thing);
    ImGui::EndPopup();
}

/// The arrow that opens and closes a row, as far to the right as the row is deep. Returns whether the mouse is on it.
bool drawFold(const PanelContext& c, KeptTable& kept, const std::string& name, std::size_t row) {
    const float side = ImGui::GetTextLineHeight();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 0.7f * side * static_cast<float>(kept.depth(row)));
    if (!kept.hasInner(row)) {
        ImGui::Dummy({0.7f * side, side});
        ImGui::SameLine(0, 0);
        return false;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    constexpr float kSize = 0.7f;
    ImGui::RenderArrow(ImGui::GetWindowDrawList(), {at.x, at.y + 0.15f * side}, ImGui::GetColorU32(ImGuiCol_Text),
                       kept.isOpen(row) ? ImGuiDir_Down : ImGuiDir_Right, kSize);
    if (ImGui::InvisibleButton("fold", {0.7f * side, side})) kept.fold(row);
    nameItem(c, "fold " + name);
    const bool isOn = ImGui::IsItemHovered();
    ImGui::SameLine(0, 0);
    return isOn;
}

/// Opens the menu of what a click on a row picks. A click that picks nothing, or that would end the pick of a row that
/// is chosen, is taken back.
void askForMenu(const PanelContext& c, const TableLook& look, std::size_t row, bool isChosen) {
    const auto before = static_cast<std::ptrdiff_t>(c.commands.size());
    look.clicked(row);
    const auto pick = std::find_if(c.commands.begin() + before, c.commands.end(), picksForMenu);
    const bool isPick = pick != c.commands.end();
    c.edits.menuOf = isPick && !isChosen ? std::optional(*pick) : std::nullopt;
    if (isChosen || !isPick) c.commands.erase(c.commands.begin() + before, c.commands.end());
    if (isPick) c.queue(command::Focus{Field::contextMenu});
}

/// The cell that names the row. It spans all columns, also those out of sight; tests aim at the cell.
void drawName(const PanelContext& c, KeptTable& kept, const TableLook& look, const DrawnColumn& column,
              std::size_t row) {
    const RowLook its = look.row ? look.row(row) : RowLook{};
    const std::string text = cellText(kept.table().rows[row][column.index], column.shown.form);
    const std::string name = fmt::format("{} {}", look.thing, its.name.empty() ? text : its.name);
    const bool isOnFold = kept.folds() && drawFold(c, kept, name, row);
    const bool isOnSign = (look.sign && look.sign(row)) || isOnFold;
    if (look.sign) ImGui::SameLine(0, 4 * c.scale);
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const float left = room - ImGui::CalcTextSize(its.before.c_str()).x;
    const std::string words = its.before + (look.fitted ? look.fitted(row, left) : cut(text, left));
    if (its.colour) ImGui::PushStyleColor(ImGuiCol_Text, *its.colour);
    bool isClicked = false;
    if (look.clicked) {
        constexpr auto kFlags = ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap;
        isClicked = ImGui::Selectable((words + "##name").c_str(), its.isChosen, kFlags);
        if (ImGui::IsItemClicked(ImGuiMouseButton_Right)) askForMenu(c, look, row, its.isChosen);
    } else {
        ImGui::TextUnformatted(words.c_str());
    }
    if (its.colour) ImGui::PopStyleColor();
    if (c.places != nullptr) {
        c.places->add(name, from, {from.x + room, from.y + ImGui::GetTextLineHeight()});
    }
    const bool isHinted = !its.hint.empty() || look.clicked || words != its.before + text;
    if (isHinted && !isOnSign) hint(its.hint.empty() ? text : its.hint);
    if (isClicked) look.clicked(row);
}

void drawPlainCell(const PanelContext& c, const sim::Cell& cell, const DrawnColumn& column) {
    const MutedScope muted(c, column.shown.isMuted);
    const std::string text = cellText(cell, column.shown.form);
    if (!column.isText) {
        rightAligned(text);
        const std::string whole = cellText(cell);
        if (column.shown.form != NumberForm::whole && whole != text) hint(whole);
        return;
    }
    const std::string words = cut(text, ImGui::GetContentRegionAvail().x);
    ImGui::TextUnformatted(words.c_str());
    if (words != text) hint(text);
}

/// Draws a bar for a number: its length is proportional to the number, relative to the largest in the column.
void drawBar(const PanelContext& c, const KeptTable& kept, const DrawnColumn& column, std::size_t row) {
    const auto numberIn = [](const sim::Cell& cell) {
        const auto* const number = std::get_if<std::uint64_t>(&cell);
        return number == nullptr ? 0.0f : static_cast<float>(*number);
    };
    const float most = std::max(1.0f, numberIn(kept.widest(column.index)));
    const float share = numberIn(kept.table().rows[row][column.index]) / most;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = 6 * c.scale;
    const float top = at.y + (ImGui::GetTextLineHeight() - height) / 2;
    const float right = at.x + share * ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {right, top + height}, packed(c.colours().muted));
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
}

void drawRow(const PanelContext& c, KeptTable& kept, const TableLook& look, const std::vector<DrawnColumn>& columns,
             std::size_t row) {
    ImGui::TableNextRow();
    if (kept.isHead(row)) {
        ImVec4 ground = c.colours().accent;
        ground.w = 0.12f;
        ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg0, ImGui::GetColorU32(ground));
    }
    ImGui::PushID(static_cast<int>(row));
    for (std::size_t i = 0; i < columns.size(); ++i) {
        ImGui::TableNextColumn();
        const DrawnColumn& column = columns[i];
        if (i == look.named) {
            drawName(c, kept, look, column, row);
        } else if (column.shown.isBar) {
            drawBar(c, kept, column, row);
        } else if (!look.cell || !look.cell(row, column.shown.key)) {
            drawPlainCell(c, kept.table().rows[row][column.index], column);
        }
        const std::string words = look.hint ? look.hint(row, column.shown.key) : std::string();
        if (!words.empty()) hint(words);
    }
    ImGui::PopID();
}

ImGuiTableFlags flagsOf(const TableLook& look, const KeptTable& kept) {
    ImGuiTableFlags flags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoSavedSettings;
    if (!kept.isHead(0)) flags |= ImGuiTableFlags_RowBg;  // groups have a ground of their own
    if (look.sorts) flags |= ImGuiTableFlags_Sortable;
    if (look.order.empty()) flags |= ImGuiTableFlags_SortTristate;
    if (look.room != TableLook::Room::lines) flags |= ImGuiTableFlags_ScrollY;
    if (look.room == TableLook::Room::sideways) flags |= ImGuiTableFlags_ScrollX;
    return flags;
}

/// The table between its begin and its end, in which nothing of the rest is drawn.
void drawContent(const PanelContext& c, KeptTable& kept, const TableLook& look, const std::vector<DrawnColumn>& columns,
                 float names) {
    setUp(columns, look, names);
    ImGui::TableSetupScrollFreeze(look.room == TableLook::Room::sideways ? 1 : 0,
                                  look.room == TableLook::Room::lines ? 0 : 1);
    {
        const MutedScope heads(c, look.room == TableLook::Room::lines);
        drawHeadings(c, kept, look, columns);
    }
    takeOrder(kept);
    const std::vector<std::size_t> rows = kept.rows();  // a click may fold one
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(std::min(look.most, rows.size())));
    while (clipper.Step()) {
        for (int r = clipper.DisplayStart; r < clipper.DisplayEnd; ++r) {
            drawRow(c, kept, look, columns, rows[static_cast<std::size_t>(r)]);
        }
    }
}

}  // namespace

KeptTable& keptTable(const PanelContext& c, const std::string& name) {
    return c.edits.tables[name];
}

void drawTable(const PanelContext& c, KeptTable& kept, TableLook look) {
    ImVec2 padding = ImGui::GetStyle().CellPadding;
    if (look.isTight) padding = {2 * c.scale, c.scale};
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, padding);
    std::vector<DrawnColumn> columns = columnsOf(kept, look);
    if (look.room != TableLook::Room::sideways) giveWay(kept, columns, look);
    // ImGui keeps widths and order per id, so a different number of columns needs another id.
    const std::string id = fmt::format("{} {} {}", look.thing, kept.table().name, columns.size());
    // Within the table, what is available is as wide as all of its columns.
    const float names = std::max(150 * c.scale, ImGui::GetContentRegionAvail().x * 0.3f);
    if (ImGui::BeginTable(id.c_str(), static_cast<int>(columns.size()), flagsOf(look, kept))) {
        drawContent(c, kept, look, columns, names);
        ImGui::EndTable();
        if (kept.rows().size() > look.most) {
            muted(c, fmt::format("and {} more", grouped(kept.rows().size() - look.most)));
        }
    }
    ImGui::PopStyleVar();
}

void drawFilter(const PanelContext& c, KeptTable& kept, const std::string& name, const char* hintText, float width) {
    ImGui::SetNextItemWidth(width);
    std::array<char, 128> text{};
    std::copy_n(kept.filter().data(), std::min(kept.filter().size(), text.size() - 1), text.data());
    const std::string id = "##filter " + name;
    if (ImGui::InputTextWithHint(id.c_str(), hintText, text.data(), text.size())) kept.setFilter(text.data());
    nameItem(c, "field " + name);
}

void drawTableTools(const PanelContext& c, KeptTable& kept, const std::string& name, const std::string& file) {
    drawFilter(c, kept, name, "filter by name", 180 * c.scale);
    ImGui::SameLine();
    if (ImGui::Button("copy CSV")) ImGui::SetClipboardText(kept.csv().c_str());
    nameItem(c, "copy " + name);
    hint("copy the rows shown, with all columns, to the clipboard");
    ImGui::SameLine();
    if (ImGui::Button("save CSV")) c.edits.saved = SavedTable{.name = file, .text = kept.csv()};
    nameItem(c, "save " + name);
    hint("save them to a new file in the current folder");
}

}  // namespace whorl::app
