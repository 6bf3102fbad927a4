// How long it takes to sum up a range of a run by cells of memory, and of a cache, exactly and from a sample; and to
// tell the history of a place. For comparison: a ledger of the same range, and a replay that only plays.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <string>

#include "sim/analysis/cache_cells.h"
#include "sim/analysis/causes.h"
#include "sim/analysis/cell_table.h"
#include "sim/analysis/place_history.h"
#include "sim/analysis/why.h"
#include "sim/programs/program.h"
#include "sim/replay/replay.h"
#include "sim/replay/run.h"

namespace whorl::sim {
namespace {

constexpr const char* kPrograms[] = {"mergesort:n=200000", "matmul:n=128", "mergesort:n=800000"};

const sim::Run& runOf(std::int64_t program) {
    static std::map<std::int64_t, std::unique_ptr<sim::Run>> runs;
    std::unique_ptr<sim::Run>& run = runs[program];
    if (run == nullptr) {
        Progress progress;
        const auto spec = parseProgramSpec(kPrograms[program]);
        auto trace = std::make_shared<const Trace>(*runProgram(*spec, progress));
        run = std::make_unique<sim::Run>(std::move(trace), *parseGeometry("32K/8/64, 1M/16/64"));
        run->build(progress);
    }
    return *run;
}

Range all(const sim::Run& run) {
    return {Tick{0}, Tick{run.trace().size()}};
}

void rate(benchmark::State& state, const sim::Run& run) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(run.trace().size()));
    state.SetLabel(kPrograms[state.range(0)]);
}

void played(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    for (auto _ : state) {
        Progress progress;
        Simulator machine = run.stateAt(Tick{0});
        replay(run.trace(), machine, all(run), progress);
        benchmark::DoNotOptimize(machine.played());
    }
    rate(state, run);
}
BENCHMARK(played)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void ledger(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    // Not the whole, whose ledger the run has.
    const Range half{Tick{0}, Tick{run.trace().size() / 2}};
    for (auto _ : state) {
        Progress progress;
        benchmark::DoNotOptimize(run.between(half, progress)->counters.reads);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(half.size()));
    state.SetLabel(kPrograms[state.range(0)]);
}
BENCHMARK(ledger)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

/// Two passes, and trials.
void why(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    for (auto _ : state) {
        Progress progress;
        benchmark::DoNotOptimize(whyOf(run.sharedTrace(), run.machine(), {}, progress)->lost);
    }
    rate(state, run);
}
BENCHMARK(why)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void builtRuns(benchmark::State& state) {
    const sim::Run& known = runOf(state.range(0));
    for (auto _ : state) {
        sim::Run run(known.sharedTrace(), known.machine());
        Progress progress;
        run.build(progress);
        benchmark::DoNotOptimize(run.built());
    }
    rate(state, known);
}
BENCHMARK(builtRuns)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void cellTables(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    for (auto _ : state) {
        Progress progress;
        const auto cells =
            cellsOf(run, {.range = all(run), .grain = static_cast<std::uint64_t>(state.range(1))}, progress);
        state.counters["cells"] = static_cast<double>(cells->size());
        state.counters["MB"] = static_cast<double>(cells->bytes()) / 1e6;
    }
    rate(state, run);
}
BENCHMARK(cellTables)->ArgsProduct({{0, 1, 2}, {4, 64, 4096}})->Unit(benchmark::kMillisecond);

void sampledCellTables(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    for (auto _ : state) {
        Progress progress;
        const auto cells = cellsOf(run, {.range = all(run), .grain = 64, .sample = 2'000'000}, progress);
        state.counters["share"] = cells->share();
    }
    state.SetLabel(kPrograms[state.range(0)]);
}
BENCHMARK(sampledCellTables)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

void cacheCellTables(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    for (auto _ : state) {
        Progress progress;
        const auto cells =
            cacheCellsOf(run, {.range = all(run), .level = static_cast<std::size_t>(state.range(1))}, progress);
        benchmark::DoNotOptimize(cells->bytes());
    }
    rate(state, run);
}
BENCHMARK(cacheCellTables)->ArgsProduct({{0, 1, 2}, {0, 1}})->Unit(benchmark::kMillisecond);

void placeHistories(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    const Region& region = run.trace().regions().front();
    const Place places[] = {{.from = ByteAddress{region.base.value + region.size / 2}, .bytes = 64},
                            {.kind = Place::Kind::cache, .level = 1, .set = SetIndex{3}}};
    for (auto _ : state) {
        Progress progress;
        const auto history = placeHistoryOf(run, places[state.range(1)], all(run), progress);
        state.counters["accesses"] = static_cast<double>(history->accesses.size());
    }
    rate(state, run);
}
BENCHMARK(placeHistories)->ArgsProduct({{0, 1, 2}, {0, 1}})->Unit(benchmark::kMillisecond);

void causes(benchmark::State& state) {
    const sim::Run& run = runOf(state.range(0));
    const Region& region = run.trace().regions().front();
    for (auto _ : state) {
        Progress progress;
        const auto found = causesOf(run, all(run), 0, region.base, region.size, 4096, progress);
        benchmark::DoNotOptimize(found->others);
    }
    rate(state, run);
}
BENCHMARK(causes)->DenseRange(0, 2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace whorl::sim
