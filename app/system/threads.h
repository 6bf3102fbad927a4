// The threads of the program: those that run background work, and one that shows progress in a terminal. Nothing else
// in the application starts a thread, but for ending.h.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "app/tasks/task.h"
#include "sim/base/jobs.h"

namespace whorl::app {

/// Runs the first job in this thread and each other one in a thread of its own, at the same time. Throws what a job
/// throws.
void runInThreads(const sim::Jobs& jobs);
/// runInThreads, or nothing where so many threads, 0 being one per processor, are one.
sim::ThreadRunner threadsFor(unsigned threads = 0);

/// Runs background work in a fixed number of threads.
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
    sim::ThreadRunner threads() const override { return threadsFor(); }
    /// Waits at most `limit` until no job is queued or running. False if one still is.
    bool waitUntilIdle(std::chrono::milliseconds limit);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Runs jobs in a pool of their own, as many at a time as there are processors. Throws what they throw for lack of
/// memory.
void runInPool(const sim::Jobs& jobs);

/// Calls `tick` after each `period`, in its own thread, until destroyed. The destructor waits for a call in progress,
/// but not for the end of the period.
class Ticker {
  public:
    Ticker(std::chrono::milliseconds period, std::function<void()> tick);
    ~Ticker();
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace whorl::app
