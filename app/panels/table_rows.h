// A table that is kept from frame to frame, and which of its rows are shown in which order. Tables of large traces take
// a while to make and to sort: both is done when something has changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/table.h"

namespace whorl::app {

struct TableOrder {
    std::size_t column = 0;  ///< column of the table
    bool isDescending = true;
    bool operator==(const TableOrder&) const = default;
};

/// Which rows are shown, and in which order.
struct RowChoice {
    std::string_view filter = {};             ///< what they contain, in upper or lower case
    std::vector<std::size_t> searched = {0};  ///< the columns that may contain it
    std::optional<TableOrder> order = {};     ///< none: that of the table
    /// How deep each row is nested: it is in the last row before it that is less deep. Empty: no row is in another.
    std::vector<std::uint8_t> depths = {};
    std::function<bool(std::size_t row)> isOpen = {};  ///< whether what is in a row is shown; none: of all rows
};

/// The indices of the rows that contain the filter, sorted by a column: rows that are equal there keep their order, and
/// cells without a value come last. What is in a row stays behind it, sorted among itself. If a row contains the
/// filter, all that is in it is shown, too, if it is open; a row in which something contains it is shown, and open.
std::vector<std::size_t> rowsShown(const sim::Table& table, const RowChoice& choice);

/// How a number is written.
enum class NumberForm : std::uint8_t {
    whole,  ///< "12 345"
    rough,  ///< "12.3K"
    bytes,  ///< "12K", of 1024
};
/// A cell for people: ratios have one digit after the point.
std::string cellText(const sim::Cell& cell, NumberForm form = NumberForm::whole);
/// "32K", "895.6K", "2.4M": a number of bytes in three or four digits.
std::string roughBytes(std::uint64_t bytes);

/// Identifies the data from which a table was made. Data that has been freed never equals other data.
class TableSource {
  public:
    explicit TableSource(const std::vector<std::shared_ptr<const void>>& things, std::vector<double> numbers = {})
        : things_(things.begin(), things.end()), numbers_(std::move(numbers)) {}
    bool operator==(const TableSource& other) const;

  private:
    std::vector<std::weak_ptr<const void>> things_;
    std::vector<double> numbers_;
};

class KeptTable {
  public:
    /// Keeps a table that `make` makes, unless it is the one kept already: it is of the same.
    template <class Make>
    void keep(TableSource source, const Make& make) {
        if (source_ == source) return;
        set(make());
        source_ = std::move(source);
    }
    const sim::Table& table() const { return table_; }
    /// What these cells have, which must be of the kept table.
    const sim::Cell& cell(std::size_t row, std::string_view key) const;
    /// For the width of a column: its largest number, or longest text.
    const sim::Cell& widest(std::size_t column) const { return widest_[column]; }
    bool isOfTexts(std::size_t column) const { return std::holds_alternative<std::string>(widest_[column]); }

    const std::string& filter() const { return filter_; }
    void setFilter(std::string filter);
    const std::optional<TableOrder>& order() const { return order_; }
    void setOrder(const std::optional<TableOrder>& order);
    /// See RowChoice; the next table has none. `folds`: rows can be opened and closed, and are closed at first; which
    /// are open is known by their names, and outlives the table.
    void nest(std::vector<std::uint8_t> depths, std::vector<std::size_t> searched, bool folds = false);
    bool folds() const { return folds_; }
    std::uint8_t depth(std::size_t row) const { return depths_.empty() ? std::uint8_t{0} : depths_[row]; }
    /// Whether rows are in it.
    bool hasInner(std::size_t row) const { return row + 1 < depths_.size() && depths_[row + 1] > depths_[row]; }
    /// Whether what is in a row is shown, also because of the filter.
    bool isOpen(std::size_t row) const;
    void fold(std::size_t row);
    /// A row that is no fold, with others in it.
    bool isHead(std::size_t row) const { return !depths_.empty() && !folds_ && depths_[row] == 0; }

    const std::vector<std::size_t>& rows() const;
    /// The rows that are shown, with all columns.
    std::string csv() const;

  private:
    void set(sim::Table table);
    std::string pathOf(std::size_t row) const;

    std::optional<TableSource> source_;
    sim::Table table_;
    std::vector<sim::Cell> widest_;
    std::vector<std::uint8_t> depths_;
    bool folds_ = false;
    std::set<std::string> open_;  ///< paths
    std::vector<std::size_t> searched_ = {0};
    std::string filter_;
    std::optional<TableOrder> order_;
    mutable std::optional<std::vector<std::size_t>> rows_;  ///< none: to be sorted
};

}  // namespace whorl::app
