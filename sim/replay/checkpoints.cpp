#include "sim/replay/checkpoints.h"

#include <algorithm>
#include <utility>

namespace whorl::sim {

SimulatorPatch::SimulatorPatch(const Simulator& before, const Simulator& after, const TouchedSets* touched)
    : hierarchy_(before.hierarchy_, after.hierarchy_, touched), after_(after.sums_) {}

SimulatorPatch::SimulatorPatch(const SimulatorPatch& first, const SimulatorPatch& second)
    : hierarchy_(first.hierarchy_, second.hierarchy_), after_(second.after_) {}

void SimulatorPatch::applyTo(Simulator& state) const {
    hierarchy_.applyTo(state.hierarchy_);
    state.sums_ = after_;
}

std::size_t SimulatorPatch::bytes() const {
    std::size_t caches = 0;
    for (std::size_t l = 0; l < after_.counters.levels(); ++l) caches += after_.counters.cachesAt(l);
    return sizeof *this - sizeof hierarchy_ + hierarchy_.bytes() + caches * sizeof(CacheCounters) +
           after_.clocks.size() * sizeof(Cycles);
}

Checkpoints::Checkpoints(const Simulator& start, std::uint64_t spacing, std::size_t budget)
    : start_(std::make_shared<const Simulator>(start)),
      budget_(budget),
      spacing_(spacing),
      last_(start),
      touched_(start.hierarchy()) {
    list_.push_back({.at = Tick{0},
                     .change = nullptr,
                     .whole = nullptr,
                     .missed = std::vector<std::uint64_t>(start.hierarchy().levels(), 0)});
}

void Checkpoints::add(Tick at, const Simulator& state, std::vector<std::uint64_t> missed) {
    Checkpoint next{.at = at,
                    .change = std::make_shared<const SimulatorPatch>(last_, state, &touched_),
                    .whole = nullptr,
                    .missed = std::move(missed)};
    next.change->applyTo(last_);
    touched_.clear();
    sinceWhole_ += next.change->bytes();
    if (needsWhole()) {
        next.whole = std::make_shared<const SimulatorPatch>(*start_, state, nullptr);
        wholeIsKept(next.whole->bytes());
    }
    std::size_t bytes = 0;
    {
        const std::lock_guard lock(mutex_);
        bytes_ += bytesOf(next);
        list_.push_back(std::move(next));
        bytes = bytes_;
    }
    while (bytes > budget_ && list_.size() > kFewest) bytes = thinOut();
}

/// Drops every second checkpoint and returns the bytes of the rest. Only the calling thread changes the list; readers
/// are not blocked meanwhile.
std::size_t Checkpoints::thinOut() {
    spacing_ *= 2;
    std::vector<Checkpoint> kept;
    kept.reserve(list_.size());
    std::size_t bytes = 0;
    sinceWhole_ = wholeSize_ = 0;
    const auto joined = [](const Shared& first, const Shared& second) {
        return first && second ? std::make_shared<const SimulatorPatch>(*first, *second) : second;
    };
    // The change of the previous checkpoint, if that was dropped.
    Shared change;
    Shared whole;
    for (const Checkpoint& c : list_) {
        Checkpoint next = c;
        next.change = joined(change, c.change);
        change = nullptr;
        if (c.at.value % spacing_ != 0 && c.at != list_.back().at) {
            change = std::move(next.change);
            whole = std::move(next.whole);
            continue;
        }
        if (next.change) sinceWhole_ += next.change->bytes();
        if (!needsWhole()) {
            next.whole = nullptr;
        } else if (!next.whole && whole) {
            next.whole = joined(whole, c.change);
        }
        if (next.whole) wholeIsKept(next.whole->bytes());
        whole = nullptr;
        bytes += bytesOf(next);
        kept.push_back(std::move(next));
    }
    const std::lock_guard lock(mutex_);
    list_ = std::move(kept);
    bytes_ = bytes;
    return bytes;
}

std::size_t Checkpoints::indexBefore(Tick at) const {
    const auto after = std::upper_bound(list_.begin(), list_.end(), at,
                                        [](Tick wanted, const Checkpoint& c) { return wanted < c.at; });
    return static_cast<std::size_t>(after - list_.begin()) - 1;
}

Tick Checkpoints::before(Tick at) const {
    const std::lock_guard lock(mutex_);
    return list_[indexBefore(at)].at;
}

Checkpoints::Kept Checkpoints::nearest(Tick at) const {
    std::vector<Shared> patches;
    Kept kept{.at = {}, .state = *start_, .missed = {}};
    {
        const std::lock_guard lock(mutex_);
        std::size_t from = indexBefore(at);
        kept.at = list_[from].at;
        kept.missed = list_[from].missed;
        for (; from > 0; --from) {
            const Checkpoint& c = list_[from];
            patches.push_back(c.whole ? c.whole : c.change);
            if (c.whole) break;
        }
    }
    for (std::size_t i = patches.size(); i-- > 0;) patches[i]->applyTo(kept.state);
    return kept;
}

std::size_t Checkpoints::bytesOf(const Checkpoint& c) {
    return sizeof c + c.missed.capacity() * sizeof(std::uint64_t) + (c.change ? c.change->bytes() : 0) +
           (c.whole ? c.whole->bytes() : 0);
}

std::size_t Checkpoints::bytes() const {
    const std::lock_guard lock(mutex_);
    return sizeof *this + start_->bytes() + last_.bytes() + bytes_;
}

}  // namespace whorl::sim
