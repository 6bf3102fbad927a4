// Where background work runs. Callers depend only on this interface and poll for the result once per frame (task.h): on
// the desktop a thread pool does the work (thread_pool.h); without threads, as on a web page, jobs can be queued and
// run between frames.
#pragma once

#include <cstdint>
#include <memory>

namespace whorl::app {

class TaskRunner {
  public:
    class Job {
      public:
        virtual ~Job() = default;
        /// Called once, in any thread. Returns soon after cancel().
        virtual void run() noexcept = 0;
        /// Any thread may call this, at any time and more than once.
        virtual void cancel() = 0;
    };

    virtual ~TaskRunner() = default;
    /// Runs the job, now or later. Jobs start in the order of the calls.
    virtual void start(std::shared_ptr<Job> job) = 0;

    /// Begins a frame: queries that nobody asks in it are no longer awaited (LatestTask::working()).
    void beginRound() { ++round_; }
    std::uint64_t round() const { return round_; }

  private:
    std::uint64_t round_ = 0;
};

/// Runs each job before start() returns, for callers that can block: rendering without a window, tests.
class ImmediateRunner final : public TaskRunner {
  public:
    void start(std::shared_ptr<Job> job) override { job->run(); }
};

}  // namespace whorl::app
