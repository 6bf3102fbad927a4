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

}  // namespace

std::vector<std::size_t> rowsShown(const sim::Table& table, const RowChoice& choice) {
    const auto fits = [&](std::size_t r) {
        return std::any_of(choice.searched.begin(), choice.searched.end(), [&](std::size_t column) {
            const auto* const text = std::get_if<std::string>(&table.rows[r][column]);
            return holds(text == nullptr ? std::string_view() : *text, choice.filter);
        });
    };
    const auto isHead = [&](std::size_t r) { return choice.heads.empty() || choice.heads[r]; };
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t r = 0; r < table.rows.size();) {
        std::vector<std::size_t> group{r};
        const bool isWhole = fits(r);
        for (++r; r < table.rows.size() && !isHead(r); ++r) {
            if (isWhole || fits(r)) group.push_back(r);
        }
        if (isWhole || group.size() > 1) groups.push_back(std::move(group));
    }
    if (choice.order && choice.order->column < table.columns.size()) {
        const auto before = [&](std::size_t a, std::size_t b) { return isBefore(table, *choice.order, a, b); };
        for (auto& group : groups) std::stable_sort(group.begin() + 1, group.end(), before);
        std::stable_sort(groups.begin(), groups.end(),
                         [&](const auto& a, const auto& b) { return before(a.front(), b.front()); });
    }
    std::vector<std::size_t> rows;
    rows.reserve(table.rows.size());
    for (const auto& group : groups) rows.insert(rows.end(), group.begin(), group.end());
    return rows;
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
    heads_.clear();
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

void KeptTable::group(std::vector<bool> heads, std::vector<std::size_t> searched) {
    heads_ = std::move(heads);
    searched_ = std::move(searched);
    rows_.reset();
}

const std::vector<std::size_t>& KeptTable::rows() const {
    if (!rows_) rows_ = rowsShown(table_, {filter_, searched_, order_, heads_});
    return *rows_;
}

std::string KeptTable::csv() const {
    sim::Table shown{.name = {}, .title = {}, .columns = table_.columns, .rows = {}};
    for (const std::size_t r : rows()) shown.rows.push_back(table_.rows[r]);
    return sim::tableAsCsv(shown);
}

}  // namespace whorl::app
