#include "sim/analysis/window_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/replay/measuring.h"
#include "sim/replay/replay.h"
#include "sim/replay/simulator.h"

namespace whorl::sim {
namespace {

/// The quantile of Student's distribution that 2.5 % exceed.
double quantileOf(std::size_t freedoms) {
    constexpr std::array kFew = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306};
    if (freedoms <= kFew.size()) return kFew[freedoms - 1];
    // The first terms of the Cornish-Fisher expansion, right to three digits for so many.
    constexpr double kNormal = 1.959964;
    const auto n = static_cast<double>(freedoms);
    const double cube = kNormal * kNormal * kNormal;
    return kNormal + (cube + kNormal) / (4 * n) +
           (5 * cube * kNormal * kNormal + 16 * cube + 3 * kNormal) / (96 * n * n);
}

/// By level, then by window.
using Counts = std::vector<std::vector<WindowCount>>;

/// The parts of a trace that its windows are.
std::vector<Range> rangesOf(const Trace& trace) {
    const std::vector<Tick>& begins = trace.windows()->begins;
    std::vector<Range> ranges;
    ranges.reserve(begins.size());
    for (std::size_t i = 0; i < begins.size(); ++i) {
        ranges.push_back({begins[i], i + 1 < begins.size() ? begins[i + 1] : Tick{trace.size()}});
    }
    return ranges;
}

/// What each level counted in between.
std::vector<CacheCounters> counted(const Simulator& machine, const Counters& before) {
    Counters counters = machine.counters();
    counters -= before;
    std::vector<CacheCounters> levels;
    for (std::size_t l = 0; l < counters.levels(); ++l) levels.push_back(counters.level(l));
    return levels;
}

WindowCount countOf(std::uint64_t requests, std::uint64_t misses) {
    return {static_cast<double>(requests), static_cast<double>(misses)};
}

/// With each window on what the last one left.
std::optional<Counts> playedOn(const Trace& trace, Simulator machine, Progress& progress) {
    Counts counts(machine.machine().levels.size());
    for (const Range window : rangesOf(trace)) {
        const Counters before = machine.counters();
        if (!replay(trace, machine, window, progress)) return std::nullopt;
        const auto levels = counted(machine, before);
        for (std::size_t l = 0; l < levels.size(); ++l) {
            counts[l].push_back(countOf(levels[l].accesses(), levels[l].misses()));
        }
    }
    return counts;
}

/// With each window on an empty machine: the misses, and those of them that are sure.
struct EmptyCounts {
    Counts all;
    Counts sure;
};

std::optional<EmptyCounts> playedEmpty(const Trace& trace, const Simulator& empty, Progress& progress) {
    // Emptying large caches takes longer than a short window, so that only some of very many windows are played.
    constexpr std::size_t kMostBytes = std::size_t{16} << 30;
    const std::vector<Range> windows = rangesOf(trace);
    const std::size_t step = empty.bytes() * windows.size() / kMostBytes + 1;
    EmptyCounts counts{Counts(empty.machine().levels.size()), Counts(empty.machine().levels.size())};
    for (std::size_t i = 0; i < windows.size(); i += step) {
        Simulator machine = empty;
        if (!replay(trace, machine, windows[i], progress)) return std::nullopt;
        const auto levels = counted(machine, empty.counters());
        for (std::size_t l = 0; l < levels.size(); ++l) {
            const CacheCounters& level = levels[l];
            counts.all[l].push_back(countOf(level.accesses(), level.misses()));
            // A miss evicts where its set is full.
            counts.sure[l].push_back(countOf(level.accesses(), std::min(level.evictions, level.misses())));
        }
    }
    return counts;
}

bool looksAheadAtAll(const MachineConfig& machine) {
    return std::any_of(machine.levels.begin(), machine.levels.end(),
                       [](const LevelConfig& level) { return level.policy == Policy::opt; });
}

}  // namespace

LevelEstimate ratioOf(const std::vector<WindowCount>& windows, double share) {
    LevelEstimate estimate;
    WindowCount sum;
    for (const WindowCount& w : windows) {
        sum.requests += w.requests;
        sum.misses += w.misses;
    }
    if (sum.requests > 0) estimate.missRatio = sum.misses / sum.requests;
    if (windows.size() < 2) {
        if (share >= 1) estimate.plusMinus = 0;
        return estimate;
    }
    double squares = 0;
    for (const WindowCount& w : windows) {
        const double apart = w.misses - estimate.missRatio * w.requests;
        squares += apart * apart;
    }
    const auto n = static_cast<double>(windows.size());
    const double deviation = std::sqrt(std::max(0.0, 1 - share) * n / (n - 1) * squares);
    estimate.plusMinus = sum.requests > 0 ? quantileOf(windows.size() - 1) * deviation / sum.requests : 0;
    return estimate;
}

Expected<WindowEstimate> estimateOf(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                    Progress& progress) {
    const auto grown = WHORL_TRY(grownFor(machine, *trace));
    const auto stopped = [] { return tl::unexpected(Error::byUser()); };
    const auto future = futureOf(grown, *trace, progress);
    if (!future) return stopped();
    const Simulator empty(grown, *future);
    const Windows& windows = *trace->windows();
    const double share = static_cast<double>(windows.length) / static_cast<double>(windows.every);
    progress.start(2 * trace->size());
    const auto on = playedOn(*trace, empty, progress);
    if (!on) return stopped();
    std::optional<EmptyCounts> onEmpty;
    if (!looksAheadAtAll(grown)) {
        onEmpty = playedEmpty(*trace, empty, progress);
        if (!onEmpty) return stopped();
    }
    WindowEstimate estimate{.windows = windows.begins.size(),
                            .length = windows.length,
                            .every = windows.every,
                            .between = windows.between,
                            .levels = {}};
    for (std::size_t l = 0; l < grown.levels.size(); ++l) {
        LevelEstimate level = ratioOf((*on)[l], share);
        if (onEmpty) {
            level.least = std::min(level.missRatio, ratioOf(onEmpty->sure[l], share).missRatio);
            level.most = std::max(level.missRatio, ratioOf(onEmpty->all[l], share).missRatio);
        }
        estimate.levels.push_back(level);
    }
    return estimate;
}

}  // namespace whorl::sim
