// What the session wants to know of its run, asked in the background: the window never waits for it. Keeps the last
// answers, and lets go of questions that are no longer asked.
#pragma once

#include <memory>
#include <vector>

#include "app/session/commands.h"
#include "app/session/search.h"
#include "app/session/session.h"
#include "app/tasks/background.h"
#include "app/tasks/figures.h"

namespace whorl::app {

class BackgroundQueries {
  public:
    /// Once a frame: takes the answers that have come and asks what is wanted now. What a search has found comes as a
    /// command. The overview must be that of the session's run.
    void update(const Session& session, const sim::Overview& overview, Commands& commands);
    /// Another run is open: nothing that is known holds any more.
    void forget();
    /// Stops what is being worked out; a range that was stopped is not measured until another is chosen.
    void cancel();

    const QueryResults& results() const { return results_; }
    /// True while answers are to come.
    bool working() const { return range_ || kinds_ || search_ || sharing_; }

  private:
    using Ranging = Background<std::shared_ptr<const RangeFigures>>;
    using Counting = Background<std::shared_ptr<const KindsSoFar>>;
    using Searching = Background<std::optional<SearchHit>>;
    using SharingSearch = Background<std::shared_ptr<const sim::SharingReport>>;

    void measure(const Session& session);
    void count(const Session& session, const sim::Overview& overview);
    void search(const Session& session, Commands& commands);
    void findSharing(const Session& session);

    QueryResults results_;
    std::unique_ptr<Ranging> range_;
    std::optional<Range> asked_;  ///< the range of the last question
    std::unique_ptr<Counting> kinds_;
    std::unique_ptr<Searching> search_;
    Search searched_;
    std::unique_ptr<SharingSearch> sharing_;
    std::optional<sim::Stretch> sharingFoundFor_;      ///< the stretch of the last sharing report
    std::vector<std::unique_ptr<Ranging>> oldRanges_;  ///< given up, and perhaps still busy
    std::vector<std::unique_ptr<Counting>> oldKinds_;
    std::vector<std::unique_ptr<Searching>> oldSearches_;
    std::vector<std::unique_ptr<SharingSearch>> oldSharing_;
};

}  // namespace whorl::app
