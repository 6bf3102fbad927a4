#include "sim/replay/measuring.h"

#include <algorithm>
#include <filesystem>

#include "sim/replay/clock.h"
#include "sim/replay/run.h"
#include "sim/replay/simulator.h"
#include "sim/replay/totals/ledger_builder.h"
#include "sim/trace/trace_cursor.h"

namespace whorl::sim {

namespace {

/// Accesses played at a time: their events stay in the processor's cache.
constexpr std::size_t kBatch = 2048;

tl::unexpected<Error> stopped() {
    return tl::unexpected(Error::byUser());
}

tl::unexpected<Error> tooManyCpus(const std::string& name) {
    return fail(name, "it names more CPUs than the machine can have");
}

std::vector<Cycles> clocksOf(const Simulator& state) {
    std::vector<Cycles> clocks(state.machine().cpus);
    for (std::uint32_t cpu = 0; cpu < clocks.size(); ++cpu) clocks[cpu] = state.clock(cpu);
    return clocks;
}

/// Plays [from, to) and tells nobody. False when it was cancelled.
bool playOn(Simulator& state, TraceCursor& cursor, std::uint64_t from, std::uint64_t to, Progress& progress) {
    for (std::uint64_t t = from; t < to;) {
        if (progress.cancelled()) return false;
        auto some = cursor.from(Tick{t});
        if (some.empty()) break;
        some = some.first(std::min<std::uint64_t>(some.size(), to - t));
        state.play(some, nullptr);
        t += some.size();
        progress.setDone(t);
    }
    return true;
}

Expected<Figures> countsOf(const Trace& trace, Simulator state, Stretch stretch, Progress& progress) {
    TraceCursor cursor(trace);
    if (!playOn(state, cursor, 0, stretch.from.value, progress)) return stopped();
    const Counters before = state.counters();
    const Cycles begin = state.time();
    const std::vector<Cycles> clocks = clocksOf(state);
    if (!playOn(state, cursor, stretch.from.value, stretch.to.value, progress)) return stopped();
    Figures figures{.machine = state.machine(),
                    .counters = state.counters(),
                    .cycles = clocksOf(state),
                    .ledger = nullptr,
                    .elapsed = state.time() - begin};
    figures.counters -= before;
    for (std::size_t cpu = 0; cpu < clocks.size(); ++cpu) figures.cycles[cpu] -= clocks[cpu];
    return figures;
}

Expected<Figures> booksOfWhole(const Trace& trace, Simulator state, const MachineConfig& machine, Progress& progress) {
    LedgerBuilder ledgerBuilder(machine, trace);
    TraceCursor cursor(trace);
    EventList events;
    events.separateHits();
    for (std::uint64_t t = 0; t < trace.size();) {
        if (progress.cancelled()) return stopped();
        auto some = cursor.from(Tick{t});
        some = some.first(std::min(some.size(), kBatch));
        events.clear();
        state.play(some, &events);
        ledgerBuilder.take(Tick{t}, some, events);
        ledgerBuilder.entries().clear();
        t += some.size();
        progress.setDone(t);
    }
    return Figures{.machine = machine,
                   .counters = state.counters(),
                   .cycles = clocksOf(state),
                   .ledger = std::make_shared<const Ledger>(ledgerBuilder.ledger()),
                   .elapsed = state.time()};
}

/// Whether a miss is by true sharing can turn out after the stretch, so all of the trace is played.
Expected<Figures> booksOfPart(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Stretch stretch,
                              Progress& progress) {
    Run run(trace, machine);
    if (!run.build(progress)) return stopped();
    std::optional<Measures> measures = run.between(stretch.from, stretch.to, progress);
    if (!measures) return stopped();
    return Figures{.machine = run.machine(),
                   .counters = std::move(measures->counters),
                   .cycles = std::move(measures->cycles),
                   .ledger = std::make_shared<const Ledger>(std::move(measures->ledger)),
                   .elapsed = run.stateAt(stretch.to).time() - run.stateAt(stretch.from).time()};
}

/// By the clocks of the CPUs that worked on other things between their accesses, and waited for each other. Nothing
/// when it was cancelled.
std::optional<Cycles> elapsedIn(const Trace& trace, Simulator state, Stretch stretch, Progress& progress) {
    Clock clock(trace.timing(), state.machine().cpus);
    TraceCursor cursor(trace);
    EventList events;
    Cycles begin = 0;
    for (Tick t; t < stretch.to; ++t) {
        if (t.value % kBatch == 0 && progress.cancelled()) return std::nullopt;
        if (t == stretch.from) begin = clock.elapsed();
        const PackedAccess& access = cursor.from(t).front();
        const Cycles before = state.clock(access.cpu());
        events.clear();
        state.step(access.unpack(), events);
        clock.take(t, access.cpu(), state.clock(access.cpu()) - before);
    }
    return stretch.from < stretch.to ? clock.elapsed() - begin : 0;
}

bool looksAhead(const MachineConfig& machine) {
    return std::any_of(machine.levels.begin(), machine.levels.end(),
                       [](const LevelConfig& level) { return level.policy == Policy::opt; });
}

}  // namespace

Expected<MachineConfig> grownFor(const MachineConfig& machine, const Trace& trace) {
    auto grown = checked(withCpus(machine, trace.cpus()), {});
    if (grown && grown->cpus < trace.cpus()) return tooManyCpus(trace.name());
    return grown;
}

Expected<Figures> measure(const std::shared_ptr<const Trace>& trace, const MachineConfig& machine, Stretch stretch,
                          bool ledger, Progress& progress) {
    auto grown = grownFor(machine, *trace);
    if (!grown) return tl::unexpected(grown.error());
    const bool whole = stretch.from == Tick{0} && stretch.to == Tick{trace->size()};
    auto future = futureOf(*grown, *trace, progress);
    if (!future) return stopped();
    progress.setTotal(stretch.to.value);
    progress.setDone(0);
    const Simulator state(*grown, *future);
    auto figures = !ledger ? countsOf(*trace, state, stretch, progress)
                   : whole ? booksOfWhole(*trace, state, *grown, progress)
                           : booksOfPart(trace, *grown, stretch, progress);
    if (!figures || trace->timing().empty()) return figures;
    figures->elapsed = elapsedIn(*trace, state, stretch, progress);
    return figures->elapsed ? std::move(figures) : stopped();
}

bool canStream(const std::string& path, const ReadOptions& options, const MachineConfig& machine) {
    if (looksAhead(machine) || options.only.needsTrace()) return false;
    const bool oneCpu = options.format == TraceFormat::lackey || options.format == TraceFormat::din;
    std::error_code unknown;
    return oneCpu || machine.cpus == kMaxCpus || std::filesystem::is_regular_file(path, unknown);
}

Expected<StreamedFigures> measureStreamed(const std::string& path, const ReadOptions& options,
                                          const MachineConfig& machine, Progress& progress) {
    MachineConfig grown = machine;
    while (true) {
        Simulator state(grown);
        // Once a CPU comes that the machine does not have, the rest only tells how many there are.
        bool tooMany = false;
        const auto take = [&](std::span<const PackedAccess> some) {
            const auto beyond = [&](const PackedAccess& a) { return a.cpu() >= grown.cpus; };
            tooMany = tooMany || (grown.cpus < kMaxCpus && std::any_of(some.begin(), some.end(), beyond));
            if (!tooMany) state.play(some, nullptr);
        };
        auto streamed = streamTrace(path, options, take, progress);
        if (!streamed) return tl::unexpected(streamed.error());
        if (!tooMany) {
            Figures figures{.machine = grown,
                            .counters = state.counters(),
                            .cycles = clocksOf(state),
                            .ledger = nullptr,
                            .elapsed = {}};
            if (!streamed->hasTiming) figures.elapsed = state.time();
            return StreamedFigures{.figures = std::move(figures), .trace = *std::move(streamed)};
        }
        auto wider = checked(withCpus(machine, streamed->cpus), {});
        if (!wider) return tl::unexpected(wider.error());
        if (wider->cpus < streamed->cpus) return tooManyCpus(path);
        grown = *std::move(wider);
    }
}

}  // namespace whorl::sim
