#include "app/panels/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace whorl::app {

namespace {

bool holds(std::string_view text, std::string_view part) {
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    const auto found = std::search(text.begin(), text.end(), part.begin(), part.end(),
                                   [&](char a, char b) { return lower(a) == lower(b); });
    return part.empty() || found != text.end();
}

bool isNothing(const sim::Cell& cell) {
    return std::holds_alternative<std::monostate>(cell);
}

/// Whether a row comes before another. What has no value comes last.
bool isBefore(const sim::Table& table, const TableOrder& order, std::size_t a, std::size_t b) {
    const sim::Cell& one = table.rows[a][order.column];
    const sim::Cell& other = table.rows[b][order.column];
    if (isNothing(one) || isNothing(other)) return !isNothing(one) && isNothing(other);
    return order.isDescending ? other < one : one < other;
}

/// Whether cell `a` needs less width than cell `b`, as an estimate for the width of their column.
bool isNarrower(const sim::Cell& a, const sim::Cell& b) {
    const auto* const one = std::get_if<std::string>(&a);
    const auto* const other = std::get_if<std::string>(&b);
    if (one != nullptr && other != nullptr) return one->size() < other->size();
    // One text makes the whole column a column of texts.
    if (one != nullptr || other != nullptr) return other != nullptr;
    return a < b;
}

/// Which rows are shown, and what is in each of them.
class RowTree {
  public:
    RowTree(const sim::Table& table, const RowChoice& choice)
        : table_(table), choice_(choice), inner_(table.rows.size() + 1), holds_(table.rows.size()) {
        const std::size_t root = table.rows.size();
        std::vector<std::size_t> path;  // the rows around the next one
        std::vector<std::size_t> parents(root);
        std::vector<bool> fits(root);
        for (std::size_t r = 0; r < root; ++r) {
            const std::size_t depth = choice.depths.empty() ? 0 : choice.depths[r];
            path.resize(std::min(path.size(), depth));
            parents[r] = path.empty() ? root : path.back();
            fits[r] = fitsItself(r) || (parents[r] != root && fits[parents[r]]);
            path.push_back(r);
        }
        std::vector<bool> isShown = fits;
        for (std::size_t r = root; r-- > 0;) {
            if (!isShown[r] || parents[r] == root) continue;
            if (!fits[parents[r]]) holds_[parents[r]] = true;
            isShown[parents[r]] = true;
        }
        for (std::size_t r = 0; r < root; ++r) {
            if (isShown[r]) inner_[parents[r]].push_back(r);
        }
        if (!choice.order || choice.order->column >= table.columns.size()) return;
        for (auto& rows : inner_) {
            std::stable_sort(rows.begin(), rows.end(),
                             [&](std::size_t a, std::size_t b) { return isBefore(table_, *choice_.order, a, b); });
        }
    }

    std::vector<std::size_t> shown() const {
        std::vector<std::size_t> out;
        add(out, inner_.size() - 1);
        return out;
    }

  private:
    bool fitsItself(std::size_t r) const {
        return std::any_of(choice_.searched.begin(), choice_.searched.end(), [&](std::size_t column) {
            const auto* const text = std::get_if<std::string>(&table_.rows[r][column]);
            return holds(text == nullptr ? std::string_view() : *text, choice_.filter);
        });
    }
    void add(std::vector<std::size_t>& out, std::size_t around) const {
        for (const std::size_t r : inner_[around]) {
            out.push_back(r);
            if (holds_[r] || !choice_.isOpen || choice_.isOpen(r)) add(out, r);
        }
    }

    const sim::Table& table_;
    const RowChoice& choice_;
    std::vector<std::vector<std::size_t>> inner_;  ///< by row, then those in none
    std::vector<bool> holds_;                      ///< it is shown for what is in it
};

}  // namespace

std::vector<std::size_t> rowsShown(const sim::Table& table, const RowChoice& choice) {
    return RowTree(table, choice).shown();
}

