// All that is kept to show one run: the rings' composer with the picture of this frame, the history, worked out in the
// background when views need it, and the pictures of that.
#pragma once

#include <memory>
#include <optional>

#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"

namespace whorl::app {

class RunView {
  public:
    RunView(const Opened& opened, TaskRunner& runner) : composer_(opened), history_(runner) {}

    /// Once a frame: takes over the history if it has come, and asks for the one that the session's views need. Until
    /// another is there the last one is kept.
    void update(const Session& session);
    /// Stops what is being worked out; it is asked for again only when another history is needed.
    void cancel() { history_.cancel(); }

    FrameComposer& composer() { return composer_; }
    const std::shared_ptr<sim::Run>& run() const { return composer_.opened().run; }
    /// Null while the history is not known.
    HistoryViews* historyViews() const { return historyViews_.get(); }
    /// The history is being worked out.
    bool working() const { return history_.working(); }
    /// How far that is, from 0 to 1; negative when not known, or when it is not being worked out.
    double fraction() const { return history_.fraction(); }
    /// Why there is no history, once; nothing when it was cancelled.
    std::optional<sim::Error> takeError() { return history_.takeError(); }

  private:
    void takeHistory();

    FrameComposer composer_;
    LatestTask<HistoryRequest, std::shared_ptr<const sim::History>> history_;
    std::unique_ptr<HistoryViews> historyViews_;
};

}  // namespace whorl::app
