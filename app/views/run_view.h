// Everything needed to show one run: the rings' composer with the current picture, the histories, computed in the
// background when views need them, and the pictures of these.
#pragma once

#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/cells/cell_views.h"
#include "app/views/collisions/collision_view.h"
#include "app/views/history_query.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"
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
          ofRange_(runner),
          ofAll_(runner),
          cellViews_(opened, runner),
          timeViews_(opened, runner),
          gaugeSpan_(runner),
          lifeViews_(opened, runner) {}

    /// Once per frame: takes the histories that have arrived, and requests those that its views need, or the tables of
    /// what costs most. The last history is kept until another one arrives.
    void update(const RunContext& context, bool tablesNeedHistory = false);
    /// Cancels the running computation; it is repeated only when another history is needed.
    void cancel() {
        ofRange_.cancel();
        ofAll_.cancel();
        cellViews_.cancel();
        timeViews_.cancel();
        gaugeSpan_.cancel();
        lifeViews_.cancel();
    }

    /// What was asked of the caches over the span of the session's level gauges, which is measured in the background;
    /// null until it is known, and if they are of no span.
    std::shared_ptr<const sim::SpanRequests> gaugeSpan(const RunContext& context);

    FrameComposer& composer() { return composer_; }
    const std::shared_ptr<sim::Run>& run() const { return composer_.opened().run; }
    /// The history of the selected range, or of all; null while there is none.
    HistoryViews* historyViews() const { return historyViews_.get(); }
    /// That of a view: pictures over time, which only mark the range, show the history of all.
    HistoryViews* historyViews(const ViewId& view) const {
        const bool isOfAll = view.kind == ViewId::Kind::blocks && ofAll_.views();
        return isOfAll ? ofAll_.views().get() : historyViews_.get();
    }
    /// The picture of the history's collisions; null likewise.
    CollisionView* collisionView() const { return collisionView_.get(); }
    /// The pictures of cells.
    CellViews& cellViews() { return cellViews_; }
    /// The pictures over time.
    TimeViews& timeViews() { return timeViews_; }
    /// The lives of objects.
    LifeViews& lifeViews() { return lifeViews_; }
    /// The counts of the range of the session as this run sees it, or up to the playhead of the last picture. Nothing
    /// while the range is not built.
    std::optional<sim::Measures> countsOf(const RunContext& context);
    /// The largest number that a flat view's colours show, of runs beside each other; nothing if it shows none. And
    /// that of all of them, which its colours are then relative to; none: its own.
    std::optional<double> largest(const ViewId& view, const RunContext& context, glm::ivec2 size, float scale);
    void setCommon(const ViewId& view, const std::optional<scene::CommonScale>& common);
    /// The history, or the sums of cells, are being computed.
    bool working() const {
        return ofRange_.working() || ofAll_.working() || cellViews_.working() || timeViews_.working() ||
               gaugeSpan_.working() || lifeViews_.working();
    }
    /// Its progress from 0 to 1; negative if unknown or if it is not being computed.
    double fraction() const { return ofRange_.working() ? ofRange_.fraction() : ofAll_.fraction(); }
    /// Why there is no history, or no sums, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError();

  private:
    void askForHistories(const RunContext& context);
    std::shared_ptr<const LitPath> litPath(const RunContext& context) const;

    FrameComposer composer_;
    HistoryQuery ofRange_;
    HistoryQuery ofAll_;
    std::optional<HistoryRequest> asked_;         ///< last
    std::shared_ptr<HistoryViews> historyViews_;  ///< of either
    std::unique_ptr<CollisionView> collisionView_;
    CellViews cellViews_;
    TimeViews timeViews_;
    LatestTask<sim::Range, std::shared_ptr<const sim::SpanRequests>> gaugeSpan_;
    LifeViews lifeViews_;
    struct Counted {
        sim::Range range;
        sim::Measures measures;
    };
    std::optional<Counted> counted_;  ///< the last range that was asked for
};

}  // namespace whorl::app
