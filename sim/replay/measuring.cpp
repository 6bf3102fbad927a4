#include "sim/replay/measuring.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "sim/replay/clock.h"
#include "sim/replay/replay.h"
#include "sim/replay/totals/ledger_builder.h"

namespace whorl::sim {

namespace {

tl::unexpected<Error> stopped() {
    return tl::unexpected(Error::byUser());
}

tl::unexpected<Error> tooManyCpus(const std::string& name) {
    return fail(name, "it names more CPUs than the machine can have");
}

/// The clocks of the CPUs, which include their work between accesses and their waiting for each other.
class Clocks final : public Observer {
  public:
    Clocks(const Trace& trace, const MachineConfig& machine) : clock_(trace, machine.cpus) {}

    Wants wants() const override { return Wants::events; }
    void take(const Batch& batch) override {
        batch.forEach([&](Tick t, const PackedAccess& access, std::span<const Event> events) {
            clock_.take(t, access.cpu(), access.unrecorded() ? 0 : costOf(events, batch.machine.machine()));
        });
    }
    Cycles elapsed() const { return clock_.elapsed(); }

  private:
    Clock clock_;
};

Expected<Measures> countsOf(const Trace& trace, Simulator machine, Range range, Progress& progress,
                            const ThreadRunner& threads) {
    const bool isTimed = trace.hasTimes();
    Clocks clocks(trace, machine.machine());
    const auto play = [&](Range part) {
        return isTimed ? replay(trace, machine, part, clocks, progress, threads)
                       : replay(trace, machine, part, progress, threads);
    };
    const auto measured = [&] {
        Measures measures = measuresOf(machine, isTimed);
        if (isTimed) measures.elapsed = clocks.elapsed();
        return measures;
    };
    if (!play({Tick{0}, range.from})) return stopped();
    const Measures before = measured();
    if (!play(range)) return stopped();
    Measures measures = measured();
    measures -= before;
    return measures;
}

Expected<Measures> ledgerOfWhole(const Trace& trace, Simulator machine, Progress& progress,
                                 const ThreadRunner& threads) {
    const auto past = pastOf(trace, machine.machine());
    LedgerBuilder ledgerBuilder = ledgerBuilderFor(trace, machine.machine(), past);
    if (!replay(trace, machine, {Tick{0}, Tick{trace.size()}}, ledgerBuilder, progress, threads)) return stopped();
    Measures measures = measuresOf(machine, trace.hasTimes());
    measures.ledger = std::make_shared<const Ledger>(ledgerBuilder.ledger());
    return measures;
}

/// The elapsed cycles of a trace with timing of its own, from a machine at its start.
bool addElapsed(Measures& measures, const Trace& trace, const Simulator& start, Range range, Progress& progress,
                const ThreadRunner& threads = {}) {
    if (!trace.hasTimes()) return true;
    progress.start(range.to.value);
    const auto timed = countsOf(trace, start, range, progress, threads);
    if (timed) measures.elapsed = timed->elapsed;
    return timed.has_value();
}

bool looksAhead(const MachineConfig& machine) {
    return std::any_of(machine.levels.begin(), machine.levels.end(),
                       [](const LevelConfig& level) { return level.policy == Policy::opt; });
}

/// Streams a trace; with threads, `take` runs in this one while another reads.
Expected<StreamedTrace> streamAhead(const std::string& path, const ReadOptions& options, const AccessConsumer& take,
                                    Progress& progress, const ThreadRunner& threads) {
    if (!threads) return streamTrace(path, options, take, progress);
    constexpr std::size_t kAhead = 16;
    using Some = std::vector<PackedAccess>;
    Expected<StreamedTrace> streamed = stopped();
    const auto read = [&](Handover<Some>& to) {
        const auto give = [&](std::span<const PackedAccess> accesses) {
            Some* const some = to.next();
            if (some == nullptr) return;
            some->assign(accesses.begin(), accesses.end());
            to.give();
        };
        streamed = streamTrace(path, options, give, progress);
    };
    inTwoThreads<Some>(threads, kAhead, read, take);
    return streamed;
}

}  // namespace

Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace) {
    auto grown = checked(withCpus(machine, trace.cpus()), {});
    if (grown && grown->cpus < trace.cpus()) return tooManyCpus(trace.name());
    return grown;
}

