// Numbers of cells by their places, as a picture needs them: those of some rows of a group, at any fold. Cells without
// a number have never been touched.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "render/scene/cells/cell_groups.h"

namespace whorl::scene {

class CellValues {
  public:
    struct Entry {
        std::uint32_t row = 0;
        std::uint32_t column = 0;
        float value = 0;
        float other = 0;  ///< a second number, such as the glow of misses beside that of hits
    };

    explicit CellValues(std::size_t groups) : ofGroup_(groups) {}

    /// Adds the number of a cell that has none yet, in any order.
    void add(const CellPlace& place, float value, float other = 0) {
        ofGroup_[place.group].push_back({place.row, place.column, value, other});
    }
    /// Notes a number, other than 0, of a cell that has no place.
    void leaveOut(float value) {
        ++leftOut_.cells;
        leftOut_.sum += static_cast<double>(value);
    }
    /// Sorts the entries; call after the last `add`.
    void finish();

    /// The entries in the rows [from, to) of a group, by row, then column.
    std::span<const Entry> rows(std::uint32_t group, std::uint32_t from, std::uint32_t to) const;
    /// The entry of a cell; null if it has none.
    const Entry* at(const CellPlace& place) const;
    /// The cells that have numbers but no place.
    struct LeftOut {
        std::uint64_t cells = 0;
        double sum = 0;
    };
    const LeftOut& leftOut() const { return leftOut_; }
    std::size_t groups() const { return ofGroup_.size(); }
    std::size_t size() const;
    /// The largest value; 0 if there are none.
    float most() const { return most_; }

    /// Each 2 × 2 cells as one, with the largest of their numbers: what is bright does not vanish.
    CellValues foldedOnce() const;

  private:
    std::vector<std::vector<Entry>> ofGroup_;
    LeftOut leftOut_;
    float most_ = 0;
};

/// Values at every fold, made when they are first needed.
class FoldedValues {
  public:
    explicit FoldedValues(CellValues values) { folds_.push_back(std::move(values)); }
    const CellValues& at(int fold);

  private:
    std::deque<CellValues> folds_;  ///< references stay valid
};

}  // namespace whorl::scene
