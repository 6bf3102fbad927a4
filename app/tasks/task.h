// A piece of background work and its result, and a question of which only the last answer counts. Both belong to one
// thread, that of the window, which asks once a frame; neither ever waits. Letting go of one cancels its work, which
// goes on until it notices; what it then gives is dropped.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "app/tasks/task_runner.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

template <class T>
class Task {
  public:
    /// Gives the result, or why there is none; soon when the progress says that it is cancelled. Called once, in any
    /// thread. Running out of memory there is an error like any other.
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

    /// The result is there.
    bool done() const { return job_->done.load(std::memory_order_acquire); }
    /// From 0 to 1; negative when not known.
    double fraction() const { return job_->progress.fraction(); }
    /// Work that has not begun is not done any more; a result may come nevertheless, if the work was quicker.
    void cancel() { job_->cancel(); }
    bool cancelled() const { return job_->progress.cancelled(); }
    /// The result, once, when it is there.
    std::optional<sim::Expected<T>> take() { return done() ? std::exchange(job_->result, std::nullopt) : std::nullopt; }

  private:
    /// Shared with the thread that works. Until `done` only that one touches the work and the result, then only this.
    struct WorkJob final : TaskRunner::Job {
        explicit WorkJob(Work w) : work(std::move(w)) {}

        void run() noexcept override {
            result.emplace(progress.cancelled() ? tl::unexpected(sim::Error::byUser()) : resultOfWork());
            work = nullptr;  // what it holds may be large, and the result may be kept long
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

/// For work that gives a null pointer when it was cancelled.
template <class Pointer>
sim::Expected<Pointer> orCancelled(Pointer result) {
    if (!result) return tl::unexpected(sim::Error::byUser());
    return result;
}

/// The answer to a question that changes: asking for another key lets go of the one before. The last answer is kept
/// until the next is there.
template <class Key, class T>
class LatestTask {
  public:
    explicit LatestTask(TaskRunner& runner) : runner_(&runner) {}

    /// Asks, unless this key is that of the last question: what was cancelled or failed is not asked again either.
    /// Where work is done at once the answer is there for the next update().
    void ask(const Key& key, typename Task<T>::Work work) {
        if (asked_ == key) return;
        asked_ = key;
        task_.emplace(*runner_, std::move(work));
    }
    /// Takes the answer over if it has come. True when it has: a value or an error.
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
    /// Stops what is being worked out; the last answer stays.
    void cancel() {
        if (task_) task_->cancel();
    }
    /// As if nothing had ever been asked.
    void reset() {
        task_.reset();
        asked_.reset();
        answer_.reset();
        error_.reset();
    }

    /// The last one that came, perhaps of an earlier question.
    const std::optional<T>& answer() const { return answer_; }
    /// Why there is none to the last question, once; nothing when it was cancelled.
    std::optional<sim::Error> takeError() { return std::exchange(error_, std::nullopt); }
    bool working() const { return task_.has_value(); }
    /// How far that is, from 0 to 1; negative when not known, or when nothing is being worked out.
    double fraction() const { return task_ ? task_->fraction() : -1; }

  private:
    TaskRunner* runner_;
    std::optional<Key> asked_;
    std::optional<Task<T>> task_;
    std::optional<T> answer_;
    std::optional<sim::Error> error_;
};

}  // namespace whorl::app
