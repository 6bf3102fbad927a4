#include "sim/analysis/cycle_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace whorl::sim {

CycleClasses::CycleClasses(const MachineConfig& machine)
    : levels_(machine.levels.size()),
      isCoherent_(machine.isCoherent()),
      hasOverhead_(machine.tlb.walk > 0 || machine.memory.fault > 0 || machine.writebackLatency > 0),
      hasOthers_(machine.cpus > 1) {
    for (const LevelConfig& level : machine.levels) names_.push_back(level.name);
}

bool CycleClasses::isPossible(std::size_t c) const {
    if (c == coherence()) return isCoherent_;
    if (c == overhead()) return hasOverhead_;
    return c < coherence() || hasOthers_;
}

std::string CycleClasses::words(std::size_t c) const {
    if (c == work()) return "work";
    if (c < served(levels_)) return names_[c - 1];
    if (c == served(levels_)) return "memory";
    if (c == coherence()) return "coherence";
    if (c == overhead()) return "paging, write-backs";
    if (c == locks()) return "at locks";
    if (c == barriers()) return "at barriers";
    return c == otherWaits() ? "other waits" : "idle";
}

std::string CycleClasses::key(std::size_t c) const {
    if (c == overhead()) return "overhead_cycles";
    if (c == locks()) return "lock_cycles";
    if (c == barriers()) return "barrier_cycles";
    if (c == otherWaits()) return "other_wait_cycles";
    return words(c) + "_cycles";
}

namespace {

std::vector<Cycles> clocksOf(const Simulator& machine) {
    std::vector<Cycles> clocks;
    for (std::uint32_t cpu = 0; cpu < machine.machine().cpus; ++cpu) clocks.push_back(machine.clock(cpu));
    return clocks;
}

Clock clockOf(const Trace& trace, const Simulator& machine) {
    return trace.hasTimes() ? Clock(trace, machine.machine().cpus) : Clock(trace, clocksOf(machine));
}

}  // namespace

CycleWalk::CycleWalk(const Run& run, Run::Resumed& from, CycleSink& sink)
    : machine_(run.machine()),
      classes_(run.machine()),
      kinds_(std::move(from.kinds)),
      clock_(clockOf(run.trace(), from.machine)),
      sink_(sink),
      told_(run.trace().hasTimes() ? std::vector<Cycles>(machine_.cpus) : clocksOf(from.machine)),
      hasBegun_(machine_.cpus),
      pieces_(classes_.size()) {}

void CycleWalk::take(const Batch& batch) {
    batch.forEach(
        [&](Tick tick, const PackedAccess& access, std::span<const Event> events) { take(tick, access, events); });
}

void CycleWalk::take(Tick tick, const PackedAccess& access, std::span<const Event> events) {
    const std::uint32_t cpu = access.cpu();
    split(events);
    if (access.unrecorded()) std::fill(pieces_.begin(), pieces_.end(), 0);
    const Cycles start = clock_.take(tick, cpu, std::accumulate(pieces_.begin(), pieces_.end(), Cycles{0}));
    for (const Wait& wait : clock_.waits()) pass(wait, tick, wait.cpu == cpu ? &access : nullptr);
    std::optional<SyncWaits::Doing>* const doing = clock_.doing(cpu);
    const bool waits = doing != nullptr && doing->has_value();
    const std::size_t waiting = waits ? classOf((*doing)->what) : 0;
    // Before the first access for a lock the CPU does its own work; the time between later ones belongs to the wait.
    const bool tries = waits && std::exchange((*doing)->tried, true);
    spend(cpu, tries ? waiting : CycleClasses::work(), start, tick, &access);
    sink_.begin(tick, start);
    for (std::size_t c = 0; c < pieces_.size(); ++c) {
        if (pieces_[c] > 0) spend(cpu, waits ? waiting : c, told_[cpu] + pieces_[c], tick, &access);
    }
    hasBegun_[cpu] = true;
}

/// Divides the cycles of an access among the classes.
void CycleWalk::split(std::span<const Event> events) {
    std::fill(pieces_.begin(), pieces_.end(), 0);
    request_ = 0;
    isByCoherence_ = false;
    for (const Event& e : events) {
        const Cycles cost = costOf(e, machine_);
        switch (e.kind) {
            case EventKind::miss: {
                const MissKind kind = kinds_.next(e.level);
                if (!e.demand) break;
                request_ += cost;
                isByCoherence_ = isByCoherence_ || isBySharing(kind);
                break;
            }
            case EventKind::hit:
            case EventKind::memory:
                if (!e.demand) break;
                request_ += cost;
                serve(e.level);
                break;
            case EventKind::upgrade:
                pieces_[classes_.coherence()] += cost;
                break;
            default:
                pieces_[classes_.overhead()] += cost;
                break;
        }
    }
    serve(machine_.levels.size());
}

/// Charges a request to the level that served it, or to coherence.
void CycleWalk::serve(std::size_t level) {
    pieces_[isByCoherence_ ? classes_.coherence() : CycleClasses::served(level)] += std::exchange(request_, 0);
    isByCoherence_ = false;
}

std::size_t CycleWalk::classOf(WaitFor what) const {
    return what == WaitFor::lock      ? classes_.locks()
           : what == WaitFor::barrier ? classes_.barriers()
                                      : classes_.otherWaits();
}

/// `access`: the next access of the CPU, if it is known.
void CycleWalk::pass(const Wait& wait, Tick tick, const PackedAccess* access) {
    if (!wait.spun) {
        // A thread that has made no access yet has not begun.
        const bool isIdle = !hasBegun_[wait.cpu] && wait.what == WaitFor::other;
        if (!isIdle) spend(wait.cpu, CycleClasses::work(), wait.from, tick, access);
        spend(wait.cpu, isIdle ? classes_.idle() : classOf(wait.what), wait.to, tick, nullptr);
    }
    sink_.waited(wait);
}

void CycleWalk::spend(std::uint32_t cpu, std::size_t what, Cycles until, Tick tick, const PackedAccess* access) {
    if (until <= told_[cpu]) return;
    sink_.spend({.cpu = cpu,
                 .what = what,
                 .from = std::exchange(told_[cpu], until),
                 .to = until,
                 .tick = tick,
                 .access = access});
}

void CycleWalk::finish(Cycles end) {
    for (std::uint32_t cpu = 0; cpu < told_.size(); ++cpu) spend(cpu, classes_.idle(), end, Tick{0}, nullptr);
}

}  // namespace whorl::sim
