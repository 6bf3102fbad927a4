#include "sim/analysis/cycle_costs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/analysis/cycle_walk.h"
#include "sim/replay/replay.h"

namespace whorl::sim {

namespace {

constexpr std::size_t kMaxBuckets = 8192;
constexpr std::uint64_t kClocks = 4096;  ///< about how many times the clocks of all CPUs are kept

Cycles roundedUp(Cycles cycles, Cycles step) {
    return (cycles + step - 1) / step;
}

}  // namespace

CycleCosts::CycleCosts(std::uint32_t cpus, const CycleClasses& classes, CycleRange range, std::size_t mostBuckets)
    : cpus_(cpus),
      classes_(classes),
      range_(range),
      most_(mostBuckets),
      sums_(cpus * (mostBuckets + 1) * classes.size()) {
    // A range without a known end begins with the shortest buckets.
    if (range.to != std::numeric_limits<Cycles>::max()) step_ = std::max<Cycles>(1, roundedUp(range.size(), most_));
}

CycleRange CycleCosts::cyclesOf(std::size_t first, std::size_t last) const {
    const auto after = [&](std::size_t buckets) { return std::min(range_.from + buckets * step_, range_.to); };
    return {after(first), after(last)};
}

void CycleCosts::add(std::uint32_t cpu, std::size_t what, Cycles from, Cycles to) {
    from = std::max(from, range_.from);
    to = std::min(to, range_.to);
    if (from >= to) return;
    while (to - range_.from > most_ * step_) widen();
    for (Cycles at = from; at < to;) {
        const std::size_t bucket = bucketOf(at);
        const Cycles until = std::min(to, range_.from + (bucket + 1) * step_);
        this->at(cpu, bucket, what) += until - at;
        at = until;
    }
}

/// Merges neighbouring buckets in pairs.
void CycleCosts::widen() {
    const std::size_t classes = classes_.size();
    for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        for (std::size_t b = 0; b < most_; ++b) {
            for (std::size_t c = 0; c < classes; ++c) {
                const bool hasSecond = 2 * b + 1 < most_;
                const Cycles sum = 2 * b < most_ ? at(cpu, 2 * b, c) + (hasSecond ? at(cpu, 2 * b + 1, c) : 0) : 0;
                at(cpu, b, c) = sum;
            }
        }
    }
    step_ *= 2;
}

void CycleCosts::endAt(Cycles end) {
    range_.to = std::min(range_.to, std::max(end, range_.from));
}

void CycleCosts::finish() {
    buckets_ = static_cast<std::size_t>(roundedUp(range_.size(), step_));
    for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        for (std::size_t c = 0; c < classes_.size(); ++c) {
            Cycles before = 0;
            for (std::size_t b = 0; b <= most_; ++b) before += std::exchange(at(cpu, b, c), before);
        }
    }
}

std::vector<Cycles> CycleCosts::sums(std::uint32_t cpu, std::size_t first, std::size_t last) const {
    std::vector<Cycles> out(classes_.size());
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = at(cpu, last, c) - at(cpu, first, c);
    return out;
}

std::vector<Cycles> CycleCosts::sumsOfAll(std::size_t first, std::size_t last) const {
    std::vector<Cycles> out(classes_.size());
    for (std::uint32_t cpu = 0; cpu < cpus_; ++cpu) {
        const std::vector<Cycles> own = sums(cpu, first, last);
        for (std::size_t c = 0; c < out.size(); ++c) out[c] += own[c];
    }
    return out;
}

namespace {

/// Collects the costs and the waits of a whole run.
class WholeSink final : public CycleSink {
  public:
    explicit WholeSink(RunCosts& costs) : costs_(costs) {}

    void spend(const Spent& s) override { costs_.all.add(s.cpu, s.what, s.from, s.to); }
    void waited(const Wait& wait) override { costs_.waits.push_back(wait); }
    void begin(Tick tick, Cycles at) override { costs_.scale.took(tick, at); }

  private:
    RunCosts& costs_;
};

/// Collects the costs in a range.
class PartSink final : public CycleSink {
  public:
    explicit PartSink(CycleCosts& costs) : costs_(costs) {}
    void spend(const Spent& s) override { costs_.add(s.cpu, s.what, s.from, s.to); }

  private:
    CycleCosts& costs_;
};

/// Stops a walk at certain ticks, and keeps the clocks there.
class ClockKeeper final : public Observer {
  public:
    ClockKeeper(CycleWalk& walk, RunCosts& costs) : walk_(walk), costs_(costs) {}

    Wants wants() const override { return walk_.wants(); }
    Tick nextStop(Tick from) const override { return Tick{(from.value / costs_.every + 1) * costs_.every}; }
    void take(const Batch& batch) override {
        walk_.take(batch);
        if (batch.first.value + batch.accesses.size() < next_) return;
        for (std::uint32_t cpu = 0; cpu < costs_.all.cpus(); ++cpu) costs_.clocks.push_back(walk_.clock().now(cpu));
        next_ += costs_.every;
    }

  private:
    CycleWalk& walk_;
    RunCosts& costs_;
    std::uint64_t next_ = costs_.every;
};

std::vector<Cycles> clocksOf(const CycleWalk& walk, std::uint32_t cpus) {
    std::vector<Cycles> out;
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) out.push_back(walk.clock().now(cpu));
    return out;
}

}  // namespace

