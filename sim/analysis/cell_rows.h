// A row of sums for each of a growing number of cells of memory, in little room: 32 bits a sum, and apart what exceeds
// them. For the sources of cell tables only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace whorl::sim {

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

}  // namespace whorl::sim
