// Calls a function periodically, in a separate thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace whorl::app {

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