Expected<Measures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Range range,
                           bool ledger, Progress& progress, const ThreadRunner& threads) {
    auto grown = WHORL_TRY(grownFor(machine, *trace));
    const bool whole = range == Range{Tick{0}, Tick{trace->size()}};
    if (ledger && !whole) {
        // Whether a miss is by true sharing may be decided only after the range, so the whole trace is played.
        const auto run = WHORL_TRY(builtRun(trace, machine, progress, threads));
        auto measures = measure(*run, range, progress);
        if (!measures) return stopped();
        return *std::move(measures);
    }
    auto future = futureOf(grown, *trace, progress);
    if (!future) return stopped();
    progress.start(range.to.value);
    const Simulator start = startOf(*trace, grown, *future);
    if (!ledger) return countsOf(*trace, start, range, progress, threads);
    auto measures = ledgerOfWhole(*trace, start, progress, threads);
    if (measures && !addElapsed(*measures, *trace, start, range, progress, threads)) return stopped();
    return measures;
}

std::optional<Measures> measure(const Run& run, Range range, Progress& progress) {
    std::optional<Measures> measures = run.between(range, progress);
    if (!measures || !addElapsed(*measures, run.trace(), run.stateAt(Tick{0}), range, progress)) return std::nullopt;
    return measures;
}

Expected<std::shared_ptr<const Run>> builtRun(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine,
                                              Progress& progress, const ThreadRunner& threads) {
    auto run = std::make_shared<Run>(trace, WHORL_TRY(grownFor(machine, *trace)));
    if (!run->build(progress, threads)) return stopped();
    return run;
}

bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine) {
    const bool needsTrace = options.only.needsTrace() || !options.regions.empty() || options.naming ||
                            options.order == AccessOrder::virtualTime;
    if (looksAhead(machine) || needsTrace || isPartial(path)) return false;
    if (options.order == AccessOrder::automatic && mayBringSyncs(path, options)) return false;
    const bool oneCpu = options.format && !known(*options.format).hasCpus;
    std::error_code unknown;
    return oneCpu || machine.cpus == kMaxCpus || std::filesystem::is_regular_file(path, unknown);
}

Expected<StreamedMeasures> measureStreamed(const std::string& path, const ReadOptions& options,
                                           const MachineConfig& machine, Progress& progress,
                                           const ThreadRunner& threads) {
    MachineConfig grown = machine;
    ReadOptions reading = options;
    if (machine.learnsFromSites()) reading.sites = StreamedSites::numbered;
    while (true) {
        Simulator state(grown);
        // After the first access of a CPU that the machine lacks, read the rest only to count the CPUs.
        bool tooMany = false;
        const auto take = [&](std::span<const PackedAccess> some) {
            const auto beyond = [&](const PackedAccess& a) { return a.cpu() >= grown.cpus; };
            tooMany = tooMany || (grown.cpus < kMaxCpus && std::any_of(some.begin(), some.end(), beyond));
            if (!tooMany) state.play(some, nullptr);
        };
        auto streamed = WHORL_TRY(streamAhead(path, reading, take, progress, threads));
        if (!tooMany) {
            Measures measures = measuresOf(state, streamed.hasTimes);
            return StreamedMeasures{.measures = std::move(measures), .trace = std::move(streamed)};
        }
        grown = WHORL_TRY(checked(withCpus(machine, streamed.cpus), {}));
        if (grown.cpus < streamed.cpus) return tooManyCpus(path);
    }
}

}  // namespace whorl::sim
