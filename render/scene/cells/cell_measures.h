// The numbers that cells show: from the sums of a range (sim/analysis/cell_table.h, cache_cells.h), or from what the
// last accesses did (sim/analysis/activity.h). Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "render/scene/cells/cache_array.h"
#include "render/scene/cells/cell_flow.h"
#include "render/scene/cells/cell_metric.h"
#include "render/scene/cells/memory_cells.h"
#include "sim/analysis/activity.h"
#include "sim/analysis/cache_cells.h"
#include "sim/analysis/cell_table.h"

namespace whorl::scene {

// Numbers of cells by their places, as a picture needs them: those of some rows of a group, at any fold. Cells without
// a number have never been touched.

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
    /// The largest value, and the smallest; 0 if there are none.
    float most() const { return most_; }
    float least() const { return least_; }

    /// Each 2 × 2 cells as one, with the largest of their numbers: what is bright does not vanish.
    CellValues foldedOnce() const;

  private:
    std::vector<std::vector<Entry>> ofGroup_;
    LeftOut leftOut_;
    float most_ = 0;
    float least_ = 0;
};

/// Values at every fold, made when they are first needed.
class FoldedValues {
  public:
    explicit FoldedValues(CellValues values) { folds_.push_back(std::move(values)); }
    const CellValues& at(int fold);
    const CellValues& first() const { return folds_.front(); }

  private:
    std::deque<CellValues> folds_;  ///< references stay valid
};

/// The value of a metric over a range of a cell of memory. Shares are from 0 to 1; a level is its index, memory the
/// number of levels. Nothing if it has none, such as a miss rate without requests.
std::optional<double> valueOf(const CellQuantity& quantity, const sim::CellTable& table, sim::ByteAddress cell,
                              std::uint64_t bytes, const sim::MachineConfig& machine);
std::optional<double> valueOf(CellMetric metric, const sim::CacheCellSums& sums);

/// The values of all touched cells. Cells of blocks that were prefetched but never accessed may have no place.
CellValues memoryValues(const CellQuantity& quantity, const sim::CellTable& table, const MemoryCells& cells,
                        const sim::MachineConfig& machine);
CellValues cacheValues(CellMetric metric, const sim::CacheCellTable& table, std::uint32_t cache,
                       const CacheArray& array);

/// The moment that a live display shows.
struct CellMoment {
    double t = 0;           ///< the playhead
    double halfLife = 200;  ///< half-life of the glow, accesses
};

/// The values of the cells that the activity touched; for the residence, of all blocks in the caches. The glow has the
/// light of hits as value and the light of misses as other. The time since an access is in accesses, limited to those
/// that the activity reaches back.
CellValues memoryNow(const CellQuantity& quantity, const sim::Activity& activity, const MemoryCells& cells,
                     const CellMoment& moment);
/// `level` and `cache` are those of the array. The activity must hold that level's touches. The owner's value is the
/// index of a region.
CellValues cacheNow(CellMetric metric, const sim::Activity& activity, std::size_t level, std::uint32_t cache,
                    const CacheArray& array, const sim::Trace& trace, const CellMoment& moment);

/// How strongly something that happened in the access `tick` shows at time t: it comes up while the access is in
/// motion, and then decays.
float lightOf(sim::Tick tick, const CellMoment& moment);

}  // namespace whorl::scene
