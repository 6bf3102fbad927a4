// Costs over time: what each CPU spent its cycles on, in buckets of equal length. Any series of buckets can be summed
// in constant time. Each CPU has its own row of buckets along the common time of the run, from cycle 0 until all CPUs
// have finished: the buckets of a CPU add up to the length of the run.
//
// After the processor time profiles of IPS-2 (B. P. Miller et al., 1990) and ParaGraph (M. T. Heath, J. A. Etheridge,
// 1991).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/analysis/critical_path.h"
#include "sim/analysis/cycle_walk.h"
#include "sim/analysis/history.h"
#include "sim/base/progress.h"
#include "sim/cache/cost.h"
#include "sim/replay/run.h"

namespace whorl::sim {

/// Cycles [from, to).
struct CycleRange {
    Cycles from = 0;
    Cycles to = 0;

    Cycles size() const { return to - from; }
    bool operator==(const CycleRange&) const = default;
};

/// The cycles of a stretch of time, by CPU and class.
class CycleCosts {
  public:
    /// At most `mostBuckets` buckets, each long enough that together they cover the range.
    CycleCosts(std::uint32_t cpus, const CycleClasses& classes, CycleRange range, std::size_t mostBuckets);

    const CycleRange& range() const { return range_; }
    std::uint32_t cpus() const { return cpus_; }
    const CycleClasses& classes() const { return classes_; }
    /// Cycles of a bucket; the last may reach beyond the range.
    Cycles step() const { return step_; }
    std::size_t buckets() const { return buckets_; }
    /// The bucket of a cycle of the range.
    std::size_t bucketOf(Cycles at) const { return static_cast<std::size_t>((at - range_.from) / step_); }
    /// The cycles of buckets [first, last).
    CycleRange cyclesOf(std::size_t first, std::size_t last) const;

    /// The cycles that a CPU spent on each class in buckets [first, last): by class.
    std::vector<Cycles> sums(std::uint32_t cpu, std::size_t first, std::size_t last) const;
    /// The cycles that all CPUs together spent on each class in buckets [first, last): by class.
    std::vector<Cycles> sumsOfAll(std::size_t first, std::size_t last) const;

    /// Adds the part of [from, to) that lies in the range. Must precede finish().
    void add(std::uint32_t cpu, std::size_t what, Cycles from, Cycles to);
    /// Ends the range at a cycle, unless it ends earlier.
    void endAt(Cycles end);
    /// Completes the sums: from now on they can be read.
    void finish();
    std::size_t bytes() const { return sums_.size() * sizeof(Cycles); }

  private:
    Cycles& at(std::uint32_t cpu, std::size_t bucket, std::size_t what) {
        return sums_[(cpu * (most_ + 1) + bucket) * classes_.size() + what];
    }
    const Cycles& at(std::uint32_t cpu, std::size_t bucket, std::size_t what) const {
        return sums_[(cpu * (most_ + 1) + bucket) * classes_.size() + what];
    }
    void widen();

    std::uint32_t cpus_;
    CycleClasses classes_;
    CycleRange range_;
    Cycles step_ = 1;
    std::size_t most_;
    std::size_t buckets_ = 0;
    std::vector<Cycles> sums_;  ///< once finished: for each CPU, the sums over all buckets before
};

/// The costs over the whole time of a run.
struct RunCosts {
    CycleCosts all;
    CycleScale scale;         ///< its begin is 0
    std::vector<Wait> waits;  ///< those of each CPU in the order of time
    CriticalPath path;
    std::vector<Cycles> ends;      ///< by CPU: when it finished its last access
    std::vector<Cycles> accesses;  ///< by CPU: its access cycles, as in Measures::cycles

    /// The clock of each CPU after every `every` accesses, by time, then by CPU: the points where finer sums can begin
    /// and end.
    std::uint64_t every = 1;
    std::vector<Cycles> clocks;
};

/// The longest wait of a CPU that lies in a range at least in part, and the number of those that do.
struct WaitsDuring {
    const Wait* longest = nullptr;  ///< null: there is none
    std::size_t count = 0;
};
WaitsDuring waitsDuring(const RunCosts& costs, std::uint32_t cpu, CycleRange range);

/// Plays a complete run. Progress is in accesses. Null when cancelled.
std::shared_ptr<const RunCosts> costsOverTime(const Run& run, Progress& progress);

/// The costs over a part of the time, with finer buckets. A trace with its own times is played from its beginning, any
/// other only over that part. Null when cancelled.
std::shared_ptr<const CycleCosts> costsDuring(const Run& run, const RunCosts& costs, CycleRange range,
                                              Progress& progress);

/// The length of the buckets of costsDuring(), in cycles, for a range of `cycles` cycles.
Cycles closeStep(Cycles cycles);

/// The cycles that the accesses of a range cost each CPU, by CPU and class: from its clock before the first access to
/// its clock after the last. A range that ends with the trace includes the time until all CPUs have finished. Empty
/// when cancelled.
std::optional<std::vector<std::vector<Cycles>>> cyclesSpent(const Run& run, Range range, Progress& progress);

}  // namespace whorl::sim
