// The runs that a window shows, one RunView each, in the order of Session::openRuns(): what a ViewId's `run` counts.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/views/run_view.h"
#include "app/views/tiles.h"

namespace whorl::app {

class RunViews {
  public:
    explicit RunViews(TaskRunner& runner) : runner_(runner) {}

    /// Makes the list that of the session's open runs. What is known of a run that stays open is kept, even when it
    /// comes to another place; what is being worked out for one that does not is cancelled.
    void follow(const Session& session);
    /// Once a frame, after follow(): the pictures of the rings at the playhead with moves that last `moveTicks`, each
    /// as large as its run's tile, and the histories that the views need. Histories side by side get one scale.
    void update(const Session& session, std::span<const Tile> tiles, const gl::Rect& canvas, float scale,
                double moveTicks);
    /// Stops what is being worked out for any of them.
    void cancel();

    /// The run that the panels measure; null when nothing is open.
    RunView* open() const { return at(0); }
    /// The run that a view names; null when there is none such.
    RunView* at(std::size_t run) const { return run < views_.size() ? views_[run].get() : nullptr; }
    std::size_t size() const { return views_.size(); }

    /// Something is being worked out.
    bool working() const;
    /// An error of one of them, once; see RunView::takeError().
    std::optional<sim::Error> takeError();

  private:
    void compareHistories();

    TaskRunner& runner_;
    std::vector<std::unique_ptr<RunView>> views_;
};

}  // namespace whorl::app
