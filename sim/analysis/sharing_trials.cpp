#include "sim/analysis/sharing_trials.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/analysis/layout_trials.h"
#include "sim/replay/measuring.h"

namespace whorl::sim {

namespace {

/// The number of cures that are combined with each other.
constexpr std::size_t kMaxCombined = 12;
/// The number of changes of a group that are tried alone.
constexpr std::size_t kMaxAlone = 8;

/// Whether a trial saves enough of a group's loss to count as a cure; `before`: the measures without it. Where elements
/// alternate between CPUs, it must save at least half of the loss: then it separates them.
bool isCureOf(const Trial& trial, const SharingGroup& group, const Measures& before) {
    const auto lost = static_cast<double>(group.lost);
    const auto isWorth = [&](std::int64_t saved, Cycles all) {
        return isGain(std::min(static_cast<double>(saved), lost), all);
    };
    const Cycles stalls = before.cyclesOfAll() - before.counters.accesses() * before.machine.lookUp();
    const bool parts = group.alternating.empty() || 2 * static_cast<double>(trial.cycles) >= lost;
    return trial.helps() && parts &&
           (isWorth(trial.cycles, stalls) || isWorth(trial.elapsed, before.elapsed.value_or(0)));
}

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
CandidateLists candidatesOf(const SharingReport& report, const MachineConfig& machine) {
    const auto sizes = coherentBlockSizes(machine);
    CandidateLists out;
    for (const SharingGroup& group : report.groups) {
        out.push_back(group.lost == 0 ? std::vector<LayoutChanges>{} : candidatesFor(group, sizes));
    }
    return out;
}

/// Each of several changes alone, for groups that they do not cure together. Not for the others: what else is in a
/// block moves far away to make room, so that one change may seem to be enough.
CandidateLists aloneOf(const SharingReport& report) {
    CandidateLists out;
    for (const SharingGroup& group : report.groups) {
        out.emplace_back();
        const bool isWanted = group.lost > 0 && group.cures.empty() && group.proposals.size() > 1;
        const std::size_t count = isWanted ? std::min(kMaxAlone, group.proposals.size()) : 0;
        for (std::size_t i = 0; i < count; ++i) out.back().push_back({group.proposals[i]});
    }
    return out;
}

/// The number of different candidates.
std::size_t countOf(const CandidateLists& candidates) {
    std::vector<LayoutChanges> all;
    for (const auto& ofGroup : candidates) {
        for (const LayoutChanges& changes : ofGroup) addNew(all, changes);
    }
    return all.size();
}

void sortTrials(SharingReport& report) {
    for (SharingGroup& group : report.groups) {
        std::stable_sort(group.cures.begin(), group.cures.end(), savesMore);
        std::stable_sort(group.rejected.begin(), group.rejected.end(), savesMore);
    }
}

/// Whether two lists of changes have a thing in common.
bool overlap(const LayoutChanges& a, const LayoutChanges& b) {
    return std::any_of(a.begin(), a.end(), [&](const LayoutChange& x) {
        return std::any_of(b.begin(), b.end(),
                           [&](const LayoutChange& y) { return x.thing == y.thing && x.ofClass == y.ofClass; });
    });
}

/// Starts from the best cure, and adds each cure that saves more together with those before it.
bool combine(SharingReport& report, LayoutTrials& trials, Progress& progress) {
    std::vector<Trial> cures = allCures(report);
    if (cures.size() < 2) return true;
    cures.resize(std::min(cures.size(), kMaxCombined));
    Trial best = cures.front();
    for (std::size_t c = 1; c < cures.size(); ++c) {
        if (overlap(best.changes, cures[c].changes)) continue;
        LayoutChanges both = best.changes;
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

/// The changes for blocks of another size.
LayoutChanges sized(LayoutChanges changes, std::uint32_t size) {
    for (LayoutChange& change : changes) {
        change.bytes = size;
        if (change.element > size) return {};
    }
    return changes;
}

/// Padding instead of aligning, aligning instead of padding or spreading.
LayoutChanges withOtherKind(LayoutChanges changes) {
    using Kind = LayoutChange::Kind;
    for (LayoutChange& change : changes) {
        change.kind = change.kind == Kind::align ? Kind::pad : Kind::align;
        change.element = 0;
    }
    return changes;
}

}  // namespace

std::vector<std::uint32_t> coherentBlockSizes(const MachineConfig& machine) {
    std::vector<std::uint32_t> sizes;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        if (machine.isCoherent(l)) addNew(sizes, machine.levels[l].block);
    }
    return sizes;
}

std::vector<LayoutChanges> candidatesFor(const SharingGroup& group, std::span<const std::uint32_t> blockSizes) {
    const LayoutChanges& all = group.proposals;
    std::vector<LayoutChanges> out{all};
    for (const std::uint32_t size : blockSizes) addNew(out, sized(all, size));
    addNew(out, withOtherKind(all));
    std::erase(out, LayoutChanges{});
    return out;
}

bool savesMore(const Trial& a, const Trial& b) {
    return std::tuple(a.elapsed, a.cycles, b.padding) > std::tuple(b.elapsed, b.cycles, a.padding);
}

std::vector<Trial> allCures(const SharingReport& report) {
    std::vector<Trial> out;
    for (const SharingGroup& group : report.groups) {
        for (const Trial& cure : group.cures) addNew(out, cure);
    }
    std::stable_sort(out.begin(), out.end(), savesMore);
    return out;
}

bool tryCures(SharingReport& report, const Run& run, Progress& progress) {
    forgetCures(report);
    const auto candidates = candidatesOf(report, run.machine());
    const std::size_t count = countOf(candidates);
    if (count == 0) return !progress.cancelled();
    const std::size_t most = std::min(count + countOf(aloneOf(report)), kMaxTrials) + kMaxCombined;
    const double share = 1 / static_cast<double>(1 + most);
    progress.split();
    const auto before = [&] {
        Progress part(progress, share);
        return measure(run.sharedTrace(), run.machine(), report.range, false, part);
    }();
    if (!before) return false;
    LayoutTrials trials(run.sharedTrace(), report.range, *before, progress, kMaxTrials);
    trials.expect(most, 1 - share);
    const auto take = [&](std::size_t g, const Trial& trial) {
        addTrial(report.groups[g], trial, isCureOf(trial, report.groups[g], *before));
    };
    if (trials.tryAll(candidates, take) && trials.tryAll(aloneOf(report), take) && combine(report, trials, progress)) {
        sortTrials(report);
        report.tried = trials.played();
        report.untried = trials.untried();
        return true;
    }
    forgetCures(report);
    return false;
}

}  // namespace whorl::sim
