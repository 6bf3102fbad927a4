// The runs shown in a window, one RunView each, indexed by ViewId::run in the order of Session::openRuns().
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

    /// Updates the list to the session's open runs. The results of a run that stays open are kept, even if its index
    /// changes; computations for runs that were closed are cancelled.
    void follow(const Session& session);
    /// Once per frame, after follow(): makes the pictures of the rings at the playhead, each of its tile's size, with
    /// moves that last `moveTicks`, and updates the required histories. Pictures side by side share one scale.
    void update(const Session& session, std::span<const Tile> tiles, const gl::Rect& canvas, float scale,
                double moveTicks);
    /// Cancels the computations for all runs.
    void cancel();

    /// The run that the panels measure; null if nothing is open.
    RunView* open() const { return at(0); }
    /// The run with that index (ViewId::run); null if there is none.
    RunView* at(std::size_t run) const { return run < views_.size() ? views_[run].get() : nullptr; }
    std::size_t size() const { return views_.size(); }

    /// A computation is running.
    bool working() const;
    /// An error of one of the runs, once; see RunView::takeError().
    std::optional<sim::Error> takeError();

  private:
    template <class HistoryOf>
    void compare(const HistoryOf& historyOf);
    void compareHistories();
    std::vector<std::uint64_t> commonLoops() const;
    void shareScales(const std::vector<RunContext>& contexts, std::span<const Tile> tiles, float scale);

    TaskRunner& runner_;
    std::vector<std::unique_ptr<RunView>> views_;
};

/// The picture of a tile, in its size; owned by the run's views, valid until they are asked again.
TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale);

}  // namespace whorl::app
