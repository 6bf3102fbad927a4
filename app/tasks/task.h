// Background work, and where it runs. Callers depend only on TaskRunner and poll for the result once per frame: on the
// desktop a thread pool does the work (threads.h); without threads, as on a web page, jobs are queued and run between
// frames.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/jobs.h"
#include "sim/base/progress.h"

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
    /// Whether no frame is drawn while a job runs: long work is then better done in parts, a part a frame.
    virtual bool holdsUpFrames() const { return false; }
    /// How a job may run parts of itself at the same time; empty: it may not.
    virtual sim::ThreadRunner threads() const { return {}; }

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

/// Keeps jobs until they are run, one at a time, by the thread that draws the frames.
class QueueRunner : public TaskRunner {
  public:
    void start(std::shared_ptr<Job> job) override { jobs_.push_back(std::move(job)); }
    bool holdsUpFrames() const override { return true; }
    /// Runs the job that has waited longest. False if there is none.
    bool runNext() {
        if (jobs_.empty()) return false;
        const std::shared_ptr<Job> job = std::move(jobs_.front());
        jobs_.pop_front();
        job->run();
        return true;
    }

    std::size_t waiting() const { return jobs_.size(); }

  private:
    std::deque<std::shared_ptr<Job>> jobs_;
};

// A background task and its result, and a query of which only the last answer matters. Task and query belong to one
// thread, the window's, which polls them once per frame; polling never blocks. The destructor cancels the work, which
// continues until it notices; its result is then discarded.

template <class T>
class Task {
  public:
    /// Returns the result or an error, and returns soon after the progress reports cancellation. Called once, in any
    /// thread. std::bad_alloc thrown there becomes an ordinary error.
    using Work = std::function<sim::Expected<T>(sim::Progress&)>;

    Task(TaskRunner& runner, Work work) : job_(std::make_shared<WorkJob>(std::move(work))) { runner.start(job_); }
    ~Task() {
        if (job_) cancel();
    }
    Task(Task&&) noexcept = default;
    Task& operator=(Task&& other) noexcept {
        std::swap(job_, other.job_);
        return *this;
    }

    /// The result is available.
    bool done() const { return job_->done.load(std::memory_order_acquire); }
    /// Progress from 0 to 1; negative if unknown.
    double fraction() const { return job_->progress.fraction(); }
    /// How many accesses it has read, if it reads a trace.
    std::uint64_t accesses() const { return job_->progress.accesses(); }
    /// Work that has not started is skipped; a result may still arrive if the work finished first.
    void cancel() { job_->cancel(); }
    bool cancelled() const { return job_->progress.cancelled(); }
    /// Returns the result once, when it is available.
    std::optional<sim::Expected<T>> take() { return done() ? std::exchange(job_->result, std::nullopt) : std::nullopt; }

  private:
    /// Shared with the worker thread. Until `done` only that thread accesses work and result, then only this one.
    struct WorkJob final : TaskRunner::Job {
        explicit WorkJob(Work w) : work(std::move(w)) {}

        void run() noexcept override {
            result.emplace(progress.cancelled() ? tl::unexpected(sim::Error::byUser()) : resultOfWork());
            work = nullptr;  // it may hold a lot of memory, and the result may be kept long
            done.store(true, std::memory_order_release);
        }
        void cancel() override { progress.cancel(); }

        sim::Expected<T> resultOfWork() {
            try {
                return work(progress);
            } catch (const std::bad_alloc&) {
                return sim::fail("", "there is not enough memory for this");
            }
        }

        Work work;
        sim::Progress progress;
        std::optional<sim::Expected<T>> result;
        std::atomic<bool> done{false};
    };

    std::shared_ptr<WorkJob> job_;
};

/// For work that returns a null pointer when cancelled.
template <class Pointer>
sim::Expected<Pointer> orCancelled(Pointer result) {
    if (!result) return tl::unexpected(sim::Error::byUser());
    return result;
}

/// What is computed in the background, whatever it is.
class BackgroundWork {
  public:
    virtual void cancel() = 0;
    virtual bool working() const = 0;
    /// Why it failed, once; nothing if it was cancelled.
    virtual std::optional<sim::Error> takeError() = 0;

  protected:
    ~BackgroundWork() = default;
};

/// The answer to a query that changes: asking for another key cancels the previous query. The last answer is kept until
/// the next one arrives. A view asks in every frame in which it needs the answer. Once it stops asking, as when it is
/// hidden, working() is false, although the answer may still be computed.
template <class Key, class T>
class LatestTask final : public BackgroundWork {
  public:
    explicit LatestTask(TaskRunner& runner) : runner_(&runner) {}

    /// Asks, unless the key is that of the last query: cancelled or failed queries are not repeated either. With a
    /// runner that runs jobs synchronously the next update() has the answer.
    void ask(const Key& key, typename Task<T>::Work work) {
        round_ = runner_->round();
        if (asked_ == key) return;
        asked_ = key;
        task_.emplace(*runner_, std::move(work));
    }
    /// Takes the answer, if it has arrived. True if so: a value, an error or a cancellation.
    bool update() {
        if (!task_ || !task_->done()) return false;
        auto result = *task_->take();
        task_.reset();
        if (result) {
            answer_ = *std::move(result);
        } else if (!result.error().cancelled) {
            error_ = std::move(result.error());
        }
        return true;
    }
    /// Cancels the running query; the last answer is kept.
    void cancel() override {
        if (task_) task_->cancel();
    }
    /// Returns to the initial state.
    void reset() {
        task_.reset();
        asked_.reset();
        answer_.reset();
        error_.reset();
    }

    /// The last answer, possibly of an earlier query.
    const std::optional<T>& answer() const { return answer_; }
    /// The error of the last query, once; nothing if it was cancelled.
    std::optional<sim::Error> takeError() override { return std::exchange(error_, std::nullopt); }
    /// A query is running that was asked in this frame or, as it may be asked later in this one, in the last.
    bool working() const override { return task_ && runner_->round() - round_ <= 1; }
    /// Progress of the query from 0 to 1; negative if unknown or if no query is running.
    double fraction() const { return task_ ? task_->fraction() : -1; }

  private:
    TaskRunner* runner_;
    std::optional<Key> asked_;
    std::uint64_t round_ = 0;  ///< TaskRunner::round() of the last ask()
    std::optional<Task<T>> task_;
    std::optional<T> answer_;
    std::optional<sim::Error> error_;
};

}  // namespace whorl::app
