#include "sim/replay/clock.h"

namespace whorl::sim {

Clock::Clock(const Timing& timing, std::uint32_t cpus) : timing_(&timing), now_(cpus, 0), next_(timing.delays) {
    for (const Delay& d : timing.delays) {
        if (d.after != Delay::kNoAccess) awaited_.push_back(d.after.value);
    }
    std::sort(awaited_.begin(), awaited_.end());
    awaited_.erase(std::unique(awaited_.begin(), awaited_.end()), awaited_.end());
    ends_.resize(awaited_.size());
}

Cycles Clock::delayed(Cycles now, const Delay& delay) const {
    if (delay.after != Delay::kNoAccess) {
        const auto at = std::lower_bound(awaited_.begin(), awaited_.end(), delay.after.value) - awaited_.begin();
        now = std::max(now, ends_[static_cast<std::size_t>(at)]);
    }
    return now + delay.work;
}

}  // namespace whorl::sim
