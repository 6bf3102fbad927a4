// What the OPT policy needs: for each request of a cache, when the same block is requested next.
#include <algorithm>
#include <unordered_map>

#include "sim/replay/replay.h"
#include "sim/replay/simulator.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

namespace {

constexpr std::uint32_t kNever = ~std::uint32_t{0};

/// For each request, the index of the next one for the same block.
NextRequests nextRequests(const std::vector<BlockAddress>& requests) {
    NextRequests next(requests.size(), kNever);
    std::unordered_map<BlockAddress, std::uint32_t> soonest;
    for (std::size_t i = requests.size(); i-- > 0;) {
        const auto [entry, isNew] = soonest.try_emplace(requests[i], kNever);
        next[i] = entry->second;
        entry->second = static_cast<std::uint32_t>(i);
    }
    return next;
}

}  // namespace

/// Computed level by level from the nearest: what reaches a level depends only on the nearer ones, since a machine with
/// OPT at a farther level is sound only if that is so.
std::optional<Future> futureOf(const MachineConfig& machine, const Trace& trace, Progress& progress) {
    const auto isOpt = [](const LevelConfig& l) { return l.policy == Policy::opt; };
    progress.start(trace.size() *
                   static_cast<std::uint64_t>(std::count_if(machine.levels.begin(), machine.levels.end(), isOpt)));
    Future future;
    for (std::size_t level = 0; level < machine.levels.size(); ++level) {
        if (!isOpt(machine.levels[level])) continue;
        Simulator simulator(machine, future);
        std::vector<std::vector<BlockAddress>> requests(machine.caches(level));
        CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
            for (const Event& e : batch.events) {
                const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
                if (asks && e.level == level) requests[e.cache].push_back(e.block);
            }
        });
        if (!replay(trace, simulator, {Tick{0}, Tick{trace.size()}}, observer, progress)) return std::nullopt;
        future.resize(simulator.hierarchy().cacheCount());
        for (std::uint32_t i = 0; i < machine.caches(level); ++i) {
            future[simulator.hierarchy().cacheIndex(level, i)] =
                std::make_shared<const NextRequests>(nextRequests(requests[i]));
        }
    }
    return future;
}

}  // namespace whorl::sim
