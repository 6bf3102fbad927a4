// All that is kept to show one run: the rings' composer, its history and the pictures of that. There is one for the run
// that is open, and one more for the run that it is compared with.
#pragma once

#include <memory>

#include "app/tasks/history_keeper.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/space/history_views.h"

namespace whorl::app {

class RunView {
  public:
    explicit RunView(Opened opened) : composer_(opened), run_(std::move(opened.run)) {}

    /// Once a frame.
    void update(const Session& session);

    FrameComposer& composer() { return composer_; }
    /// Null while the history is not known.
    HistoryViews* historyViews() { return historyViews_.get(); }
    HistoryKeeper& history() { return history_; }
    const std::shared_ptr<sim::Run>& run() const { return run_; }

  private:
    FrameComposer composer_;
    std::shared_ptr<sim::Run> run_;
    HistoryKeeper history_;
    std::unique_ptr<HistoryViews> historyViews_;
};

}  // namespace whorl::app
