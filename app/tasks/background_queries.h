// Queries of the session about its run that take time: the figures of the range, the kinds of misses before the
// playhead, searches, the sharing report, why it stalls. All run in the background; the last answers are kept.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "app/commands/commands.h"
#include "app/session/requests.h"
#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/task.h"

namespace whorl::app {

class BackgroundQueries {
  public:
    explicit BackgroundQueries(TaskRunner& runner) : runner_(runner), range_(runner), sharing_(runner), why_(runner) {}

    /// Once per frame: takes the answers that have arrived and starts the queries that the session now needs. Search
    /// results and errors are returned as commands. The overview must be that of the session's run; if the run has
    /// changed, all queries and results are discarded.
    void update(const Session& session, const sim::Overview& overview, Commands& commands);
    /// Cancels running queries except the count of miss kinds; a cancelled range is not retried until another is set.
    void cancel();

    const QueryResults& results() const { return results_; }
    /// True while queries are running.
    bool working() const { return range_.working() || kinds_ || search_ || sharing_.working() || why_.working(); }

  private:
    using Clock = std::chrono::steady_clock;

    void forget();
    void measureRange(const Session& session, Commands& commands);
    void countKinds(const Session& session, const sim::Overview& overview);
    bool takeKinds();
    void search(const Session& session, Commands& commands);
    void findSharing(const Session& session, Commands& commands);
    void findWhy(const Session& session, Commands& commands);

    TaskRunner& runner_;
    std::shared_ptr<const sim::Run> run_;
    QueryResults results_;
    LatestTask<sim::Range, std::shared_ptr<const RangeFigures>> range_;
    LatestTask<sim::Range, std::shared_ptr<const sim::SharingReport>> sharing_;
    LatestTask<std::size_t, std::shared_ptr<const WhyAnswer>> why_;  ///< by the number of rows
    std::optional<Task<std::shared_ptr<const KindsSoFar>>> kinds_;
    Clock::time_point kindsSince_;  ///< when the count began
    Clock::time_point kindsRest_;   ///< while it plays, none begins before
    std::optional<Task<std::optional<SearchHit>>> search_;
    Search searched_;  ///< the current search, or the last one
};

}  // namespace whorl::app
