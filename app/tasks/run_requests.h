// Does what a session asks of runs and tours: opens an input, puts others beside it, reads a tour. For a window and for
// a page.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "app/session/session.h"
#include "app/tasks/opening.h"
#include "app/tasks/task.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

class RunRequests {
  public:
    /// `first`: the trace of the first request, if it is already in memory.
    explicit RunRequests(TaskRunner& runner, std::shared_ptr<const sim::Trace> first = nullptr)
        : runner_(runner), first_(std::move(first)) {}

    /// What is opened in place of the open run, from this frame on.
    struct Begun {
        const OpenRequest& request;
        bool sameTrace;  ///< which is in memory
    };
    /// Once per frame: the request that opening has begun for.
    std::optional<Begun> begin(Session& session);
    /// What has been opened, or why it could not be, for the caller to enter.
    std::optional<sim::Expected<Opened>> takeOpened();
    /// Once per frame, after that: notes the end of the building; enters what stands beside the open run, and tours.
    void update(Session& session);
    void cancel();

    /// What is being opened or built in place of the open run; null if nothing is.
    const Opening* opening() const { return opening_ ? &*opening_ : nullptr; }
    bool working() const { return opening_ || compared_ || matching_ || readingTour_; }

  private:
    void updateCompared(Session& session);
    void updateTour(Session& session);

    TaskRunner& runner_;
    std::shared_ptr<const sim::Trace> first_;
    std::optional<Opening> opening_;
    std::optional<Opening> compared_;
    std::optional<Task<ComparedRun>> matching_;  ///< the lines of a run that is about to stand beside the open one
    std::optional<Task<TourStart>> readingTour_;
};

}  // namespace whorl::app
