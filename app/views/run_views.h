// Everything needed to show one run: its views, each of which has its pictures and computes in the background what they
// need, and the counts that panels show. RunViews: all runs that are shown.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/session/opened.h"
#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/views/rings/frame_composer.h"
#include "app/views/seen_overview.h"
#include "app/views/space/histories.h"
#include "app/views/tiles.h"
#include "app/views/view_classes.h"
#include "app/views/views.h"
#include "sim/analysis/level_gauge.h"
#include "sim/analysis/range_overview.h"
#include "sim/base/types.h"
#include "sim/replay/measures.h"
#include "sim/replay/totals/overview.h"

namespace whorl::app {

class RunView {
  public:
    RunView(const Opened& opened, TaskRunner& runner)
        : composer_(opened), histories_(opened.run, runner), seenOverview_(opened.run, runner), gaugeSpan_(runner) {
        const ViewSources sources{opened, runner, composer_, composer_.overview(), histories_, seenOverview_};
        for (const ViewClass& of : flatViewClasses()) flat_.push_back({of.kinds, of.make(sources)});
    }

    /// Call once per frame: takes results, and requests what the views need. `tablesNeedHistory`: also requests the
    /// history for the tables of what costs most.
    void update(const RunContext& context, bool tablesNeedHistory = false);
    /// Cancels the running computations; they are repeated only when something else is needed.
    void cancel();

    /// The views that make the pictures of this view's kind.
    Views& views(const ViewId& view);

    /// The requests to the caches in the span of the session's level gauges, measured in the background; null until
    /// they are known, or if the gauges have no span.
    std::shared_ptr<const sim::SpanRequests> gaugeSpan(const RunContext& context);

    FrameComposer& composer() { return composer_; }
    const std::shared_ptr<sim::Run>& run() const { return composer_.opened().run; }
    /// The history of the selected range, or of all; null while there is none.
    HistoryViews* historyViews() const { return histories_.views(); }
    /// The history for a view: pictures over time, which only mark the range, show the history of the whole run.
    HistoryViews* historyViews(const ViewId& view) const { return histories_.views(view); }
    /// The flat views of a class, which must be one of flatViewClasses().
    template <class T>
    T& of() {
        T* found = nullptr;
        for (const FlatViews& flat : flat_) {
            if (auto* const of = dynamic_cast<T*>(flat.views.get())) found = of;
        }
        return *found;
    }
    /// Calls f with all flat views.
    template <class F>
    void forEachFlat(F&& f) const {
        for (const FlatViews& flat : flat_) f(*flat.views);
    }
    /// The finest sums known of what pictures over time show.
    const sim::Overview& overviewSeen(const std::optional<scene::TimeSpan>& seen) const {
        return seenOverview_.of(seen, composer_.overview());
    }
    /// The counts of the range of the session as this run sees it, or up to the playhead of the last picture. Nothing
    /// while the range is not built.
    std::optional<sim::Measures> countsOf(const RunContext& context);
    /// Whether something that the run's views show is being computed.
    bool working() const;
    /// The error of a failed computation, once; none if it was cancelled.
    std::optional<sim::Error> takeError();

  private:
    struct FlatViews {
        std::span<const ViewId::Kind> kinds;
        std::unique_ptr<Views> views;
    };

    std::shared_ptr<const HighlightedPath> highlightedPath(const RunContext& context) const;

    FrameComposer composer_;
    Histories histories_;
    SeenOverview seenOverview_;
    std::vector<FlatViews> flat_;
    LatestTask<sim::Range, std::shared_ptr<const sim::SpanRequests>> gaugeSpan_;
    struct Counted {
        sim::Range range;
        sim::Measures measures;
    };
    std::optional<Counted> counted_;  ///< the last range that was asked for
};

/// The runs shown in a window, indexed by ViewId::run in the order of Session::openRuns().
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

/// A session and what is kept to show its runs.
struct Shown {
    const Session& session;
    const RunViews& runs;
};

/// The picture of a tile, in its size; owned by the run's views, valid until they are asked again.
TileScene sceneOf(const Tile& tile, const RunViews& runs, const Session& session, float scale);

}  // namespace whorl::app
