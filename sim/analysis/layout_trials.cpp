#include "sim/analysis/layout_trials.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/replay/measuring.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::sim {

namespace {

/// No sample tells what is rarer than this share of what is lost: it may be in no window.
constexpr double kRareLoss = 0.002;

std::int64_t saved(Cycles was, Cycles is) {
    return static_cast<std::int64_t>(was - is);
}

}  // namespace

Estimate TrialSample::after(const std::function<double(const WindowLosses&)>& of,
                            const std::vector<WindowLosses>& losses, double all) const {
    std::vector<double> was(losses.size());
    std::vector<double> is(losses.size());
    std::transform(before.begin(), before.end(), was.begin(), of);
    std::transform(losses.begin(), losses.end(), is.begin(), of);
    Estimate out = windows.after(was, is, all);
    out.within += bias * std::max(all, out.value);
    return out;
}

bool LayoutTrials::playAll(const std::vector<LayoutChanges>& candidates, const JobRunner& run) {
    std::vector<LayoutChanges> unknown;
    for (const LayoutChanges& changes : candidates) {
        if (find(changes) == nullptr) addNew(unknown, changes);
    }
    std::vector<Known> played(unknown.size());
    Jobs jobs;
    for (std::size_t i = 0; i < unknown.size(); ++i) jobs.emplace_back([&, i] { played[i] = play(unknown[i]); });
    run(jobs);
    if (progress_.cancelled()) return false;
    for (Known& known : played) add(std::move(known));
    return true;
}

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
        Known played = play(changes);
        if (progress_.cancelled()) return nullptr;
        known = &add(std::move(played));
    }
    return known->trial ? &*known->trial : nullptr;
}

const std::vector<WindowLosses>* LayoutTrials::lossesWith(const LayoutChanges& changes) {
    Known& known = *find(changes);
    if (!known.losses) {
        Progress part(progress_, share_);
        const auto view = viewOf(changes, part);
        if (view != nullptr) known.losses = lossesIn(LossSample(range_), *view, before_.machine, rows_, part);
    }
    return known.losses ? &*known.losses : nullptr;
}

LayoutTrials::Known* LayoutTrials::find(const LayoutChanges& changes) {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.changes == changes; });
    return found == known_.end() ? nullptr : &*found;
}

const LayoutTrials::Known& LayoutTrials::add(Known known) {
    if (known.trial) ++played_;
    return known_.emplace_back(std::move(known));
}

/// Null when the changes cannot be applied, or move nothing.
std::shared_ptr<const Trace> LayoutTrials::viewOf(const LayoutChanges& changes, Progress& progress) const {
    auto view = mapped(trace_, changes, progress, false);
    if (!view || !isMoved(*view, *trace_)) return nullptr;
    return std::make_shared<const Trace>(*std::move(view));
}

LayoutTrials::Known LayoutTrials::play(const LayoutChanges& changes) const {
    Known known{.changes = changes, .trial = std::nullopt, .losses = std::nullopt};
    Progress part(progress_, share_);
    const auto view = viewOf(changes, part);
    if (view == nullptr) return known;
    if (sample_ != nullptr) {
        known.trial = sampled(*view, known, part);
    } else if (const auto after = measure(view, before_.machine, range_, false, part)) {
        known.trial = Trial{.changes = changes,
                            .cycles = saved(before_.cyclesOfAll(), after->cyclesOfAll()),
                            .elapsed = saved(before_.elapsed.value_or(0), after->elapsed.value_or(0))};
    }
    if (known.trial) known.trial->padding = view->padding() - trace_->padding();
    return known;
}

std::optional<Trial> LayoutTrials::sampled(const Trace& view, Known& known, Progress& progress) const {
    known.losses = lossesIn(sample_->windows, view, before_.machine, rows_, progress);
    if (!known.losses) return std::nullopt;
    const auto lost = static_cast<double>(sample_->lost);
    const Estimate after =
        sample_->after([](const WindowLosses& of) { return static_cast<double>(of.lost); }, *known.losses, lost);
    return Trial{.changes = known.changes,
                 .cycles = std::llround(lost - after.value),
                 .within = std::max<std::int64_t>(1, std::llround(std::max(after.within, kRareLoss * lost)))};
}

}  // namespace whorl::sim
