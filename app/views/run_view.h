// Everything needed to show one run: the rings' composer with the current picture, the history, computed in the
// background when views need it, and the pictures of the history.
#pragma once

#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/cells/cell_views.h"
#include "app/views/collisions/collision_view.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"
#include "app/views/time/time_views.h"

namespace whorl::app {

class RunView {
  public:
    RunView(const Opened& opened, TaskRunner& runner)
        : composer_(opened), history_(runner), cellViews_(opened, runner), timeViews_(opened, runner) {}

    /// Once per frame: takes the history if it has arrived, and requests the one that the session's views need. The
    /// last history is kept until another one arrives.
    void update(const Session& session);
    /// Cancels the running computation; it is repeated only when another history is needed.
    void cancel() {
        history_.cancel();
        cellViews_.cancel();
        timeViews_.cancel();
    }

    FrameComposer& composer() { return composer_; }
    const std::shared_ptr<sim::Run>& run() const { return composer_.opened().run; }
    /// Null while there is no history.
    HistoryViews* historyViews() const { return historyViews_.get(); }
    /// The picture of the history's collisions; null likewise.
    CollisionView* collisionView() const { return collisionView_.get(); }
    /// The pictures of cells.
    CellViews& cellViews() { return cellViews_; }
    /// The pictures over time.
    TimeViews& timeViews() { return timeViews_; }
    /// The history, or the sums of cells, are being computed.
    bool working() const { return history_.working() || cellViews_.working() || timeViews_.working(); }
    /// Its progress from 0 to 1; negative if unknown or if it is not being computed.
    double fraction() const { return history_.fraction(); }
    /// Why there is no history, or no sums, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError() {
        if (auto error = history_.takeError()) return error;
        if (auto error = timeViews_.takeError()) return error;
        return cellViews_.takeError();
    }

  private:
    void takeHistory();

    FrameComposer composer_;
    LatestTask<HistoryRequest, std::shared_ptr<const sim::History>> history_;
    std::unique_ptr<HistoryViews> historyViews_;
    std::unique_ptr<CollisionView> collisionView_;
    CellViews cellViews_;
    TimeViews timeViews_;
};

}  // namespace whorl::app
