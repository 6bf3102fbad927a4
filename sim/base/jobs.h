// Jobs that may run at the same time, and stages that hand work over to each other. The simulation starts no threads:
// its caller says how they run.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace whorl::sim {

using Jobs = std::vector<std::function<void()>>;
/// Runs all jobs, in any order and in any threads, and returns when all have ended.
using JobRunner = std::function<void(const Jobs&)>;

/// Runs one job after the other.
inline void oneByOne(const Jobs& jobs) {
    for (const auto& job : jobs) job();
}

/// Runs all jobs at the same time, each in a thread of its own, and returns when all have ended. Throws what a job
/// throws. Empty where there are no threads.
using ThreadRunner = std::function<void(const Jobs&)>;

/// Hands things over in order from one thread to another, which may lag behind by a number of them. The things stay
/// where they are and are used again and again, so that their memory is.
///
/// A thread that has to wait does so until half of the things are on the other side: threads of unequal speed would
/// otherwise wake each other for each thing.
template <class T>
class Handover {
  public:
    /// `things`: at least one.
    explicit Handover(std::size_t things) : things_(things), enough_((things + 1) / 2) {}

    /// The giving thread: waits for a thing to fill in, which give() then hands over. Null when the other thread has
    /// left.
    T* next() {
        std::unique_lock lock(mutex_);
        if (given_ - taken_ == things_.size()) {
            hasRoom_.wait(lock, [&] { return hasLeft_ || given_ - taken_ < enough_; });
        }
        return hasLeft_ ? nullptr : &things_[given_ % things_.size()];
    }
    void give() {
        const std::lock_guard lock(mutex_);
        ++given_;
        if (given_ - taken_ >= enough_) hasThings_.notify_one();
    }
    /// No more follows.
    void end() {
        const std::lock_guard lock(mutex_);
        hasEnded_ = true;
        hasThings_.notify_one();
    }

    /// The taking thread: waits for the next thing, which is its own until taken(). Null after the last.
    T* first() {
        std::unique_lock lock(mutex_);
        if (given_ == taken_) {
            hasThings_.wait(lock, [&] { return hasEnded_ || given_ - taken_ >= enough_; });
        }
        return given_ == taken_ ? nullptr : &things_[taken_ % things_.size()];
    }
    void taken() {
        const std::lock_guard lock(mutex_);
        ++taken_;
        if (given_ - taken_ < enough_) hasRoom_.notify_one();
    }
    /// Takes no more.
    void leave() {
        const std::lock_guard lock(mutex_);
        hasLeft_ = true;
        hasRoom_.notify_one();
    }

  private:
    std::vector<T> things_;
    std::size_t enough_;  ///< so many are worth waking a thread for
    std::mutex mutex_;    ///< guards everything below; a thing belongs to one of the threads at any time
    std::condition_variable hasRoom_;
    std::condition_variable hasThings_;
    std::size_t given_ = 0;
    std::size_t taken_ = 0;
    bool hasEnded_ = false;
    bool hasLeft_ = false;
};

/// Fills in things in one thread and uses them in order in the other, the first job of `run`: give(Handover&) hands
/// them over, until the end or until next() is null, and take(T&) gets each.
template <class T, class Give, class Take>
void inTwoThreads(const ThreadRunner& run, std::size_t things, Give&& give, Take&& take) {
    Handover<T> handover(things);
    struct AtEnd {
        std::function<void()> end;
        ~AtEnd() { end(); }
    };
    run({[&] {
             const AtEnd leave{[&] { handover.leave(); }};
             for (T* thing = handover.first(); thing != nullptr; thing = handover.first()) {
                 take(*thing);
                 handover.taken();
             }
         },
         [&] {
             const AtEnd end{[&] { handover.end(); }};
             give(handover);
         }});
}

}  // namespace whorl::sim
