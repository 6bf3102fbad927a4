// Maps between the shared time axis and a BlockView: pictures over time share a span of accesses, a BlockView shows
// cycles. Gives the cycles of a span, and the span after a BlockView has been zoomed or moved. Immutable; the histories
// must outlive it.
#pragma once

#include <optional>
#include <vector>

#include "render/scene/space/block_scene.h"
#include "render/scene/time_axis.h"
#include "sim/analysis/history.h"

namespace whorl::scene {

class BlockTime {
  public:
    /// `compared`: the histories that are shown beside `own`. The BlockViews of all histories show the same number of
    /// cycles, so that one scale holds for all; each begins with the first access of the span.
    explicit BlockTime(const sim::CycleScale& own, std::vector<const sim::CycleScale*> compared = {});

    /// The cycles in which the accesses of a span took place, at least one.
    Interval cyclesOf(const TimeSpan& span) const;
    /// The cycles that the BlockView shows for a span; none: all of the time.
    Interval shown(const std::optional<TimeSpan>& seen) const;

    /// The span for which the BlockView shows an interval: shown() of the result is the interval again, unless that
    /// reaches out of the history or has fewer than TimeAxis::kMin accesses.
    TimeSpan seenFor(const Interval& interval) const;
    /// The span after zooming the shown interval by a factor (above 1: in) about the cycle `pivot`, which stays in its
    /// place as long as the interval stays inside of the history.
    TimeSpan zoomed(const Interval& shown, double pivot, double factor) const;
    /// The span after moving the shown interval by `cycles` (above 0: to later ones).
    TimeSpan moved(const Interval& shown, double cycles) const;

    /// An interval around the shown one, at most four times as long, that small movements do not change: for results
    /// that depend on the shown time, but should not change in every frame.
    static Interval around(const Interval& shown);

  private:
    double begin() const { return static_cast<double>(own_->begin); }
    double lastAccess() const { return static_cast<double>(own_->to.value); }
    Interval keptInside(Interval interval) const;
    TimeSpan accessesOf(const Interval& interval) const;

    const sim::CycleScale* own_;
    std::vector<const sim::CycleScale*> all_;
    double longest_;  ///< cycles of the slowest run
};

}  // namespace whorl::scene
