// Runs jobs only on demand, so that a test controls their order.
#pragma once

#include <deque>

#include "app/tasks/task.h"

namespace whorl::app {

class QueuedRunner final : public TaskRunner {
  public:
    void start(std::shared_ptr<Job> job) override { jobs_.push_back(std::move(job)); }
    /// Runs the oldest job that was queued. False when there is none.
    bool runNext() {
        if (jobs_.empty()) return false;
        const std::shared_ptr<Job> job = std::move(jobs_.front());
        jobs_.pop_front();
        job->run();
        return true;
    }
    void runAll() {
        while (runNext()) {
        }
    }
    std::size_t waiting() const { return jobs_.size(); }

  private:
    std::deque<std::shared_ptr<Job>> jobs_;
};

}  // namespace whorl::app
