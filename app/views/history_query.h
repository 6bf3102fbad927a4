// A history of a run that is computed in the background, and the pictures of the last one that arrived.
#pragma once

#include <memory>
#include <optional>

#include "app/tasks/figures.h"
#include "app/tasks/task.h"
#include "app/views/space/history_views.h"

namespace whorl::app {

class HistoryQuery {
  public:
    explicit HistoryQuery(TaskRunner& runner) : task_(runner) {}

    /// Asks for a history, unless it is the one that was asked for last.
    void ask(const HistoryRequest& request, const std::shared_ptr<sim::Run>& run);
    /// Takes the history if it has arrived.
    void update(const sim::Run& run);
    void cancel() { task_.cancel(); }
    /// Forgets the history, and what was asked.
    void reset();

    /// Of the last history that arrived; null while there is none.
    const std::shared_ptr<HistoryViews>& views() const { return views_; }
    bool working() const { return task_.working(); }
    /// From 0 to 1; negative if unknown or if nothing is being computed.
    double fraction() const { return task_.fraction(); }
    std::optional<sim::Error> takeError() { return task_.takeError(); }

  private:
    LatestTask<HistoryRequest, std::shared_ptr<const sim::History>> task_;
    std::shared_ptr<HistoryViews> views_;
};

}  // namespace whorl::app
