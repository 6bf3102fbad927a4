// The one time axis in a BlockView: pictures over time share a span of accesses, a BlockView shows cycles. Which cycles
// those are, and which accesses are to be seen after it has been zoomed or moved. Immutable; the histories must outlive
// it.
#pragma once

#include <optional>
#include <vector>

#include "render/scene/space/block_scene.h"
#include "render/scene/time_axis.h"
#include "sim/analysis/cycle_scale.h"

namespace whorl::scene {

class BlockTime {
  public:
    /// `compared`: the histories that are shown beside it. BlockViews of all of them show as many cycles, so that one
    /// scale holds for all; each begins with the first access that is seen.
    explicit BlockTime(const sim::CycleScale& own, std::vector<const sim::CycleScale*> compared = {});

    /// The cycles in which the accesses of a span took place, at least one.
    Interval cyclesOf(const TimeSpan& span) const;
    /// What the BlockView shows; none: all of the time.
    Interval shown(const std::optional<TimeSpan>& seen) const;

    /// The accesses to be seen so that the BlockView shows an interval: shown() of the result is the interval again,
    /// unless that reaches out of the history or has fewer than TimeAxis::kLeast accesses.
    TimeSpan seenFor(const Interval& interval) const;
    /// The same after what is shown has been zoomed by a factor (above 1: in) about a cycle, which stays in its place
    /// as long as the interval stays inside of the history.
    TimeSpan zoomed(const Interval& shown, double pivot, double factor) const;
    /// The same after so many cycles more have passed.
    TimeSpan moved(const Interval& shown, double cycles) const;

    /// An interval around it, at most four times as long, that stays the same over small movements: for what depends on
    /// the time that is shown, but should not change in every frame.
    static Interval around(const Interval& shown);

  private:
    double begin() const { return static_cast<double>(own_->begin); }
    double lastAccess() const { return static_cast<double>(own_->to.value); }
    Interval keptInside(Interval interval) const;
    TimeSpan accessesOf(const Interval& interval) const;

    const sim::CycleScale* own_;
    std::vector<const sim::CycleScale*> all_;
    double longest_;  ///< cycles of the slowest
};

}  // namespace whorl::scene
