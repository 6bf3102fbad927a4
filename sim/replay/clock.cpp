#include "sim/replay/clock.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {

SyncWaits::SyncWaits(const SyncLog& log, bool isTimed)
    : cursor_(log), needs_(needsOf(log)), isTimed_(isTimed), objects_(log.objects()) {
    advance();
}

void SyncWaits::advance() {
    hasNext_ = cursor_.next(next_);
}

std::optional<SyncWaits::Release> SyncWaits::take(Cycles now) {
    const std::uint8_t cpu = next_.cpu;
    std::optional<Doing>& doing = doing_[cpu];
    const std::optional<Release> release =
        next_.kind == SyncKind::follow ? std::nullopt : releaseOf(objects_[next_.object], now);
    switch (next_.kind) {
        case SyncKind::want:
            doing = Doing{.what = WaitFor::lock, .since = now};
            break;
        case SyncKind::arrive:
            doing = Doing{.what = WaitFor::barrier, .since = now};
            break;
        case SyncKind::lock:
        case SyncKind::leave:
            doing.reset();
            break;
        default:
            break;
    }
    advance();
    // A CPU does not wait for itself.
    return release && release->by != cpu ? release : std::nullopt;
}

/// Updates the object of the next entry; returns the release that its CPU waited for.
std::optional<SyncWaits::Release> SyncWaits::releaseOf(Object& object, Cycles now) {
    const Release here{.at = now, .by = next_.cpu};
    const auto nth = [&](std::uint32_t count) {
        const bool isKnown = count > 0 && count <= object.happened.size();
        return isKnown ? std::optional(object.happened[count - 1]) : std::nullopt;
    };
    switch (next_.kind) {
        case SyncKind::lock:
            ++waits_;
            return object.unlocked;
        case SyncKind::unlock:
            object.unlocked = here;
            break;
        case SyncKind::signal:
        case SyncKind::post:
            object.happened.push_back(here);
            break;
        case SyncKind::wait:
            return nth(needs_.waits[waits_++]);
        case SyncKind::take: {
            const std::uint32_t stock = needs_.stock[next_.object];
            const std::uint32_t taken = ++object.taken;
            return taken > stock ? nth(taken - stock) : std::nullopt;
        }
        case SyncKind::arrive: {
            const bool isLatest = object.happened.empty() || now >= object.happened.back().at;
            object.happened.push_back(isLatest ? here : object.happened.back());
            break;
        }
        case SyncKind::leave:
            return opened(object, needs_.waits[waits_++], now);
        case SyncKind::follow:
        case SyncKind::want:
            break;
    }
    return std::nullopt;
}

/// The release that completed a round of a barrier.
std::optional<SyncWaits::Release> SyncWaits::opened(const Object& object, std::uint32_t arrivals, Cycles now) {
    if (isTimed_)
        return opened_.try_emplace({next_.object, arrivals}, Release{.at = now, .by = next_.cpu}).first->second;
    if (object.happened.empty()) return std::nullopt;
    return object.happened[std::clamp<std::size_t>(arrivals, 1, object.happened.size()) - 1];
}

Clock::Clock(const Trace& trace, std::uint32_t cpus)
    : timing_(&trace.timing()), now_(cpus, 0), next_(timing_->delays), woken_(cpus, 0), event_(cpus) {
    for (const Delay& d : timing_->delays) {
        if (d.after != Delay::kNoAccess) awaited_.push_back(d.after.value);
    }
    std::sort(awaited_.begin(), awaited_.end());
    awaited_.erase(std::unique(awaited_.begin(), awaited_.end()), awaited_.end());
    ends_.resize(awaited_.size());
    if (trace.syncs() != nullptr && trace.syncs()->hasWaits()) syncs_.emplace(*trace.syncs(), !timing_->empty());
}

Clock::Clock(const Trace& trace, std::vector<Cycles> now) : timing_(&trace.timing()), now_(std::move(now)) {}

Cycles Clock::delayed(std::uint32_t cpu, Cycles now, const Delay& delay) {
    if (delay.after == Delay::kNoAccess) return now + delay.work;
    const auto at = std::lower_bound(awaited_.begin(), awaited_.end(), delay.after.value) - awaited_.begin();
    const SyncWaits::Release end = ends_[static_cast<std::size_t>(at)];
    if (end.at <= now) return now + delay.work;
    const auto add = [&](WaitFor what, const SyncWaits::Release& release) {
        waits_.push_back(
            {.cpu = static_cast<std::uint8_t>(cpu), .by = release.by, .what = what, .from = now, .to = release.at});
        now = release.at;
    };
    // The CPU may have waited for an event before it wanted a lock.
    const SyncWaits::Release event = event_[cpu];
    if (event.at > now && event.at < end.at) add(WaitFor::other, event);
    const std::optional<SyncWaits::Doing>* const what = end.at == event.at ? nullptr : doing(cpu);
    add(what != nullptr && *what ? (*what)->what : WaitFor::other, end);
    woken_[cpu] = end.at;
    return end.at + delay.work;
}

/// Handles the synchronization operations of the CPUs before an access.
void Clock::passSyncs(Tick tick) {
    while (syncs_->isDue(tick)) {
        const Sync sync = syncs_->next();
        if (timing_->empty()) {
            waitUntimed(sync);
        } else {
            findSpinning(sync);
        }
    }
}

/// Adds a CPU's wait by the synchronization log, for a trace without timing.
void Clock::waitUntimed(const Sync& sync) {
    Cycles& now = now_[sync.cpu];
    const auto release = syncs_->take(now);
    if (!release || release->at <= now) return;
    const WaitFor what = sync.kind == SyncKind::lock    ? WaitFor::lock
                         : sync.kind == SyncKind::leave ? WaitFor::barrier
                                                        : WaitFor::other;
    waits_.push_back({.cpu = sync.cpu, .by = release->by, .what = what, .from = now, .to = release->at});
    now = release->at;
}

/// Adds a wait by spinning: the timing contains the waits of sleeping CPUs only.
void Clock::findSpinning(const Sync& sync) {
    const std::optional<SyncWaits::Doing> doing = syncs_->doing(sync.cpu);
    // The clock does not include yet an event for which the CPU has just waited.
    const auto release = syncs_->take(std::max(now_[sync.cpu], event_[sync.cpu].at));
    if (!release) return;
    if (sync.kind == SyncKind::wait) event_[sync.cpu] = *release;
    if (!doing || release->at <= doing->since || release->at == woken_[sync.cpu]) return;
    waits_.push_back({.cpu = sync.cpu,
                      .by = release->by,
                      .what = doing->what,
                      .spun = true,
                      .from = doing->since,
                      .to = release->at});
}

}  // namespace whorl::sim
