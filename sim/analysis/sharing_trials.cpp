#include "sim/analysis/sharing_trials.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/analysis/sharing_proposals.h"
#include "sim/replay/measures.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::sim {

namespace {

using Changes = std::vector<LayoutChange>;

/// The number of cures that are combined with each other.
constexpr std::size_t kMostCombined = 12;
/// The number of changes of a group that are tried alone.
constexpr std::size_t kMostAlone = 8;

std::int64_t saved(Cycles before, Cycles after) {
    return static_cast<std::int64_t>(before) - static_cast<std::int64_t>(after);
}

/// Plays changes, each set of them once.
class Trials {
  public:
    /// For at most so many trials.
    Trials(const Run& run, Range range, std::size_t most, Progress& progress)
        : run_(run), range_(range), jobs_(1 + 2 * most), progress_(progress) {}

    /// False when cancelled.
    bool measureBaseline() {
        before_ = measured(run_.sharedTrace());
        return before_.has_value();
    }
    /// The trial of these changes; null when they cannot be applied, move nothing, or it was cancelled.
    const Trial* of(const Changes& changes) {
        for (const auto& [tried, trial] : known_) {
            if (tried == changes) return trial ? &*trial : nullptr;
        }
        auto trial = played(changes);
        if (progress_.cancelled()) return nullptr;
        if (trial) ++played_;
        const auto& kept = known_.emplace_back(changes, std::move(trial)).second;
        return kept ? &*kept : nullptr;
    }
    bool knows(const Changes& changes) const {
        return std::any_of(known_.begin(), known_.end(), [&](const auto& k) { return k.first == changes; });
    }
    std::size_t played() const { return played_; }
    /// Whether a trial saves enough of what a group loses to be named. Where elements belong to CPUs by turns, it parts
    /// them: it saves most of that.
    bool isCure(const Trial& trial, const SharingGroup& group) const {
        const auto lost = static_cast<double>(group.lost);
        const auto isWorth = [&](std::int64_t saved, Cycles all) {
            return saved > 0 && std::min(static_cast<double>(saved), lost) >= kLeastGain * static_cast<double>(all);
        };
        const Cycles stalls = before_->cyclesOfAll() - before_->counters.accesses() * before_->machine.lookUp();
        const bool parts = group.alternating.empty() || 2 * static_cast<double>(trial.cycles) >= lost;
        return trial.helps() && parts &&
               (isWorth(trial.cycles, stalls) || isWorth(trial.elapsed, before_->elapsed.value_or(0)));
    }

  private:
    void startJob() { progress_.startPart(std::min(job_++, jobs_ - 1), jobs_); }

    std::optional<Measures> measured(const std::shared_ptr<const Trace>& trace) {
        startJob();
        auto measures = measure(trace, run_.machine(), range_, false, progress_);
        if (!measures) return std::nullopt;
        return *std::move(measures);
    }

    std::optional<Trial> played(const Changes& changes) {
        startJob();
        auto view = mapped(run_.sharedTrace(), changes, progress_);
        if (!view || !isMoved(*view, run_.trace())) return std::nullopt;
        const auto trace = std::make_shared<const Trace>(*std::move(view));
        const auto after = measured(trace);
        if (!after) return std::nullopt;
        return Trial{.changes = changes,
                     .cycles = saved(before_->cyclesOfAll(), after->cyclesOfAll()),
                     .elapsed = saved(before_->elapsed.value_or(0), after->elapsed.value_or(0)),
                     .padding = trace->padding() - run_.trace().padding()};
    }

