#include "sim/analysis/activity.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/base/progress.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

/// Playing on is cheaper than starting from a checkpoint only over a short distance.
constexpr std::uint64_t kNear = std::uint64_t{1} << 16;
/// Light that has halved this often is invisible.
constexpr double kHalfLives = 10;

template <class T>
void dropBefore(std::deque<T>& of, Tick from) {
    const auto kept = std::lower_bound(of.begin(), of.end(), from, [](const T& t, Tick at) { return t.tick < at; });
    of.erase(of.begin(), kept);
}

}  // namespace

float decayed(double age, double halfLife) {
    const double halves = age / halfLife;
    return halves >= kHalfLives ? 0.0f : static_cast<float>(std::exp2(-halves));
}

std::uint64_t reachOf(double halfLife) {
    return static_cast<std::uint64_t>(std::ceil(kHalfLives * halfLife));
}

const Activity& ActivityReader::at(double t, const ActivityRequest& request) {
    const double clamped = std::clamp(t, 0.0, static_cast<double>(run_->built().value));
    const Tick begun{static_cast<std::uint64_t>(std::ceil(clamped))};
    const Tick from{begun.value - std::min(begun.value, request.lookback)};
    const bool goesOn = activity_ && request_.cacheLevel == request.cacheLevel && activity_->from <= from &&
                        activity_->begun() <= begun &&
                        begun.value - activity_->begun().value <= kNear + request.lookback;
    if (!goesOn) {
        activity_.emplace(run_->stateAt(from));
        activity_->from = from;
    }
    request_ = request;
    playTo(begun);
    trim(from);
    return *activity_;
}

void ActivityReader::playTo(Tick to) {
    const Tick from = activity_->begun();
    if (from == to) return;
    CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
        batch.forEach(
            [&](Tick tick, const PackedAccess& packed, std::span<const Event> events) { take(tick, packed, events); });
    });
    Progress unwatched;
    replay(run_->trace(), activity_->now, {from, to}, observer, unwatched);
}

void ActivityReader::take(Tick tick, const PackedAccess& packed, std::span<const Event> events) {
    const Access access = packed.unpack();
    if (access.unrecorded) return;
    RequestPath path;
    const auto touchOf = [&](const Event& e, bool hit, bool write) {
        const std::uint32_t ways = activity_->now.machine().levels[e.level].ways;
        return CacheTouch{
            .tick = tick, .slot = e.set.value * ways + e.way.value, .cache = e.cache, .hit = hit, .write = write};
    };
    evictions_.clear();
    for (const Event& e : events) {
        path.take(e);
        const bool ofLevel = request_.cacheLevel && e.level == *request_.cacheLevel;
        if (e.kind == EventKind::hit && ofLevel) {
            activity_->cacheTouches.push_back(touchOf(e, true, e.write));
        }
        if (e.kind == EventKind::eviction) evictions_.push_back(&e);
        if (e.kind != EventKind::fill) continue;
        if (ofLevel) activity_->cacheTouches.push_back(touchOf(e, false, access.isWrite()));
        takeFill(tick, e);
    }
    activity_->touches.push_back({.tick = tick,
                                  .address = access.address,
                                  .size = access.size,
                                  .cpu = access.cpu,
                                  .served = static_cast<std::uint8_t>(path.servedBy()),
                                  .write = access.isWrite()});
}

/// A fill replaces the block that the same access evicted from the same way.
void ActivityReader::takeFill(Tick tick, const Event& fill) {
    const auto made = std::find_if(evictions_.begin(), evictions_.end(), [&](const Event* e) {
        return e->level == fill.level && e->cache == fill.cache && e->set == fill.set && e->way == fill.way;
    });
    if (made == evictions_.end()) return;
    activity_->replacements.push_back(
        {.tick = tick, .out = (*made)->block, .in = fill.block, .level = fill.level, .cache = fill.cache});
    evictions_.erase(made);
}

/// Keeps exactly what was requested: the previous request may have looked further back.
void ActivityReader::trim(Tick from) {
    activity_->from = from;
    dropBefore(activity_->touches, from);
    dropBefore(activity_->cacheTouches, from);
    dropBefore(activity_->replacements, from);
}

}  // namespace whorl::sim
