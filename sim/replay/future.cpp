// Computes the future that the OPT policy needs: for each request of a cache, the next request for the same block.
#include <algorithm>
#include <bit>
#include <unordered_map>
#include <utility>

#include "sim/replay/foreign_writes.h"
#include "sim/replay/replay.h"
#include "sim/replay/simulator.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

namespace {

constexpr std::uint32_t kNever = ~std::uint32_t{0};

/// Collects the requests of a cache in order, each with the index of the next one for the same block.
class RequestSequence {
  public:
    void request(BlockAddress block) {
        const auto index = static_cast<std::uint32_t>(next_.size());
        const auto [last, isNew] = last_.try_emplace(block, index);
        if (!isNew) next_[std::exchange(last->second, index)] = index;
        next_.push_back(kNever);
    }
    /// Removes a block because another CPU writes or its page leaves memory: it will be absent at its next request.
    void lose(BlockAddress block) { last_.erase(block); }
    /// Removes `count` blocks, those of a page.
    void loseAll(BlockAddress first, std::uint64_t count) {
        if (last_.size() < count) {
            std::erase_if(last_, [&](const auto& request) { return request.first.value - first.value < count; });
        } else {
            for (std::uint64_t i = 0; i < count; ++i) lose(BlockAddress{first.value + i});
        }
    }

    NextRequests take() { return std::move(next_); }

  private:
    NextRequests next_;
    std::unordered_map<BlockAddress, std::uint32_t> last_;  ///< by block: its last request
};

}  // namespace

/// Proceeds level by level from the nearest: the requests that reach a level depend only on the nearer levels, since a
/// machine with OPT is valid only if that is so. The other CPUs' writes are those of the trace, and the pages that
/// leave memory depend on the trace alone.
std::optional<Future> futureOf(const MachineConfig& machine, const Trace& trace, Progress& progress) {
    const auto isOpt = [](const LevelConfig& l) { return l.policy == Policy::opt; };
    progress.start(trace.size() *
                   static_cast<std::uint64_t>(std::count_if(machine.levels.begin(), machine.levels.end(), isOpt)));
    const ForeignWrites foreignWrites(machine);
    Future future;
    for (std::size_t level = 0; level < machine.levels.size(); ++level) {
        if (!isOpt(machine.levels[level])) continue;
        Simulator simulator(machine, future);
        std::vector<RequestSequence> requests(machine.caches(level));
        const auto lose = [&](std::size_t l, std::uint64_t caches, BlockAddress first, BlockAddress last) {
            if (l != level) return;
            for (; caches != 0; caches &= caches - 1) {
                RequestSequence& of = requests[static_cast<std::size_t>(std::countr_zero(caches))];
                for (BlockAddress b = first; b.value - first.value <= last.value - first.value; ++b) of.lose(b);
            }
        };
        const auto losePage = [&](BlockAddress page) {
            const std::uint64_t blocks = machine.memory.page / machine.levels[level].block;
            for (RequestSequence& of : requests) of.loseAll(BlockAddress{page.value * blocks}, blocks);
        };
        CallingObserver observer(Observer::Wants::events, [&](const Batch& batch) {
            batch.forEach([&](Tick, const PackedAccess& access, std::span<const Event> events) {
                for (const Event& e : events) {
                    const bool asks = e.kind == EventKind::hit || e.kind == EventKind::miss;
                    if (asks && e.level == level) requests[e.cache].request(e.block);
                    if (e.kind == EventKind::pageOut) losePage(e.block);
                }
                if (access.isWrite()) foreignWrites.forEach(access.unpack(), lose);
            });
        });
        if (!replay(trace, simulator, {Tick{0}, Tick{trace.size()}}, observer, progress)) return std::nullopt;
        future.resize(simulator.hierarchy().cacheCount());
        for (std::uint32_t i = 0; i < machine.caches(level); ++i) {
            future[simulator.hierarchy().cacheIndex(level, i)] =
                std::make_shared<const NextRequests>(requests[i].take());
        }
    }
    return future;
}

}  // namespace whorl::sim