std::string cellText(const sim::Cell& cell, NumberForm form) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* number = std::get_if<std::uint64_t>(&cell)) {
        return form == NumberForm::whole   ? sim::grouped(*number)
               : form == NumberForm::rough ? sim::roughCount(*number)
                                           : roughBytes(*number);
    }
    const auto* const ratio = std::get_if<double>(&cell);
    if (ratio == nullptr) return {};
    if (form == NumberForm::whole || *ratio < 1000) return fmt::format("{:.1f}", *ratio);
    return sim::roughCount(static_cast<std::uint64_t>(std::llround(*ratio)));
}

std::string roughBytes(std::uint64_t bytes) {
    auto amount = static_cast<double>(bytes);
    const char* unit = "";
    for (const char* next : {"K", "M", "G", "T"}) {
        if (amount < 1000) break;
        amount /= 1024;
        unit = next;
    }
    return fmt::format("{:.{}f}{}", amount, amount < 100 && amount != std::floor(amount) ? 1 : 0, unit);
}

bool TableSource::operator==(const TableSource& other) const {
    return numbers_ == other.numbers_ &&
           std::equal(things_.begin(), things_.end(), other.things_.begin(), other.things_.end(),
                      [](const auto& a, const auto& b) { return !a.owner_before(b) && !b.owner_before(a); });
}

const sim::Cell& KeptTable::cell(std::size_t row, std::string_view key) const {
    return table_.rows[row][sim::columnOf(table_.columns, key)];
}

void KeptTable::set(sim::Table table) {
    table_ = std::move(table);
    widest_.assign(table_.columns.size(), {});
    for (const auto& row : table_.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (isNarrower(widest_[i], row[i])) widest_[i] = row[i];
        }
    }
    depths_.clear();
    folds_ = false;
    searched_ = {0};
    rows_.reset();
}

void KeptTable::setFilter(std::string filter) {
    filter_ = std::move(filter);
    rows_.reset();
}

void KeptTable::setOrder(const std::optional<TableOrder>& order) {
    if (std::exchange(order_, order) != order) rows_.reset();
}

void KeptTable::nest(std::vector<std::uint8_t> depths, std::vector<std::size_t> searched, bool folds) {
    depths_ = std::move(depths);
    searched_ = std::move(searched);
    folds_ = folds;
    rows_.reset();
}

std::string KeptTable::pathOf(std::size_t row) const {
    const auto nameOf = [&](std::size_t r) { return cellText(table_.rows[r][searched_.front()]); };
    std::string path = nameOf(row);
    for (std::size_t r = row; r-- > 0 && depths_[row] > 0;) {
        if (depths_[r] >= depths_[row]) continue;
        row = r;
        path.insert(0, nameOf(r) + '\n');
    }
    return path;
}

bool KeptTable::isOpen(std::size_t row) const {
    if (!folds_ || open_.contains(pathOf(row))) return true;
    const std::vector<std::size_t>& shown = rows();
    const auto here = std::find(shown.begin(), shown.end(), row);
    return here != shown.end() && here + 1 != shown.end() && depths_[*(here + 1)] > depths_[row];
}

void KeptTable::fold(std::size_t row) {
    if (open_.erase(pathOf(row)) == 0) open_.insert(pathOf(row));
    rows_.reset();
}

const std::vector<std::size_t>& KeptTable::rows() const {
    const auto isOpen = [&](std::size_t r) { return !folds_ || (hasInner(r) && open_.contains(pathOf(r))); };
    if (!rows_) rows_ = rowsShown(table_, {filter_, searched_, order_, depths_, isOpen});
    return *rows_;
}

std::string KeptTable::csv() const {
    sim::Table shown{.name = {}, .title = {}, .columns = table_.columns, .rows = {}};
    for (const std::size_t r : rows()) shown.rows.push_back(table_.rows[r]);
    return sim::tableAsCsv(shown);
}

}  // namespace whorl::app
