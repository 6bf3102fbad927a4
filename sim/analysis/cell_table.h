// What a range of a run did to each cell of memory: a cell is `grain` bytes at a multiple of them, a power of two, from
// a word to a page. A plain value that owns its memory.
//
// An access, its cycles, its own requests and its TLB misses belong to the cell of its first byte; the request of a
// write-back or a prefetch to the cell of the first byte of the block requested; the stay of a block to the cell of the
// first byte in it of the access that filled it, or of its own first byte if that access does not touch it. Over all
// cells the sums are those of Counters, convention by convention.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sim/analysis/pair_set.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/replay/totals/block_use.h"

namespace whorl::sim {

/// A row of sums for each of a growing number of memory cells, stored compactly: 32 bits for each sum, with any
/// overflow kept apart. For the sources of cell tables only.
class CellRows {
  public:
    /// The columns that do not belong to a level.
    enum Column : std::size_t { kAccesses, kWrites, kTlbMisses, kPageFaults, kPenalty, kFixed };

    explicit CellRows(std::size_t levels) : levels_(levels), width_(kFixed + levels * kOfLevel) {}

    std::size_t levels() const { return levels_; }
    std::size_t columns() const { return width_; }
    std::size_t rows() const { return cells_.size() / width_; }
    // The columns of a level.
    static std::size_t requests(std::size_t level) { return kFixed + level * kOfLevel; }
    static std::size_t misses(std::size_t level) { return requests(level) + 1; }
    static std::size_t fills(std::size_t level) { return requests(level) + 2; }
    static std::size_t usedBytes(std::size_t level) { return requests(level) + 3; }
    /// Accesses whose last request was served by the next farther level, or by memory.
    static std::size_t servedBeyond(std::size_t level) { return requests(level) + 4; }

    void resize(std::size_t rows) { cells_.resize(rows * width_, 0); }
    void add(std::size_t row, std::size_t column, std::uint64_t n) {
        const std::size_t at = row * width_ + column;
        const std::uint64_t sum = cells_[at] + n;
        cells_[at] = static_cast<std::uint32_t>(sum);
        if (sum >> 32 != 0) [[unlikely]] {
            beyond_[at] += sum >> 32;
        }
    }
    std::uint64_t at(std::size_t row, std::size_t column) const {
        const std::size_t at = row * width_ + column;
        if (beyond_.empty()) return cells_[at];
        const auto more = beyond_.find(at);
        return cells_[at] + (more == beyond_.end() ? 0 : more->second << 32);
    }
    /// Adds a row of another table.
    void add(std::size_t row, const CellRows& from, std::size_t other) {
        for (std::size_t c = 0; c < width_; ++c) add(row, c, from.at(other, c));
    }
    std::size_t bytes() const {
        return cells_.capacity() * sizeof cells_[0] + beyond_.size() * 4 * sizeof(std::uint64_t);
    }

  private:
    static constexpr std::size_t kOfLevel = 5;  ///< columns

    std::size_t levels_;
    std::size_t width_;
    std::vector<std::uint32_t> cells_;
    std::unordered_map<std::size_t, std::uint64_t> beyond_;  ///< by index in cells_: how often 2^32 was exceeded
};

/// Sums over memory cells. The sums of neighbours can be added.
struct CellSums {
    std::uint64_t accesses = 0;
    std::uint64_t writes = 0;
    std::uint64_t tlbMisses = 0;
    std::uint64_t pageFaults = 0;
    Cycles cycles = 0;   ///< access cycles
    Cycles penalty = 0;  ///< the part of `cycles` beyond one look-up per access in the nearest level
    std::array<std::uint64_t, kMaxLevels> hits{};        ///< requests of a level
    std::array<std::uint64_t, kMaxLevels> misses{};      ///< requests of a level
    std::array<std::uint64_t, kMaxLevels + 1> served{};  ///< accesses by the level that served their last request;
                                                         ///< [levels]: memory
    std::array<StaySum, kMaxLevels> stays{};             ///< blocks filled at a level, and how they were used

