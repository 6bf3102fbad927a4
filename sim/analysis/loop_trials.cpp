#include "sim/analysis/loop_trials.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/replay/measuring.h"

namespace whorl::sim {

namespace {

/// The share that making a trace has of a trial.
constexpr double kOfTrace = 0.5;

std::optional<LoopTrial> tried(const OtherLoops& loops, const MachineConfig& machine, Progress& progress) {
    const auto trace = [&]() -> std::shared_ptr<const Trace> {
        Progress part(progress, kOfTrace);
        auto made = loops.run(part);
        return made ? std::make_shared<const Trace>(*std::move(made)) : nullptr;
    }();
    if (trace == nullptr) return std::nullopt;
    Progress part(progress, 1 - kOfTrace);
    const auto found = measure(trace, machine, {Tick{0}, Tick{trace->size()}}, false, part);
    if (!found) return std::nullopt;
    LoopTrial trial{.loops = loops,
                    .accesses = trace->size(),
                    .cycles = found->cyclesOfAll(),
                    .lost = 0,
                    .misses = {},
                    .savesAt = std::nullopt};
    trial.lost = trial.cycles - trial.accesses * machine.lookUp();
    for (std::size_t l = 0; l < found->counters.levels(); ++l) {
        trial.misses.push_back(found->counters.level(l).misses());
    }
    return trial;
}

}  // namespace

std::optional<std::vector<LoopTrial>> loopTrials(std::span<const OtherLoops> loops, const MachineConfig& machine,
                                                 const JobRunner& run, Progress& progress) {
    std::vector<std::optional<LoopTrial>> trials(loops.size());
    Jobs jobs;
    for (std::size_t i = 0; i < loops.size(); ++i) {
        jobs.emplace_back([&, i] {
            Progress part(progress, 1 / static_cast<double>(loops.size()));
            part.split();
            if (!part.cancelled()) trials[i] = tried(loops[i], machine, part);
        });
    }
    run(jobs);
    if (progress.cancelled()) return std::nullopt;
    std::vector<LoopTrial> found;
    for (auto& trial : trials) {
        if (trial) found.push_back(*std::move(trial));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const LoopTrial& a, const LoopTrial& b) { return a.cycles < b.cycles; });
    return found;
}

}  // namespace whorl::sim
