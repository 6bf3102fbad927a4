// Draws a table: sorted by a click on a heading, long ones only as far as they are seen, columns that give way where
// there is no room; rows that are nested open and close; a click on a row queues what its panel says. A click of the
// right button on a heading copies it as CSV.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "app/panels/table_rows.h"

namespace whorl::app {

/// A column of the table that is drawn.
struct ShownColumn {
    std::string key;
    std::string heading = {};  ///< empty: that of the table
    std::string means = {};    ///< shown when the mouse is on the heading
    std::string sample = {};   ///< it is as wide as this text; empty: as its widest cell
    NumberForm form = NumberForm::whole;
    std::uint8_t keeps = 0;  ///< if room is short, columns with the least value go first, the last of them first
    bool ascends = false;    ///< a first click on its heading sorts it ascending, as it does texts
    bool isMuted = false;
    bool isBar = false;  ///< draws a bar proportional to the number, in the remaining width
};

/// What a row shows besides the figures of the table.
struct RowLook {
    std::string name = {};    ///< name by which tests find the row; empty: the naming text
    std::string before = {};  ///< text before the naming text; never cut
    std::string hint = {};    ///< empty: the whole text
    bool isChosen = false;
    std::optional<ImVec4> colour = {};  ///< colour of the naming text
};

struct TableLook {
    std::string thing;  ///< tests find a row as "THING NAME"
    std::vector<ShownColumn> columns = {};
    /// The other columns that have a heading follow, in this form; none: they are not drawn.
    std::optional<NumberForm> others = NumberForm::whole;
    std::size_t named = 0;   ///< which of the drawn columns names the rows
    std::string order = {};  ///< the key by which it is sorted at first; empty: as it is
    enum class Room : std::uint8_t {
        lines,     ///< as high as its rows, in a panel that scrolls
        scrolls,   ///< the rest of the window, in which the rows scroll
        sideways,  ///< and the columns
    };
    Room room = Room::lines;
    bool sorts = true;
    bool isTight = false;                             ///< little space between columns
    std::size_t most = static_cast<std::size_t>(-1);  ///< rows; the rest is counted below

    // By the index of the row in the table. They are called for the rows that are seen.
    std::function<RowLook(std::size_t row)> row = {};
    /// None: a row is no button. Where a click picks something, the right button opens the menu of that.
    std::function<void(std::size_t row)> clicked = {};
    /// The naming text in this width; none: cut().
    std::function<std::string(std::size_t row, float width)> fitted = {};
    /// Draws a sign before the name, as large as a letter; true: the mouse is on it.
    std::function<bool(std::size_t row)> sign = {};
    /// Draws a cell that is no plain text or number; false: it is one.
    std::function<bool(std::size_t row, const std::string& key)> cell = {};
    /// What is shown when the mouse is on a cell; empty: the number in full, if it is rough.
    std::function<std::string(std::size_t row, const std::string& key)> hint = {};
};

/// The table that is kept under this name.
KeptTable& keptTable(const PanelContext& c, const std::string& name);

/// Draws the rows that the filter lets through.
void drawTable(const PanelContext& c, KeptTable& kept, TableLook look);

/// A field for the filter, this wide.
void drawFilter(const PanelContext& c, KeptTable& kept, const std::string& name, const char* hintText, float width);

/// A field for the filter, and buttons that copy the rows shown as CSV, and save them in a file whose name begins so.
/// `name`: of both in tests, "field NAME".
void drawTableTools(const PanelContext& c, KeptTable& kept, const std::string& name, const std::string& file);

}  // namespace whorl::app