    std::uint64_t reads() const { return accesses - writes; }
    std::uint64_t requests(std::size_t level) const { return hits[level] + misses[level]; }
    /// Misses per request to a level, 0 to 1; 0 without requests.
    double missRate(std::size_t level) const {
        return misses[level] == 0 ? 0.0 : static_cast<double>(misses[level]) / static_cast<double>(requests(level));
    }
    /// The level that served most accesses, `levels` for memory; the nearest in a tie.
    std::size_t mostServed(std::size_t levels) const;
    CellSums& operator+=(const CellSums& more);
    CellSums& operator-=(const CellSums& part);
    bool operator==(const CellSums&) const = default;
};

class CellTable {
  public:
    /// The contents of a table, from its maker.
    struct Parts {
        Range range;
        std::uint64_t grain = 64;  ///< bytes
        double share = 1;
        std::vector<LevelConfig> levels;
        std::size_t regions = 0;               ///< number of regions in the trace
        std::vector<std::uint64_t> cells;      ///< address / grain of each cell, ascending
        CellRows rows{1};                      ///< by cell
        std::vector<SortedRegionSets> byCell;  ///< by level: the regions that the cells conflict with
        /// For a level whose blocks are larger than cells: the regions that evicted each block, with all cells in it.
        struct Blocks {
            std::vector<std::uint64_t> blocks;  ///< block addresses, ascending
            SortedRegionSets regions;           ///< by block
        };
        std::vector<Blocks> byBlock;
    };
    explicit CellTable(Parts parts);

    Range range() const { return parts_.range; }
    std::uint64_t grain() const { return parts_.grain; }
    std::size_t levels() const { return parts_.levels.size(); }
    /// 1, or the share of the range's accesses that were played: then all sums are estimates, scaled up.
    double share() const { return parts_.share; }

    /// The cells that were accessed or requested, or lost a block, by address.
    std::size_t size() const { return parts_.cells.size(); }
    ByteAddress address(std::size_t i) const { return ByteAddress{parts_.cells[i] * parts_.grain}; }
    /// The index of the first cell that begins at or after an address; size() if none does.
    std::size_t from(ByteAddress a) const;

    CellSums sums(std::size_t i) const { return scaled(rowOf(i)); }
    /// The sums over all cells that begin in this memory. The cost hardly depends on their number.
    CellSums sums(ByteAddress from, std::uint64_t bytes) const;
    CellSums total() const { return scaled(sumBetween(0, size())); }

    /// The regions with which the cells that begin in this memory conflict at a level: regions whose accesses evicted
    /// blocks there that contain the cells or lie in them, and regions whose blocks the cells' accesses evicted. A
    /// region that evicts itself is included. Ascending indices of regions; regions().size() stands for memory outside
    /// all regions. A table of a share has only the conflicts in that share.
    std::vector<std::uint32_t> conflictingRegions(std::size_t level, ByteAddress from, std::uint64_t bytes) const;
    std::size_t conflicts(std::size_t level, ByteAddress from, std::uint64_t bytes) const;

    /// The size of the table in memory, in bytes.
    std::size_t bytes() const;

  private:
    /// The cells that begin in some memory: the numbers (address / grain) of the first and the last possible cell, and
    /// the indices [begin, end) of the cells that exist.
    struct Span {
        std::uint64_t first = 1;
        std::uint64_t last = 0;
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    Span within(ByteAddress from, std::uint64_t bytes) const;
    const std::vector<std::uint64_t>& cells() const { return parts_.cells; }
    CellSums rowOf(std::size_t i) const;
    CellSums sumBetween(std::size_t first, std::size_t last) const;
    CellSums scaled(CellSums sums) const;
    std::vector<bool> regionsAt(std::size_t level, const Span& cells) const;

    static constexpr std::size_t kStride = 64;  ///< cells between two sums

    Parts parts_;
    std::vector<CellSums> before_;  ///< sums over all cells before every kStride-th one
};

/// The request for a table.
struct CellRequest {
    /// The most cells of a table.
    static constexpr std::size_t kMaxCells = std::size_t{1} << 21;

    Range range;
    std::uint64_t grain = 64;  ///< bytes, a power of two, at least 4
    /// 0: play the whole range. Else only about this many accesses of a longer range are played, in pieces spread
    /// evenly over it.
    std::uint64_t sample = 0;
    std::size_t most = kMaxCells;  ///< the grain is doubled until there are no more cells

    bool operator==(const CellRequest&) const = default;
};

/// Plays a range of a run, which must be built that far, or a sample of it. The use of blocks is known once the run is
/// complete; until then the table has no stays. Progress is in accesses. Null when cancelled.
std::shared_ptr<const CellTable> cellsOf(const Run& run, const CellRequest& request, Progress& progress);

}  // namespace whorl::sim
