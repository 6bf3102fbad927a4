// What each way to play an access is worth, on real traces and on the machines of assets/machines: the general one
// (Walk), hits in the nearest level without a walk (Hierarchy::hitNearest), and simple machines by the hot loop in its
// two forms. All play the same accesses, so their times are comparable.
//
// WHORL_TRACES names a folder with traces; without it only built-in programs are played. To repeat the table:
//   valgrind --tool=lackey --trace-mem=yes --log-file=sort.lackey sort file
//   WHORL_TRACES=folder bench_ways --benchmark_repetitions=5 --benchmark_enable_random_interleaving
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "sim/base/processor.h"
#include "sim/cache/simple_loop.h"
#include "sim/programs/program.h"
#include "sim/replay/simulator.h"
#include "sim/trace/reader.h"

namespace whorl::sim {
namespace {

using Accesses = std::vector<PackedAccess>;

/// Enough to make the cost of the first touch of the caches negligible.
constexpr std::size_t kMax = 2'000'000;

Accesses accessesOf(const Trace& trace) {
    Accesses out;
    trace.forEach(Tick{0}, Tick{std::min<std::uint64_t>(kMax, trace.size())},
                  [&](Tick, const Access& a) { out.emplace_back(a); });
    return out;
}

const std::map<std::string, Accesses>& traces() {
    static const std::map<std::string, Accesses> once = [] {
        std::map<std::string, Accesses> out;
        Progress progress;
        for (const char* program : {"mergesort:n=60000", "matmul:n=80", "windtunnel:particles=2000,steps=2"}) {
            const auto trace =
                parseProgramSpec(program).and_then([&](const ProgramSpec& s) { return runProgram(s, progress); });
            if (trace) out[std::string(program).substr(0, std::string_view(program).find(':'))] = accessesOf(*trace);
        }
        if (const char* folder = std::getenv("WHORL_TRACES"); folder != nullptr) {
            for (const auto& file : std::filesystem::directory_iterator(folder)) {
                const auto trace = readTrace(file.path().string(), {}, progress);
                if (trace) out[file.path().stem().string()] = accessesOf(*trace);
            }
        }
        return out;
    }();
    return once;
}

/// Plays as Simulator::step does, with or without the shortcut for hits.
template <bool kQuickHits>
class General {
  public:
    explicit General(const MachineConfig& machine)
        : hierarchy_(machine), counters_(machine), clocks_(machine.cpus, 0) {}

    void play(const Accesses& accesses) {
        for (const PackedAccess& a : accesses) {
            if (kQuickHits && hit(a)) continue;
            events_.clear();
            const Access access = a.unpack();
            hierarchy_.access(access, events_);
            counters_.count(access);
            for (const Event& e : events_) {
                counters_.count(e);
                clocks_[access.cpu] += costOf(e, hierarchy_.machine());
            }
        }
        benchmark::DoNotOptimize(counters_.memory.reads);
    }

  private:
    bool hit(const PackedAccess& a) {
        if (hierarchy_.hitNearest(a) == Cache::kNoWay) return false;
        ++(a.isWrite() ? counters_.writes : counters_.reads);
        CacheCounters& counters = counters_.cache(0, hierarchy_.machine().cacheOf(0, a.cpu()));
        ++(a.isWrite() ? counters.writes : counters.reads);
        clocks_[a.cpu()] += hierarchy_.machine().levels[0].latency;
        return true;
    }

    Hierarchy hierarchy_;
    Counters counters_;
    std::vector<Cycles> clocks_;
    EventList events_;
};

template <std::size_t (*kPlay)(SimpleRun&, const PackedAccess*, std::size_t)>
class Simple {
  public:
    explicit Simple(const MachineConfig& machine) : hierarchy_(machine) {}

    void play(const Accesses& accesses) {
        SimpleRun run(hierarchy_);
        benchmark::DoNotOptimize(kPlay(run, accesses.data(), accesses.size()));
    }

  private:
    Hierarchy hierarchy_;
};

/// The machine keeps the state of the last iteration: what is measured is playing, not empty caches.
template <class Way>
void add(const std::string& way, const std::string& machineName, const MachineConfig& machine,
         const std::string& traceName, const Accesses& accesses) {
    benchmark::RegisterBenchmark((machineName + "/" + traceName + "/" + way).c_str(), [=, &accesses](
                                                                                          benchmark::State& state) {
        Way player(machine);
        for (auto _ : state) player.play(accesses);
        state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) *
                                static_cast<std::int64_t>(accesses.size()));
    })->Unit(benchmark::kMillisecond);
}

/// Every way that can play a machine.
void addAll() {
    std::map<std::string, MachineConfig> machines;
    for (const std::string& name : presetNames()) machines[name] = loadMachine(name).value();
    // Neither plain nor simple, yet most hits concern only the nearest level.
    machines["default_plru"] = withValue(machines["default"], "*.policy=plru").value();
    for (const auto& [name, preset] : machines) {
        for (const auto& [traceName, accesses] : traces()) {
            std::uint32_t cpus = 1;
            for (const PackedAccess& a : accesses) cpus = std::max<std::uint32_t>(cpus, a.cpu() + 1u);
            const MachineConfig machine = withCpus(preset, cpus);
            const Hierarchy hierarchy(machine);
            add<General<false>>("general", name, machine, traceName, accesses);
            add<General<true>>("quick_hits", name, machine, traceName, accesses);
            if (!hierarchy.isSimple()) continue;
            add<Simple<playSimplePortably>>("simple", name, machine, traceName, accesses);
            if (hasAvx2()) add<Simple<playSimpleByAvx2>>("simple_avx2", name, machine, traceName, accesses);
        }
    }
}

const bool kAdded = (addAll(), true);

}  // namespace
}  // namespace whorl::sim
