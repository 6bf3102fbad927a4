#include "sim/replay/sync_waits.h"

#include <algorithm>

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

}  // namespace whorl::sim
