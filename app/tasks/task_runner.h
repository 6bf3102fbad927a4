// Where background work runs. Whoever starts work knows only this interface, and asks once a frame what has become of
// it (task.h): in the window a pool of threads does the work (thread_pool.h); where there are no threads, as on a web
// page, jobs can be queued and run between frames.
#pragma once

#include <memory>

namespace whorl::app {

class TaskRunner {
  public:
    class Job {
      public:
        virtual ~Job() = default;
        /// Called once, in any thread. Ends soon after cancel().
        virtual void run() noexcept = 0;
        /// Any thread may call this, at any time and more than once.
        virtual void cancel() = 0;
    };

    virtual ~TaskRunner() = default;
    /// Runs the job, now or later. Jobs begin in the order in which they were started.
    virtual void start(std::shared_ptr<Job> job) = 0;
};

/// Runs each job before start() returns, for those who can wait: frames without a window, tests.
class ImmediateRunner final : public TaskRunner {
  public:
    void start(std::shared_ptr<Job> job) override { job->run(); }
};

}  // namespace whorl::app
