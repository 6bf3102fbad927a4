#include "sim/replay/joint_measures.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <utility>

#include "sim/cache/hierarchy.h"
#include "sim/cache/lru_stacks.h"
#include "sim/cache/simple_counts.h"
#include "sim/cache/simple_loop.h"
#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

/// The number of accesses played at a time: what they request stays in the processor's cache.
constexpr std::uint64_t kJointBatch = 8192;

/// A machine without its nearest level, and its measures so far.
struct Outer {
    Hierarchy hierarchy;
    Counters counters;
    Cycles clock = 0;
    std::size_t stacks = 0;  ///< which stacks are its nearest level …
    std::size_t ways = 0;    ///< … and which of their numbers of ways

    explicit Outer(const MachineConfig& machine) : hierarchy(machine), counters(machine) {}

    Measures measures() const {
        return {.machine = hierarchy.machine(),
                .counters = counters,
                .cycles = {clock},
                .ledger = nullptr,
                .elapsed = clock};
    }
};

class Together {
  public:
    explicit Together(const std::vector<MachineConfig>& machines) {
        // Fewer sets first: what changes nothing there changes nothing in more sets.
        std::map<std::uint32_t, std::vector<std::uint32_t>> waysBySets;
        for (const MachineConfig& m : machines) waysBySets[m.levels[0].sets()].push_back(m.levels[0].ways);
        for (auto& [sets, ways] : waysBySets) {
            std::sort(ways.begin(), ways.end());
            ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
            stacks_.emplace_back(Sets(sets), ways);
            nested_.push_back(std::has_single_bit(sets));
        }
        for (const MachineConfig& m : machines) {
            Outer& outer = outers_.emplace_back(m);
            const auto of = waysBySets.find(m.levels[0].sets());
            outer.stacks = static_cast<std::size_t>(std::distance(waysBySets.begin(), of));
            const auto at = std::find(of->second.begin(), of->second.end(), m.levels[0].ways);
            outer.ways = static_cast<std::size_t>(at - of->second.begin());
        }
        blockShift_ = static_cast<unsigned>(std::countr_zero(machines.front().levels[0].block));
    }

    bool play(const Trace& trace, Range range, Progress& progress) {
        return forEachBatch(
            trace, range, [](Tick) { return kJointBatch; }, progress,
            [&](Tick, std::span<const PackedAccess> accesses) { playBatch(accesses); });
    }

    std::vector<Measures> measures() const {
        std::vector<Measures> all;
        for (const Outer& outer : outers_) all.push_back(outer.measures());
        return all;
    }

  private:
    std::vector<LruStacks> stacks_;  ///< by ascending numbers of sets
    std::vector<bool> nested_;       ///< by stacks: whether the number of sets is a power of two
    std::vector<Outer> outers_;
    unsigned blockShift_ = 0;
    std::vector<std::uint64_t> all_;  ///< the accesses of a batch to blocks, as LruStacks takes them
    std::vector<std::uint64_t> rest_;
    std::vector<std::uint64_t> others_;

    /// Plays the accesses that are recorded, and those that are not, in turns: these are not counted.
    void playBatch(std::span<const PackedAccess> accesses) {
        while (!accesses.empty()) {
            const bool unrecorded = accesses.front().unrecorded();
            const auto end = std::find_if(accesses.begin(), accesses.end(),
                                          [&](const PackedAccess& a) { return a.unrecorded() != unrecorded; });
            const auto row = accesses.first(static_cast<std::size_t>(end - accesses.begin()));
            playRow(row, !unrecorded);
            accesses = accesses.subspan(row.size());
        }
    }

    void playRow(std::span<const PackedAccess> row, bool isCounted) {
        std::uint64_t writes = 0;
        all_.clear();
        for (const PackedAccess& a : row) {
            const std::uint64_t first = a.address().value >> blockShift_;
            const std::uint64_t last = (a.address().value + (a.size() - 1)) >> blockShift_;
            const std::uint64_t isWrite = a.isWrite() ? 1 : 0;
            writes += isWrite;
            for (std::uint64_t block = first; block <= last; ++block) all_.push_back(block << 1 | isWrite);
        }
        playStacks();
        for (Outer& outer : outers_) playOuter(outer, row.size() - writes, writes, isCounted);
        for (LruStacks& stacks : stacks_) stacks.forget();
    }

    void playStacks() {
        rest_ = all_;
        const auto writesIn = [](const std::vector<std::uint64_t>& accesses) {
            return static_cast<std::uint64_t>(
                std::count_if(accesses.begin(), accesses.end(), [](std::uint64_t a) { return (a & 1) != 0; }));
        };
        const std::uint64_t allWrites = writesIn(all_);
        for (std::size_t s = 0; s < stacks_.size(); ++s) {
            if (!nested_[s]) {
                stacks_[s].play(all_, nullptr);
                continue;
            }
            const std::uint64_t unchangedWrites = allWrites - writesIn(rest_);
            stacks_[s].countUnchanged(all_.size() - rest_.size() - unchangedWrites, unchangedWrites);
            others_.clear();
            stacks_[s].play(rest_, &others_);
            rest_.swap(others_);
        }
    }

    void playOuter(Outer& outer, std::uint64_t reads, std::uint64_t writes, bool isCounted) {
        const LruStacks& stacks = stacks_[outer.stacks];
        SimpleRun run(outer.hierarchy);
        const std::vector<std::uint64_t>& requests = stacks.requests(outer.ways);
        playRequests(run, requests.data(), requests.size());
        if (!isCounted) return;
        run.counts[0] = stacks.counts(outer.ways);
        run.reads = reads;
        run.writes = writes;
        countSimple(run, outer.hierarchy.machine(), outer.counters, outer.clock);
    }
};

}  // namespace

bool canMeasureJointly(const Trace& trace, const MachineConfig& machine) {
    const auto& levels = machine.levels;
    const bool looksBack =
        std::any_of(levels.begin(), levels.end(), [](const LevelConfig& l) { return l.inclusion != Inclusion::none; });
    return !levels.empty() && levels[0].ways <= LruStacks::kMostWays && !looksBack && !trace.hasTimes() &&
           trace.parts().excerpt == nullptr && isSimpleMachine(machine);
}

Expected<std::vector<Measures>> measureJointly(const Trace& trace, const std::vector<MachineConfig>& machines,
                                               Range range, Progress& progress) {
    Together together(machines);
    progress.start(range.to.value);
    if (!together.play(trace, {Tick{0}, range.from}, progress)) return tl::unexpected(Error::byUser());
    const std::vector<Measures> before = together.measures();
    if (!together.play(trace, range, progress)) return tl::unexpected(Error::byUser());
    std::vector<Measures> measures = together.measures();
    for (std::size_t m = 0; m < measures.size(); ++m) measures[m] -= before[m];
    return measures;
}

}  // namespace whorl::sim
