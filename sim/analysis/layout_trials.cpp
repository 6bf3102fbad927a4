#include "sim/analysis/layout_trials.h"

#include <algorithm>
#include <utility>

#include "sim/replay/measuring.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::sim {

bool LayoutTrials::tryAll(const CandidateLists& candidates,
                          const std::function<void(std::size_t, const Trial&)>& take) {
    std::size_t rounds = 0;
    for (const auto& list : candidates) rounds = std::max(rounds, list.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t l = 0; l < candidates.size(); ++l) {
            if (round >= candidates[l].size()) continue;
            const LayoutChanges& changes = candidates[l][round];
            const bool isTooMany = played_ == limit_ && find(changes) == nullptr;
            if (isTooMany) ++untried_;
            const Trial* const trial = isTooMany ? nullptr : of(changes);
            if (progress_.cancelled()) return false;
            if (trial != nullptr) take(l, *trial);
        }
    }
    return true;
}

const Trial* LayoutTrials::of(const LayoutChanges& changes) {
    const Known* known = find(changes);
    if (known == nullptr) {
        auto trial = play(changes);
        if (progress_.cancelled()) return nullptr;
        if (trial) ++played_;
        known = &known_.emplace_back(Known{.changes = changes, .trial = std::move(trial), .with = {}});
    }
    return known->trial ? &*known->trial : nullptr;
}

const LayoutTrials::Played* LayoutTrials::playedWith(const LayoutChanges& changes) {
    Known& known = *find(changes);
    if (known.with.ledger == nullptr) {
        const auto view = viewOf(changes);
        const auto after = measured(view, true);
        if (!after) return nullptr;
        known.with = {.ledger = after->ledger, .owners = view->owners()};
    }
    return &known.with;
}

LayoutTrials::Known* LayoutTrials::find(const LayoutChanges& changes) {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.changes == changes; });
    return found == known_.end() ? nullptr : &*found;
}

/// Null when the changes cannot be applied, or move nothing.
std::shared_ptr<const Trace> LayoutTrials::viewOf(const LayoutChanges& changes) {
    startPart();
    auto view = mapped(trace_, changes, progress_);
    if (!view || !isMoved(*view, *trace_)) return nullptr;
    return std::make_shared<const Trace>(*std::move(view));
}

std::optional<Trial> LayoutTrials::play(const LayoutChanges& changes) {
    const auto view = viewOf(changes);
    const auto after = measured(view, false);
    if (!after) return std::nullopt;
    const auto saved = [](Cycles was, Cycles is) { return static_cast<std::int64_t>(was - is); };
    return Trial{.changes = changes,
                 .cycles = saved(before_.cyclesOfAll(), after->cyclesOfAll()),
                 .elapsed = saved(before_.elapsed.value_or(0), after->elapsed.value_or(0)),
                 .padding = view->padding() - trace_->padding()};
}

Expected<Measures> LayoutTrials::measured(const std::shared_ptr<const Trace>& view, bool ledger) {
    if (view == nullptr) return tl::unexpected(Error::byUser());
    startPart();
    return measure(view, before_.machine, range_, ledger, progress_);
}

}  // namespace whorl::sim
