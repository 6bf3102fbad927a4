// Runs background work in a fixed number of threads. Nothing else in the application starts a thread, except Ticker.
#pragma once

#include <chrono>
#include <memory>

#include "app/tasks/task_runner.h"

namespace whorl::app {

class ThreadPool final : public TaskRunner {
  public:
    /// The number of threads that the hardware runs concurrently, at least 1.
    static unsigned processors();
    /// processors(), but at least enough threads that one long job does not block short ones.
    static unsigned usualSize();

    /// Uses at least one thread.
    explicit ThreadPool(unsigned threads = usualSize());
    /// Cancels queued and running jobs and waits for them to end.
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// If all threads are busy, the job waits in a queue.
    void start(std::shared_ptr<Job> job) override;
    /// Waits at most `limit` until no job is queued or running. False if one still is.
    bool waitUntilIdle(std::chrono::milliseconds limit);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace whorl::app
