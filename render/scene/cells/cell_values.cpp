#include "render/scene/cells/cell_values.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace whorl::scene {

namespace {

bool isBefore(const CellValues::Entry& a, const CellValues::Entry& b) {
    return std::tie(a.row, a.column) < std::tie(b.row, b.column);
}

}  // namespace

void CellValues::finish() {
    for (std::vector<Entry>& entries : ofGroup_) {
        if (!std::is_sorted(entries.begin(), entries.end(), isBefore)) {
            std::sort(entries.begin(), entries.end(), isBefore);
        }
        for (const Entry& e : entries) most_ = std::max(most_, e.value);
    }
}

std::span<const CellValues::Entry> CellValues::rows(std::uint32_t group, std::uint32_t from, std::uint32_t to) const {
    const std::vector<Entry>& entries = ofGroup_[group];
    const auto rowBefore = [](const Entry& e, std::uint32_t row) { return e.row < row; };
    const auto first = std::lower_bound(entries.begin(), entries.end(), from, rowBefore);
    const auto last = std::lower_bound(first, entries.end(), to, rowBefore);
    return {first, last};
}

const CellValues::Entry* CellValues::at(const CellPlace& place) const {
    const std::vector<Entry>& entries = ofGroup_[place.group];
    const Entry wanted{.row = place.row, .column = place.column};
    const auto found = std::lower_bound(entries.begin(), entries.end(), wanted, isBefore);
    return found == entries.end() || isBefore(wanted, *found) ? nullptr : &*found;
}

std::size_t CellValues::size() const {
    std::size_t sum = 0;
    for (const std::vector<Entry>& entries : ofGroup_) sum += entries.size();
    return sum;
}

CellValues CellValues::foldedOnce() const {
    CellValues out(ofGroup_.size());
    for (std::size_t g = 0; g < ofGroup_.size(); ++g) {
        std::vector<Entry>& to = out.ofGroup_[g];
        const std::vector<Entry>& from = ofGroup_[g];
        // Merge the entries of each two rows from left to right.
        for (auto even = from.begin(); even != from.end();) {
            const std::uint32_t row = even->row / 2;
            const auto rowBefore = [](const Entry& e, std::uint32_t r) { return e.row < r; };
            const auto odd = std::lower_bound(even, from.end(), 2 * row + 1, rowBefore);
            const auto end = std::lower_bound(odd, from.end(), 2 * row + 2, rowBefore);
            const std::size_t begin = to.size();
            for (auto a = even, b = odd; a != odd || b != end;) {
                const bool isA = b == end || (a != odd && a->column <= b->column);
                const Entry& e = isA ? *a++ : *b++;
                if (to.size() == begin || to.back().column != e.column / 2) {
                    to.push_back({row, e.column / 2, e.value, e.other});
                    continue;
                }
                to.back().value = std::max(to.back().value, e.value);
                to.back().other = std::max(to.back().other, e.other);
            }
            even = end;
        }
    }
    out.most_ = most_;
    return out;
}

const CellValues& FoldedValues::at(int fold) {
    while (folds_.size() <= static_cast<std::size_t>(fold)) folds_.push_back(folds_.back().foldedOnce());
    return folds_[static_cast<std::size_t>(fold)];
}

}  // namespace whorl::scene