std::shared_ptr<const RunCosts> costsOverTime(const Run& run, Progress& progress) {
    const Trace& trace = run.trace();
    const std::uint32_t cpus = run.machine().cpus;
    constexpr CycleRange kAll{0, std::numeric_limits<Cycles>::max()};
    auto costs =
        std::make_shared<RunCosts>(RunCosts{.all = CycleCosts(cpus, CycleClasses(run.machine()), kAll, kMaxBuckets),
                                            .scale = {},
                                            .waits = {},
                                            .path = {},
                                            .ends = {},
                                            .accesses = {},
                                            .every = std::max<std::uint64_t>(1, trace.size() / kClocks),
                                            .clocks = {}});
    costs->scale.to = Tick{trace.size()};
    costs->scale.stride = cycleStride(trace.size());
    Run::Resumed from = run.resumeAt(Tick{0});
    WholeSink sink(*costs);
    CycleWalk walk(run, from, sink);
    ClockKeeper keeper(walk, *costs);
    progress.start(trace.size());
    if (!replay(trace, from.machine, {Tick{0}, Tick{trace.size()}}, keeper, progress)) return nullptr;
    const Cycles end = walk.clock().elapsed();
    walk.finish(end);
    costs->ends = clocksOf(walk, cpus);
    for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) costs->accesses.push_back(from.machine.clock(cpu));
    costs->all.endAt(end);
    costs->all.finish();
    costs->scale.end = end;
    costs->path = criticalPath(costs->waits, costs->ends);
    return costs;
}

WaitsDuring waitsDuring(const RunCosts& costs, std::uint32_t cpu, CycleRange range) {
    WaitsDuring found;
    for (const Wait& wait : costs.waits) {
        if (wait.cpu != cpu || wait.to <= range.from || wait.from >= range.to) continue;
        ++found.count;
        if (found.longest == nullptr || wait.to - wait.from > found.longest->to - found.longest->from) {
            found.longest = &wait;
        }
    }
    return found;
}

Cycles closeStep(Cycles cycles) {
    return std::max<Cycles>(1, roundedUp(cycles, kMaxBuckets));
}

namespace {

/// The accesses to play for a range of cycles: from the last known tick before which no CPU has passed its beginning,
/// to the first one at which all CPUs have reached its end.
Range accessesDuring(const RunCosts& costs, CycleRange range, std::uint64_t size) {
    const std::size_t cpus = costs.ends.size();
    const std::size_t known = costs.clocks.size() / cpus;
    const auto clock = [&](std::size_t i, std::size_t cpu) { return costs.clocks[i * cpus + cpu]; };
    const auto isBefore = [&](std::size_t i) {
        for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
            if (clock(i, cpu) > range.from) return false;
        }
        return true;
    };
    const auto isAfter = [&](std::size_t i) {
        for (std::size_t cpu = 0; cpu < cpus; ++cpu) {
            if (clock(i, cpu) < std::min(range.to, costs.ends[cpu])) return false;
        }
        return true;
    };
    Range accesses{Tick{0}, Tick{size}};
    for (std::size_t i = 0; i < known && isBefore(i); ++i) accesses.from = Tick{(i + 1) * costs.every};
    for (std::size_t i = known; i > 0 && isAfter(i - 1); --i) accesses.to = Tick{i * costs.every};
    return accesses;
}

}  // namespace

std::shared_ptr<const CycleCosts> costsDuring(const Run& run, const RunCosts& costs, CycleRange range,
                                              Progress& progress) {
    const Trace& trace = run.trace();
    Range accesses = accessesDuring(costs, range, trace.size());
    if (trace.hasTimes()) accesses.from = Tick{0};
    auto part = std::make_shared<CycleCosts>(costs.all.cpus(), costs.all.classes(), range, kMaxBuckets);
    Run::Resumed from = run.resumeAt(accesses.from);
    PartSink sink(*part);
    CycleWalk walk(run, from, sink);
    progress.start(accesses.size());
    if (!replay(trace, from.machine, accesses, walk, progress)) return nullptr;
    for (std::uint32_t cpu = 0; cpu < part->cpus(); ++cpu) {
        part->add(cpu, part->classes().idle(), costs.ends[cpu], costs.scale.end);
    }
    part->endAt(costs.scale.end);
    part->finish();
    return part;
}

namespace {

class TotalSink final : public CycleSink {
  public:
    TotalSink(std::uint32_t cpus, std::size_t classes) : sums_(cpus, std::vector<Cycles>(classes)) {}
    void spend(const Spent& s) override { sums_[s.cpu][s.what] += s.to - s.from; }
    std::vector<std::vector<Cycles>>& sums() { return sums_; }

  private:
    std::vector<std::vector<Cycles>> sums_;
};

}  // namespace

std::optional<std::vector<std::vector<Cycles>>> cyclesSpent(const Run& run, Range range, Progress& progress) {
    const Trace& trace = run.trace();
    const Tick begin = trace.hasTimes() ? Tick{0} : range.from;
    Run::Resumed from = run.resumeAt(begin);
    TotalSink sink(run.machine().cpus, CycleClasses(run.machine()).size());
    CycleWalk walk(run, from, sink);
    progress.start(range.to.value - begin.value);
    if (!replay(trace, from.machine, {begin, range.from}, walk, progress)) return std::nullopt;
    const std::vector<std::vector<Cycles>> before = sink.sums();
    if (!replay(trace, from.machine, range, walk, progress)) return std::nullopt;
    if (range.to.value == trace.size()) walk.finish(walk.clock().elapsed());
    std::vector<std::vector<Cycles>> out = std::move(sink.sums());
    for (std::size_t cpu = 0; cpu < out.size(); ++cpu) {
        for (std::size_t c = 0; c < out[cpu].size(); ++c) out[cpu][c] -= before[cpu][c];
    }
    return out;
}

}  // namespace whorl::sim
