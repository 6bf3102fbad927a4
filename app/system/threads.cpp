#include "app/system/threads.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace whorl::app {

struct ThreadPool::State {
    std::mutex mutex;
    std::condition_variable jobQueued;  ///< signalled when a job is queued or `closing` is set
    std::condition_variable idle;
    std::deque<std::shared_ptr<Job>> queued;
    std::vector<Job*> running;  ///< by thread; null while it waits
    std::size_t busy = 0;       ///< number of non-null entries of `running`
    bool closing = false;
    std::vector<std::thread> threads;

    /// The thread function. The last reference to a job may end here, outside the lock: it can own large data.
    void work(std::size_t thread) {
        while (const std::shared_ptr<Job> job = next(thread)) {
            job->run();
            finish(thread);
        }
    }

    /// Waits for the thread's next job; null when the pool is closing.
    std::shared_ptr<Job> next(std::size_t thread) {
        std::unique_lock lock(mutex);
        jobQueued.wait(lock, [&] { return closing || !queued.empty(); });
        if (queued.empty()) return nullptr;
        std::shared_ptr<Job> job = std::move(queued.front());
        queued.pop_front();
        running[thread] = job.get();
        ++busy;
        return job;
    }

    void finish(std::size_t thread) {
        const std::lock_guard lock(mutex);
        running[thread] = nullptr;
        if (--busy == 0 && queued.empty()) idle.notify_all();
    }
};

unsigned ThreadPool::processors() {
    return std::max(1u, std::thread::hardware_concurrency());
}

unsigned ThreadPool::usualSize() {
    return std::clamp(processors(), 4u, 16u);
}

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>()) {
    const std::size_t count = std::max(1u, threads);
    state_->running.resize(count);
    state_->threads.reserve(count);
    for (std::size_t i = 0; i < count; ++i) state_->threads.emplace_back([s = state_.get(), i] { s->work(i); });
}

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(state_->mutex);
        for (const auto& job : state_->queued) job->cancel();
        for (Job* job : state_->running) {
            if (job != nullptr) job->cancel();
        }
        state_->closing = true;
    }
    state_->jobQueued.notify_all();
    for (std::thread& thread : state_->threads) thread.join();
}

void ThreadPool::start(std::shared_ptr<Job> job) {
    {
        const std::lock_guard lock(state_->mutex);
        state_->queued.push_back(std::move(job));
    }
    state_->jobQueued.notify_one();
}

bool ThreadPool::waitUntilIdle(std::chrono::milliseconds limit) {
    std::unique_lock lock(state_->mutex);
    return state_->idle.wait_for(lock, limit, [&] { return state_->busy == 0 && state_->queued.empty(); });
}

void runInPool(const sim::Jobs& jobs) {
    ThreadPool pool(static_cast<unsigned>(std::min<std::size_t>(ThreadPool::processors(), jobs.size())));
    std::vector<Task<bool>> tasks;
    tasks.reserve(jobs.size());
    for (const auto& job : jobs) {
        tasks.emplace_back(pool, [&job](sim::Progress&) {
            job();
            return sim::Expected<bool>(true);
        });
    }
    while (!pool.waitUntilIdle(std::chrono::seconds(1))) continue;
    for (auto& task : tasks) {
        if (!*task.take()) throw std::bad_alloc();
    }
}

void runInThreads(const sim::Jobs& jobs) {
    std::vector<std::exception_ptr> thrown(jobs.size());
    const auto runOne = [&](std::size_t i) {
        try {
            jobs[i]();
        } catch (...) {
            thrown[i] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < jobs.size(); ++i) threads.emplace_back(runOne, i);
    if (!jobs.empty()) runOne(0);
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& e : thrown) {
        if (e) std::rethrow_exception(e);
    }
}

sim::ThreadRunner threadsFor(unsigned threads) {
    const unsigned used = threads != 0 ? threads : ThreadPool::processors();
    return used > 1 ? sim::ThreadRunner(runInThreads) : sim::ThreadRunner();
}

struct Ticker::State {
    std::mutex mutex;
    std::condition_variable ended;
    bool isEnded = false;
    std::thread thread;
};

Ticker::Ticker(std::chrono::milliseconds period, std::function<void()> tick) : state_(std::make_unique<State>()) {
    state_->thread = std::thread([s = state_.get(), period, tick = std::move(tick)] {
        std::unique_lock lock(s->mutex);
        while (!s->ended.wait_for(lock, period, [&] { return s->isEnded; })) tick();
    });
}

Ticker::~Ticker() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->isEnded = true;
    }
    state_->ended.notify_one();
    state_->thread.join();
}

}  // namespace whorl::app
