// Plays a trace with other memory layouts on one machine, and measures what they save there. Which layouts are tried is
// decided elsewhere: in why_cures.h and sharing_trials.h.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "sim/analysis/row_losses.h"
#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/owners.h"

namespace whorl::sim {

class Trace;
struct Measures;

/// Changes that are made one after the other.
using LayoutChanges = std::vector<LayoutChange>;
/// The layouts to try for each of several things, the most likely first.
using CandidateLists = std::vector<std::vector<LayoutChanges>>;

/// Adds a value unless the list has it.
template <class T>
void addNew(std::vector<T>& to, const T& value) {
    if (std::find(to.begin(), to.end(), value) == to.end()) to.push_back(value);
}

/// A cure must save at least this share of all stall cycles; a cure of sharing may instead save it of the elapsed
/// cycles.
inline constexpr double kMinGain = 0.01;

/// Whether these cycles are enough of all for a cure.
template <class Number>
bool isGain(Number saved, Cycles all) {
    return saved > 0 && static_cast<double>(saved) >= kMinGain * static_cast<double>(all);
}

/// Layout changes that were played together, and what they save on the machine at hand; negative: what they cost.
struct Trial {
    LayoutChanges changes;
    std::int64_t cycles = 0;    ///< access cycles of all CPUs
    std::int64_t elapsed = 0;   ///< cycles until all CPUs have finished
    std::uint64_t padding = 0;  ///< bytes of unused memory that they add
    /// 0: the whole trace was played. Otherwise a sample of it, and the true cycles are within so many of these in 95
    /// of 100 cases; the elapsed ones are not known.
    std::int64_t within = 0;

    /// Whether the changes save cycles of one kind without costing some of the other.
    bool helps() const { return cycles >= 0 && elapsed >= 0 && (cycles > 0 || elapsed > 0); }
    bool operator==(const Trial&) const = default;
};

/// What stands for a whole trace in trials.
struct TrialSample {
    LossSample windows;
    std::vector<WindowLosses> before;  ///< what is lost in them without changes; not used where all is played
    Cycles lost = 0;                   ///< lost in the whole trace
    /// How much more or less is lost in the windows than with the caches as the whole trace leaves them, as a share:
    /// the warm-ups are too short by that.
    double bias = 0;

    /// A sum over the whole trace, where its windows have `after` instead of `before`, and the whole has `all`.
    Estimate after(const std::function<double(const WindowLosses&)>& of, const std::vector<WindowLosses>& losses,
                   double all) const;
};

/// The trials of a trace, each played once. Each is a part of one progress, which has been split.
class LayoutTrials {
  public:
    /// `before`: the measures of the range as it is, on the machine to play on; they must outlive this object. tryAll()
    /// plays at most `limit` trials.
    LayoutTrials(std::shared_ptr<const Trace> trace, Range range, const Measures& before, Progress& progress,
                 std::size_t limit = std::numeric_limits<std::size_t>::max())
        : trace_(std::move(trace)), range_(range), before_(before), progress_(progress), limit_(limit) {}

    /// Announces at most `count` replays, which together are this share of the progress.
    void expect(std::size_t count, double share) {
        share_ = share / static_cast<double>(std::max<std::size_t>(count, 1));
    }
    /// From now on plays windows of the trace, instead of the range. They must outlive this object.
    void playOnly(const TrialSample& sample) { sample_ = &sample; }
    /// The rows whose losses are wanted.
    void watch(LossRows rows) { rows_ = std::move(rows); }

    /// Plays those of the trials that have not been played. False when cancelled.
    bool playAll(const std::vector<LayoutChanges>& candidates, const JobRunner& run);
    /// Tries the first candidate of each list, then the second of each, and so on: `take` gets the index of the list,
    /// and the trial. False when cancelled.
    bool tryAll(const CandidateLists& candidates, const std::function<void(std::size_t, const Trial&)>& take);
    /// The trial of these changes; null when they cannot be applied or move nothing, or when cancelled.
    const Trial* of(const LayoutChanges& changes);
    /// The number of trials that could be played.
    std::size_t played() const { return played_; }
    /// The number of candidates that were too many for tryAll().
    std::size_t untried() const { return untried_; }
    /// What the watched rows lose with changes that have a trial, by window; null when cancelled.
    const std::vector<WindowLosses>* lossesWith(const LayoutChanges& changes);

  private:
    struct Known {
        LayoutChanges changes;
        std::optional<Trial> trial;
        std::optional<std::vector<WindowLosses>> losses;  ///< none: not requested yet
    };

    std::shared_ptr<const Trace> trace_;
    Range range_;
    const Measures& before_;
    Progress& progress_;
    std::size_t limit_;
    std::size_t played_ = 0;
    std::size_t untried_ = 0;
    double share_ = 0;  ///< of a replay
    const TrialSample* sample_ = nullptr;
    LossRows rows_;
    std::vector<Known> known_;

    Known* find(const LayoutChanges& changes);
    const Known& add(Known known);
    Known play(const LayoutChanges& changes) const;
    std::optional<Trial> sampled(const Trace& view, Known& known, Progress& progress) const;
    std::shared_ptr<const Trace> viewOf(const LayoutChanges& changes, Progress& progress) const;
};

}  // namespace whorl::sim
