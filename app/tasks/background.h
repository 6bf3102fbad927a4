// A question that takes time, answered in a thread of its own.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "sim/base/progress.h"

namespace whorl::app {

template <class T>
class Background {
  public:
    /// Gives the answer; what it gives after it was cancelled does not matter.
    using Work = std::function<T(sim::Progress&)>;

    explicit Background(Work work)
        : thread_([this, work = std::move(work)] {
              answer_ = work(progress_);
              done_ = true;
          }) {}
    /// Cancels and waits.
    ~Background() {
        cancel();
        thread_.join();
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    bool done() const { return done_.load(); }
    bool cancelled() const { return progress_.cancelled(); }
    /// From 0 to 1; negative when not known.
    double fraction() const { return progress_.fraction(); }
    void cancel() { progress_.cancel(); }
    /// The answer, once, when it is there.
    std::optional<T> take() { return done() ? std::exchange(answer_, std::nullopt) : std::nullopt; }

  private:
    sim::Progress progress_;
    std::atomic<bool> done_{false};
    std::optional<T> answer_;
    std::thread thread_;  ///< last, so that it starts when all else is there
};

}  // namespace whorl::app
