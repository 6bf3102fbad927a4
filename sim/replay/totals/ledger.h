// The ledger of a run: every sum that can be attributed to a site, an owner, an object, a CPU, a set, or a pair of
// which one evicts the other. It contains only sums, so that the ledger of a range is that of a longer range minus the
// rest. The cost of each block is in a table of cells (sim/analysis/cell_table.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/machine/machine_config.h"
#include "sim/replay/totals/block_use.h"
#include "sim/replay/totals/classifier.h"
#include "sim/replay/totals/miss_kind.h"

namespace whorl::sim {

class Trace;

/// A row for each site, owner, object or CPU: accesses, access cycles, and by level misses by kind and the use of the
/// blocks filled.
class TallyTable {
  public:
    TallyTable(std::size_t rows, std::size_t levels)
        : levels_(levels), width_(2 + levels * kOfLevel), cells_(rows * width_, 0) {}

    std::size_t rows() const { return cells_.size() / width_; }
    std::size_t levels() const { return levels_; }
    std::uint64_t accesses(std::size_t row) const { return cells_[row * width_]; }
    /// The access cycles of the row's accesses.
    std::uint64_t cycles(std::size_t row) const { return cells_[row * width_ + 1]; }
    std::uint64_t misses(std::size_t row, std::size_t level, MissKind kind) const {
        return cells_[row * width_ + column(level, kind)];
    }
    /// The misses of all kinds.
    std::uint64_t misses(std::size_t row, std::size_t level) const;

    void addAccess(std::size_t row) { ++cells_[row * width_]; }
    void add(std::size_t row, std::uint64_t accesses, std::uint64_t cycles) {
        cells_[row * width_] += accesses;
        cells_[row * width_ + 1] += cycles;
    }
    void addMiss(std::size_t row, std::size_t level, MissKind kind) { ++cells_[row * width_ + column(level, kind)]; }
    void addMisses(std::size_t row, std::size_t level, const std::array<std::uint64_t, kMissKinds>& kinds) {
        for (std::size_t k = 0; k < kMissKinds; ++k) {
            cells_[row * width_ + column(level, static_cast<MissKind>(k))] += kinds[k];
        }
    }
    /// Reclassifies a miss from false to true sharing.
    void turnTrue(std::size_t row, std::size_t level) {
        --cells_[row * width_ + column(level, MissKind::falseSharing)];
        addMiss(row, level, MissKind::trueSharing);
    }
    StaySum stays(std::size_t row, std::size_t level) const {
        const std::size_t at = row * width_ + staysColumn(level);
        return {.fills = cells_[at], .usedBytes = cells_[at + 1]};
    }
    void addStays(std::size_t row, std::size_t level, const StaySum& stays) {
        cells_[row * width_ + staysColumn(level)] += stays.fills;
        cells_[row * width_ + staysColumn(level) + 1] += stays.usedBytes;
    }
    TallyTable& operator-=(const TallyTable& earlier);
    bool operator==(const TallyTable&) const = default;

  private:
    static constexpr std::size_t kOfLevel = kMissKinds + 2;  ///< columns
    static std::size_t column(std::size_t level, MissKind kind) {
        return 2 + level * kOfLevel + static_cast<std::size_t>(kind);
    }
    static std::size_t staysColumn(std::size_t level) { return 2 + level * kOfLevel + kMissKinds; }
    std::size_t levels_;
    std::size_t width_;
    std::vector<std::uint64_t> cells_;
};

/// The counts of one set of one cache.
struct SetTally {
    std::uint64_t requests = 0;
    std::uint64_t evictions = 0;
    std::array<std::uint64_t, kMissKinds> misses{};

    bool operator==(const SetTally&) const = default;
};

/// An access to one region (or another thing) evicts a block of another from a level.
struct Conflict {
    std::uint32_t level = 0;
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    auto operator<=>(const Conflict&) const = default;
};
using Conflicts = std::map<Conflict, std::uint64_t>;

/// The region that contains the first byte of a block, else the first region that begins within it; the number of
/// regions when there is none. `size` is the block size in bytes.
std::uint32_t regionOfBlock(const Trace& trace, ByteAddress base, std::uint64_t size);

struct Ledger {
    Ledger(const MachineConfig& machine, const Trace& trace);

    TallyTable sites;
    TallyTable owners;   ///< see Owners; the last row: memory that nobody has
    TallyTable objects;  ///< the last row: outside all objects; the only row for a trace without objects
    TallyTable cpus;
    std::vector<std::vector<SetTally>> sets;  ///< by cache, level by level; by set
    std::vector<StaySum> stays;               ///< by cache
    Conflicts regionConflicts;

    /// Misses of a level by kind, summed over its sets.
    std::uint64_t misses(const MachineConfig& machine, std::size_t level, MissKind kind) const;
    /// The use of the blocks of a level, summed over its caches.
    StaySum staysAt(const MachineConfig& machine, std::size_t level) const;
    Ledger& operator-=(const Ledger& earlier);
    bool operator==(const Ledger&) const = default;
};

/// How often accesses to one region evict blocks of another, or of the same one.
struct EvictionPair {
    std::uint32_t evictor = 0;
    std::uint32_t victim = 0;
    std::vector<std::uint64_t> evictions;  ///< by level
    bool operator==(const EvictionPair&) const = default;
};

/// All pairs that occur in the conflicts of a ledger, by decreasing evictions in the nearest level, equal ones by the
/// next level, and so outward. The order within the nearest level is thus that of collisionsOf
/// (sim/analysis/collisions.h).
std::vector<EvictionPair> evictionPairs(const Conflicts& conflicts, std::size_t levels);

}  // namespace whorl::sim
