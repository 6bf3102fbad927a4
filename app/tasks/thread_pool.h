// Background work in a bounded number of threads. Nothing else in the application starts a thread.
#pragma once

#include <chrono>
#include <memory>

#include "app/tasks/task_runner.h"

namespace whorl::app {

class ThreadPool final : public TaskRunner {
  public:
    /// How many threads the computer runs at a time, at least 1.
    static unsigned processors();
    /// As many threads as that, but enough that one long job does not hold up the short ones.
    static unsigned usualSize();

    /// With at least one thread.
    explicit ThreadPool(unsigned threads = usualSize());
    /// Cancels what is queued and what is running, and waits for the latter.
    ~ThreadPool() override;
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// More jobs than there are threads wait their turn.
    void start(std::shared_ptr<Job> job) override;
    /// Waits until no job is queued or running, `limit` at most. False when there still is one.
    bool waitUntilIdle(std::chrono::milliseconds limit);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace whorl::app
