#include "sim/analysis/sharing_trials.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/analysis/layout_trials.h"
#include "sim/replay/measuring.h"

namespace whorl::sim {

namespace {

using Changes = LayoutTrials::Changes;

/// The number of cures that are combined with each other.
constexpr std::size_t kMaxCombined = 12;
/// The number of changes of a group that are tried alone.
constexpr std::size_t kMaxAlone = 8;

/// Whether a trial saves enough of a group's loss to count as a cure; `before`: the measures without it. Where elements
/// alternate between CPUs, it must save at least half of the loss: then it separates them.
bool isCureOf(const Trial& trial, const SharingGroup& group, const Measures& before) {
    const auto lost = static_cast<double>(group.lost);
    const auto isWorth = [&](std::int64_t saved, Cycles all) {
        return saved > 0 && std::min(static_cast<double>(saved), lost) >= kMinGain * static_cast<double>(all);
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
using CandidateLists = std::vector<std::vector<Changes>>;

CandidateLists candidatesOf(const SharingReport& report, const MachineConfig& machine) {
    const auto sizes = coherentBlockSizes(machine);
    CandidateLists out;
    for (const SharingGroup& group : report.groups) {
        out.push_back(group.lost == 0 ? std::vector<Changes>{} : candidatesFor(group, sizes));
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
    std::vector<Changes> seen;
    for (const auto& ofGroup : candidates) {
        for (const Changes& changes : ofGroup) {
            if (std::find(seen.begin(), seen.end(), changes) == seen.end()) seen.push_back(changes);
        }
    }
    return seen.size();
}

/// The first candidate of each group, then the second of each, and so on. False when cancelled.
bool tryAll(SharingReport& report, const CandidateLists& candidates, const Measures& before, LayoutTrials& trials,
            Progress& progress) {
    std::size_t rounds = 0;
    for (const auto& ofGroup : candidates) rounds = std::max(rounds, ofGroup.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t g = 0; g < candidates.size(); ++g) {
            if (round >= candidates[g].size()) continue;
            const Changes& changes = candidates[g][round];
            if (trials.played() == kMaxTrials && !trials.knows(changes)) {
                ++report.untried;
                continue;
            }
            const Trial* trial = trials.of(changes);
            if (progress.cancelled()) return false;
            if (trial != nullptr) addTrial(report.groups[g], *trial, isCureOf(*trial, report.groups[g], before));
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

/// Whether two lists of changes have a thing in common.
bool overlap(const Changes& a, const Changes& b) {
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

/// The changes for blocks of another size.
std::vector<LayoutChange> sized(std::vector<LayoutChange> changes, std::uint32_t size) {
    for (LayoutChange& change : changes) {
        change.bytes = size;
        if (change.element > size) return {};
    }
    return changes;
}

/// Padding instead of aligning, aligning instead of padding or spreading.
std::vector<LayoutChange> withOtherKind(std::vector<LayoutChange> changes) {
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
        const std::uint32_t size = machine.levels[l].block;
        if (machine.isCoherent(l) && std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(size);
    }
    return sizes;
}

std::vector<std::vector<LayoutChange>> candidatesFor(const SharingGroup& group,
                                                     std::span<const std::uint32_t> blockSizes) {
    std::vector<std::vector<LayoutChange>> out;
    const auto add = [&](const std::vector<LayoutChange>& changes) {
        if (!changes.empty() && std::find(out.begin(), out.end(), changes) == out.end()) out.push_back(changes);
    };
    const std::vector<LayoutChange>& all = group.proposals;
    add(all);
    for (const std::uint32_t size : blockSizes) add(sized(all, size));
    add(withOtherKind(all));
    return out;
}

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
    const std::size_t most = std::min(count + countOf(aloneOf(report)), kMaxTrials) + kMaxCombined;
    progress.startPart(0, 1 + 2 * most);
    const auto before = measure(run.sharedTrace(), run.machine(), report.range, false, progress);
    if (!before) return false;
    LayoutTrials trials(run.sharedTrace(), report.range, *before, progress);
    trials.expect(most, 1);
    if (tryAll(report, candidates, *before, trials, progress) &&
        tryAll(report, aloneOf(report), *before, trials, progress) && combine(report, trials, progress)) {
        sortTrials(report);
        report.tried = trials.played();
        return true;
    }
    forgetCures(report);
    return false;
}

}  // namespace whorl::sim