    const Run& run_;
    Range range_;
    std::size_t jobs_;  ///< passes over the trace
    std::size_t job_ = 0;
    Progress& progress_;
    std::optional<Measures> before_;
    std::vector<std::pair<Changes, std::optional<Trial>>> known_;
    std::size_t played_ = 0;
};

/// Adds a trial to those of a group. Of two with the same effect, the one with less padding is kept.
void addTrial(SharingGroup& group, const Trial& trial, bool isCure) {
    std::vector<Trial>& kin = isCure ? group.cures : group.rejected;
    const auto same = std::find_if(
        kin.begin(), kin.end(), [&](const Trial& t) { return t.cycles == trial.cycles && t.elapsed == trial.elapsed; });
    if (same == kin.end()) {
        kin.push_back(trial);
    } else if (trial.padding < same->padding) {
        *same = trial;
    }
}

/// What to try, by group.
using Candidates = std::vector<std::vector<Changes>>;

Candidates candidatesOf(const SharingReport& report, const MachineConfig& machine) {
    const auto sizes = coherentBlockSizes(machine);
    Candidates out;
    for (const SharingGroup& group : report.groups) {
        out.push_back(group.lost == 0 ? std::vector<Changes>{} : candidatesFor(group, sizes));
    }
    return out;
}

/// Each of several changes alone, for groups that they do not cure together. Not for the others: what else is in a
/// block moves far away to make room, so that one change may seem to be enough.
Candidates aloneOf(const SharingReport& report) {
    Candidates out;
    for (const SharingGroup& group : report.groups) {
        out.emplace_back();
        const bool isWanted = group.lost > 0 && group.cures.empty() && group.proposals.size() > 1;
        const std::size_t count = isWanted ? std::min(kMostAlone, group.proposals.size()) : 0;
        for (std::size_t i = 0; i < count; ++i) out.back().push_back({group.proposals[i]});
    }
    return out;
}

/// The number of different candidates.
std::size_t countOf(const Candidates& candidates) {
    std::vector<Changes> seen;
    for (const auto& ofGroup : candidates) {
        for (const Changes& changes : ofGroup) {
            if (std::find(seen.begin(), seen.end(), changes) == seen.end()) seen.push_back(changes);
        }
    }
    return seen.size();
}

/// The first candidate of each group, then the second of each, and so on. False when cancelled.
bool tryAll(SharingReport& report, const Candidates& candidates, Trials& trials, Progress& progress) {
    std::size_t rounds = 0;
    for (const auto& ofGroup : candidates) rounds = std::max(rounds, ofGroup.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t g = 0; g < candidates.size(); ++g) {
            if (round >= candidates[g].size()) continue;
            const Changes& changes = candidates[g][round];
            if (trials.played() == kMostTrials && !trials.knows(changes)) {
                ++report.untried;
                continue;
            }
            const Trial* trial = trials.of(changes);
            if (progress.cancelled()) return false;
            if (trial != nullptr) addTrial(report.groups[g], *trial, trials.isCure(*trial, report.groups[g]));
        }
    }
    return true;
}

void sortTrials(SharingReport& report) {
    for (SharingGroup& group : report.groups) {
        std::stable_sort(group.cures.begin(), group.cures.end(), savesMore);
        std::stable_sort(group.rejected.begin(), group.rejected.end(), savesMore);
    }
}

/// Whether both change the same thing.
bool overlap(const Changes& a, const Changes& b) {
    return std::any_of(a.begin(), a.end(), [&](const LayoutChange& x) {
        return std::any_of(b.begin(), b.end(),
                           [&](const LayoutChange& y) { return x.thing == y.thing && x.ofClass == y.ofClass; });
    });
}

/// From the best cure on, adds each that saves more with those before it.
bool combine(SharingReport& report, Trials& trials, Progress& progress) {
    std::vector<Trial> cures = allCures(report);
    if (cures.size() < 2) return true;
    cures.resize(std::min(cures.size(), kMostCombined));
    Trial best = cures.front();
    for (std::size_t c = 1; c < cures.size(); ++c) {
        if (overlap(best.changes, cures[c].changes)) continue;
        Changes both = best.changes;
        both.insert(both.end(), cures[c].changes.begin(), cures[c].changes.end());
        const Trial* trial = trials.of(both);
        if (progress.cancelled()) return false;
        if (trial != nullptr && trial->helps() && savesMore(*trial, best)) best = *trial;
    }
    if (std::find(cures.begin(), cures.end(), best) == cures.end()) report.together = std::move(best);
    return true;
}

void forgetCures(SharingReport& report) {
    for (SharingGroup& group : report.groups) {
        group.cures.clear();
        group.rejected.clear();
    }
    report.together.reset();
    report.tried = report.untried = 0;
}

}  // namespace

bool savesMore(const Trial& a, const Trial& b) {
    return std::tuple(a.elapsed, a.cycles, b.padding) > std::tuple(b.elapsed, b.cycles, a.padding);
}

std::vector<Trial> allCures(const SharingReport& report) {
    std::vector<Trial> out;
    for (const SharingGroup& group : report.groups) {
        for (const Trial& cure : group.cures) {
            if (std::find(out.begin(), out.end(), cure) == out.end()) out.push_back(cure);
        }
    }
    std::stable_sort(out.begin(), out.end(), savesMore);
    return out;
}

bool tryCures(SharingReport& report, const Run& run, Progress& progress) {
    forgetCures(report);
    const auto candidates = candidatesOf(report, run.machine());
    const std::size_t count = countOf(candidates);
    if (count == 0) return !progress.cancelled();
    Trials trials(run, report.range, std::min(count + countOf(aloneOf(report)), kMostTrials) + kMostCombined, progress);
    if (trials.measureBaseline() && tryAll(report, candidates, trials, progress) &&
        tryAll(report, aloneOf(report), trials, progress) && combine(report, trials, progress)) {
        sortTrials(report);
        report.tried = trials.played();
        return true;
    }
    forgetCures(report);
    return false;
}

}  // namespace whorl::sim
