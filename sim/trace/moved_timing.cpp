#include "sim/trace/moved_timing.h"

#include <algorithm>

namespace whorl::sim {

MovedTiming::MovedTiming(const Timing& timing) : timing_(&timing), open_(kMaxCpus) {
    moved_.each = timing.each;
    for (const Delay& d : timing.delays) {
        if (d.after != Delay::kNobody) awaited_.push_back(d.after.value);
    }
    std::sort(awaited_.begin(), awaited_.end());
    awaited_.erase(std::unique(awaited_.begin(), awaited_.end()), awaited_.end());
    ends_.resize(awaited_.size(), Delay::kNobody);
}

void MovedTiming::kept(Tick was, std::uint8_t cpu, Tick to) {
    Open& open = open_[cpu];
    takeDelay(was, open);
    if (open.work != 0 || open.after != Delay::kNobody) {
        moved_.delays.push_back({.at = to, .work = open.work, .after = open.after});
    }
    open = {.work = 0, .after = Delay::kNobody, .last = to};
    noteEnd(was, to);
}

void MovedTiming::leftOut(Tick was, std::uint8_t cpu) {
    Open& open = open_[cpu];
    takeDelay(was, open);
    open.work += timing_->each;
    noteEnd(was, open.last);
}

/// Adds the delay of an access, if it has one, to what its CPU has to tell.
void MovedTiming::takeDelay(Tick was, Open& open) {
    const std::vector<Delay>& delays = timing_->delays;
    while (next_ < delays.size() && delays[next_].at < was) ++next_;
    if (next_ == delays.size() || delays[next_].at != was) return;
    const Delay& delay = delays[next_++];
    if (delay.after != Delay::kNobody) {
        const auto at = std::lower_bound(awaited_.begin(), awaited_.end(), delay.after.value) - awaited_.begin();
        const Tick by = ends_[static_cast<std::size_t>(at)];
        // What it did before it was woken up, it did while it waited.
        if (by != Delay::kNobody) open = {.work = 0, .after = by, .last = open.last};
    }
    open.work += delay.work;
}

void MovedTiming::noteEnd(Tick was, Tick to) {
    while (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] < was.value) ++nextAwaited_;
    if (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] == was.value) ends_[nextAwaited_++] = to;
}

}  // namespace whorl::sim
