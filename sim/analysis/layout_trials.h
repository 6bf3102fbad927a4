// Plays a trace with other memory layouts on one machine, and measures what they save there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/base/types.h"
#include "sim/trace/layout/layout_change.h"

namespace whorl::sim {

class Trace;
struct Ledger;
struct Measures;

/// A cure must save at least this share of all stall cycles; a cure of sharing may instead save it of the elapsed
/// cycles.
inline constexpr double kMinGain = 0.01;

/// Layout changes that were played together, and what they save on the machine at hand; negative: what they cost.
struct Trial {
    std::vector<LayoutChange> changes;  ///< applied one after the other
    std::int64_t cycles = 0;            ///< access cycles of all CPUs
    std::int64_t elapsed = 0;           ///< cycles until all CPUs have finished
    std::uint64_t padding = 0;          ///< bytes of unused memory that they add

    /// Whether the changes save cycles of one kind without costing some of the other.
    bool helps() const { return cycles >= 0 && elapsed >= 0 && (cycles > 0 || elapsed > 0); }
    bool operator==(const Trial&) const = default;
};

/// The trials of a trace, each played once. All replays are parts of one progress.
class LayoutTrials {
  public:
    using Changes = std::vector<LayoutChange>;

    /// `before`: the measures of the range as it is, on the machine to play on; they must outlive this object.
    LayoutTrials(std::shared_ptr<const Trace> trace, Range range, const Measures& before, Progress& progress)
        : trace_(std::move(trace)), range_(range), before_(before), progress_(progress) {}

    /// Announces at most `count` more trials, or ledgers of trials, after `done` parts of progress: two parts each.
    void expect(std::size_t count, std::size_t done) {
        part_ = done;
        parts_ = done + 2 * count;
    }

    /// The trial of these changes; null when they cannot be applied or move nothing, or when cancelled.
    const Trial* of(const Changes& changes);
    bool knows(const Changes& changes) const;
    /// The number of trials that could be played.
    std::size_t played() const;
    /// The ledger with changes that have a trial; null when cancelled.
    std::shared_ptr<const Ledger> ledgerOf(const Changes& changes);

  private:
    struct Known {
        Changes changes;
        std::optional<Trial> trial;
        std::shared_ptr<const Ledger> ledger;  ///< null: not requested yet
    };

    std::shared_ptr<const Trace> trace_;
    Range range_;
    const Measures& before_;
    Progress& progress_;
    std::size_t part_ = 0;
    std::size_t parts_ = 1;
    std::vector<Known> known_;

    void startPart();
    Known* find(const Changes& changes);
    std::shared_ptr<const Trace> viewOf(const Changes& changes);
    std::optional<Trial> play(const Changes& changes);
    Expected<Measures> measured(const std::shared_ptr<const Trace>& view, bool ledger);
};

}  // namespace whorl::sim
