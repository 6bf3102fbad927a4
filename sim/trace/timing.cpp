#include "sim/trace/timing.h"

#include <algorithm>

namespace whorl::sim {

TimingFilter::TimingFilter(const Timing& timing) : timing_(&timing), next_(timing.delays), open_(kMaxCpus) {
    moved_.each = timing.each;
    for (const Delay& d : timing.delays) {
        if (d.after != Delay::kNoAccess) awaited_.push_back(d.after.value);
    }
    std::sort(awaited_.begin(), awaited_.end());
    awaited_.erase(std::unique(awaited_.begin(), awaited_.end()), awaited_.end());
    ends_.resize(awaited_.size(), Delay::kNoAccess);
}

void TimingFilter::keep(Tick was, std::uint8_t cpu, Tick to) {
    Open& open = open_[cpu];
    addDelay(was, open);
    if (open.work != 0 || open.after != Delay::kNoAccess) {
        moved_.delays.push_back({.at = to, .work = open.work, .after = open.after});
    }
    open = {.work = 0, .after = Delay::kNoAccess, .last = to};
    noteEnd(was, to);
}

void TimingFilter::drop(Tick was, std::uint8_t cpu) {
    Open& open = open_[cpu];
    addDelay(was, open);
    open.work += timing_->each;
    noteEnd(was, open.last);
}

/// Adds the delay of an access, if it has one, to its CPU's pending timing.
void TimingFilter::addDelay(Tick was, Open& open) {
    while (next_.isBefore(was)) ++next_;
    if (!next_.isAt(was)) return;
    const Delay delay = *next_;
    ++next_;
    if (delay.after != Delay::kNoAccess) {
        const auto at = std::lower_bound(awaited_.begin(), awaited_.end(), delay.after.value) - awaited_.begin();
        const Tick by = ends_[static_cast<std::size_t>(at)];
        // Work before the wake-up overlapped with waiting.
        if (by != Delay::kNoAccess) open = {.work = 0, .after = by, .last = open.last};
    }
    open.work += delay.work;
}

void TimingFilter::noteEnd(Tick was, Tick to) {
    while (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] < was.value) ++nextAwaited_;
    if (nextAwaited_ < awaited_.size() && awaited_[nextAwaited_] == was.value) ends_[nextAwaited_++] = to;
}

// The encoding of a delay: the number of accesses since the preceding delay, doubled, plus 1 if it waited for another
// access; the work; and in that case the number of accesses since that other access.

void DelayList::push_back(const Delay& delay) {
    const bool waits = delay.after != Delay::kNoAccess;
    appendVarint(bytes_, (delay.at.value - last_.value) << 1 | (waits ? 1 : 0));
    appendVarint(bytes_, delay.work);
    if (waits) appendVarint(bytes_, delay.at.value - delay.after.value);
    last_ = delay.at;
    ++size_;
}

void DelayList::Cursor::advance() {
    std::uint64_t step = 0;
    has_ = readVarint(rest_, step);
    if (!has_) return;
    delay_.at.value += step >> 1;
    readVarint(rest_, delay_.work);
    delay_.after = Delay::kNoAccess;
    std::uint64_t ago = 0;
    if ((step & 1) != 0 && readVarint(rest_, ago)) delay_.after = Tick{delay_.at.value - ago};
}

}  // namespace whorl::sim
