#include "app/system/ticker.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace whorl::app {

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
