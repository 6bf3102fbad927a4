// What the session asks about its run and what takes time to answer: the figures of the range, the kinds of misses up
// to the playhead, searches, the sharing report. All of it runs in the background; the last answers are kept.
#pragma once

#include <memory>

#include "app/session/commands.h"
#include "app/session/search.h"
#include "app/session/session.h"
#include "app/tasks/figures.h"
#include "app/tasks/task.h"

namespace whorl::app {

class BackgroundQueries {
  public:
    explicit BackgroundQueries(TaskRunner& runner) : runner_(runner), range_(runner), sharing_(runner) {}

    /// Once a frame: takes the answers that have come and asks what the session wants to know now. What a search has
    /// found comes as a command, and so does an error. The overview must be that of the session's run; when that is
    /// another run than before, all that was asked and known is dropped.
    void update(const Session& session, const sim::Overview& overview, Commands& commands);
    /// Stops what is being worked out; a range that was stopped is not measured until another is chosen.
    void cancel();

    const QueryResults& results() const { return results_; }
    /// True while answers are to come.
    bool working() const { return range_.working() || kinds_ || search_ || sharing_.working(); }

  private:
    void forget();
    void measureRange(const Session& session, Commands& commands);
    void countKinds(const Session& session, const sim::Overview& overview);
    void takeKinds();
    void search(const Session& session, Commands& commands);
    void findSharing(const Session& session, Commands& commands);

    TaskRunner& runner_;
    std::shared_ptr<const sim::Run> run_;
    QueryResults results_;
    LatestTask<sim::Range, std::shared_ptr<const RangeFigures>> range_;
    LatestTask<sim::Range, std::shared_ptr<const sim::SharingReport>> sharing_;
    std::optional<Task<std::shared_ptr<const KindsSoFar>>> kinds_;
    std::optional<Task<std::optional<SearchHit>>> search_;
    Search searched_;  ///< the search under way, or the last one
};

}  // namespace whorl::app
