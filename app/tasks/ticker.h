// Calls a function now and then, beside what the caller does meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace whorl::app {

/// Calls `tick` after each `period`, in a thread of its own, until this is destroyed. The destructor waits for a call
/// that is under way, but not for the end of the period.
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
