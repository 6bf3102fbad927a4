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

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/cache/cost.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/owners.h"

namespace whorl::sim {

class Trace;
struct Ledger;
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

    /// Whether the changes save cycles of one kind without costing some of the other.
    bool helps() const { return cycles >= 0 && elapsed >= 0 && (cycles > 0 || elapsed > 0); }
    bool operator==(const Trial&) const = default;
};

/// The trials of a trace, each played once. All replays are parts of one progress.
class LayoutTrials {
  public:
    /// `before`: the measures of the range as it is, on the machine to play on; they must outlive this object. tryAll()
    /// plays at most `limit` trials.
    LayoutTrials(std::shared_ptr<const Trace> trace, Range range, const Measures& before, Progress& progress,
                 std::size_t limit = std::numeric_limits<std::size_t>::max())
        : trace_(std::move(trace)), range_(range), before_(before), progress_(progress), limit_(limit) {}

    /// Announces at most `count` more trials, or ledgers of trials, after `done` parts of progress: two parts each.
    void expect(std::size_t count, std::size_t done) {
        part_ = done;
        parts_ = done + 2 * count;
    }

    /// Tries the first candidate of each list, then the second of each, and so on: `take` gets the index of the list,
    /// and the trial. False when cancelled.
    bool tryAll(const CandidateLists& candidates, const std::function<void(std::size_t, const Trial&)>& take);
    /// The trial of these changes; null when they cannot be applied or move nothing, or when cancelled.
    const Trial* of(const LayoutChanges& changes);
    /// The number of trials that could be played.
    std::size_t played() const { return played_; }
    /// The number of candidates that were too many for tryAll().
    std::size_t untried() const { return untried_; }
    /// What a trial gives beside its cycles.
    struct Played {
        std::shared_ptr<const Ledger> ledger;
        Owners owners;  ///< of the trace with the changes
    };
    /// That of changes that have a trial; null when cancelled.
    const Played* playedWith(const LayoutChanges& changes);

  private:
    struct Known {
        LayoutChanges changes;
        std::optional<Trial> trial;
        Played with;  ///< null: not requested yet
    };

    std::shared_ptr<const Trace> trace_;
    Range range_;
    const Measures& before_;
    Progress& progress_;
    std::size_t limit_;
    std::size_t played_ = 0;
    std::size_t untried_ = 0;
    std::size_t part_ = 0;
    std::size_t parts_ = 1;
    std::vector<Known> known_;

    Known* find(const LayoutChanges& changes);
    std::optional<Trial> play(const LayoutChanges& changes);
    std::shared_ptr<const Trace> viewOf(const LayoutChanges& changes);
    Expected<Measures> measured(const std::shared_ptr<const Trace>& view, bool ledger);
    void startPart() { progress_.startPart(std::min(part_++, parts_ - 1), parts_); }
};

}  // namespace whorl::sim
