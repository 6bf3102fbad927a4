// The sums of a run's overview, finer where less of it is seen.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "app/session/session.h"
#include "app/tasks/task.h"
#include "render/scene/time_axis.h"
#include "sim/analysis/range_overview.h"
#include "sim/base/types.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

/// Sums over the accesses that pictures over time show, as finely as they can be seen: those of the run's overview,
/// until finer ones of that stretch have been computed in the background.
class SeenOverview final : public BackgroundWork {
  public:
    SeenOverview(std::shared_ptr<const sim::Run> run, TaskRunner& runner) : run_(std::move(run)), query_(runner) {}

    /// Once per frame; `whole` is the run's overview.
    void update(const RunContext& context, const sim::Overview& whole);
    void cancel() override { query_.cancel(); }
    bool working() const override { return query_.working(); }
    std::optional<sim::Error> takeError() override { return query_.takeError(); }

    /// The finest one that contains what is seen.
    const sim::Overview& of(const std::optional<scene::TimeSpan>& seen, const sim::Overview& whole) const;

  private:
    std::shared_ptr<const sim::Run> run_;
    LatestTask<sim::Range, std::shared_ptr<const sim::Overview>> query_;
};

/// The accesses whose finer sums are computed when a stretch is seen: it lies in the middle, so that a short move asks
/// for nothing new. Nothing if the steps would not be finer than `step`, accesses.
std::optional<sim::Range> closeRangeOf(const scene::TimeSpan& seen, std::uint64_t end, std::uint64_t step);

}  // namespace whorl::app
