// Everything needed to show one run: its views, each of which has its pictures and computes in the background what they
// need, and the counts that panels show.
#pragma once

#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/cells/cell_views.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/histories.h"
#include "app/views/time/life_views.h"
#include "app/views/time/time_views.h"
#include "sim/analysis/span_requests.h"
#include "sim/base/types.h"
#include "sim/replay/measures.h"

namespace whorl::app {

class RunView {
  public:
    RunView(const Opened& opened, TaskRunner& runner)
        : composer_(opened),
          histories_(opened.run, runner),
          cellViews_(opened, runner),
          timeViews_(opened, composer_.overview(), runner),
          lifeViews_(opened, runner),
          gaugeSpan_(runner) {}

    /// Once per frame: takes what has arrived, and requests what the views need; of histories also what the tables of
    /// what costs most need.
    void update(const RunContext& context, bool tablesNeedHistory = false);
    /// Cancels the running computations; they are repeated only when something else is needed.
    void cancel();

    /// Those of the kind of a view. Here alone it is told which that are.
    Views& views(const ViewId& view);

    /// What was asked of the caches over the span of the session's level gauges, which is measured in the background;
    /// null until it is known, and if they are of no span.
    std::shared_ptr<const sim::SpanRequests> gaugeSpan(const RunContext& context);

    FrameComposer& composer() { return composer_; }
    const std::shared_ptr<sim::Run>& run() const { return composer_.opened().run; }
    /// The history of the selected range, or of all; null while there is none.
    HistoryViews* historyViews() const { return histories_.views(); }
    /// That of a view: pictures over time, which only mark the range, show the history of all.
    HistoryViews* historyViews(const ViewId& view) const { return histories_.views(view); }
    /// The picture of the history's collisions; null likewise.
    CollisionView* collisionView() const { return histories_.collisions(); }
    /// The pictures of cells.
    CellViews& cellViews() { return cellViews_; }
    /// The pictures over time.
    TimeViews& timeViews() { return timeViews_; }
    /// The lives of objects.
    LifeViews& lifeViews() { return lifeViews_; }
    /// The counts of the range of the session as this run sees it, or up to the playhead of the last picture. Nothing
    /// while the range is not built.
    std::optional<sim::Measures> countsOf(const RunContext& context);
    /// Something that its views show is being computed.
    bool working() const;
    /// The progress of the history from 0 to 1; negative if unknown or if it is not being computed.
    double fraction() const { return histories_.fraction(); }
    /// Why something is not there, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError();

  private:
    /// Calls f with all views until it returns true.
    template <class Self, class F>
    static bool anyOf(Self& self, F&& f) {
        return f(self.composer_) || f(self.histories_) || f(self.cellViews_) || f(self.timeViews_) ||
               f(self.lifeViews_);
    }
    std::shared_ptr<const LitPath> litPath(const RunContext& context) const;

    FrameComposer composer_;
    Histories histories_;
    CellViews cellViews_;
    TimeViews timeViews_;
    LifeViews lifeViews_;
    LatestTask<sim::Range, std::shared_ptr<const sim::SpanRequests>> gaugeSpan_;
    struct Counted {
        sim::Range range;
        sim::Measures measures;
    };
    std::optional<Counted> counted_;  ///< the last range that was asked for
};

}  // namespace whorl::app
