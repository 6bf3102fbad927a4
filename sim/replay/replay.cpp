#include "sim/replay/replay.h"

#include <algorithm>

#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

/// The number of accesses played at a time: their events stay in the processor's cache.
constexpr std::uint64_t kBatch = 2048;

/// Accesses as a machine sees them: a prefetcher that learns from instructions does not know which calls led to them.
class AsMachineSees {
  public:
    AsMachineSees(const Trace& trace, const MachineConfig& machine)
        : trace_(trace), isSame_(trace.calls().empty() || !machine.learnsFromSites()) {}

    std::span<const PackedAccess> operator()(std::span<const PackedAccess> accesses) {
        if (isSame_) return accesses;
        seen_.assign(accesses.begin(), accesses.end());
        for (PackedAccess& a : seen_)
            a = PackedAccess(a.address(), SiteId{trace_.instructionNumber(a.site())}, a.rest());
        return seen_;
    }

  private:
    const Trace& trace_;
    bool isSame_;
    std::vector<PackedAccess> seen_;
};

}  // namespace

bool replay(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress) {
    const Observer::Wants wants = observer.wants();
    EventList events;
    if (wants == Observer::Wants::live) events = EventList([&](const Event& e) { observer.hear(e); });
    if (wants == Observer::Wants::hitsApart) events.separateHits();
    const bool oneByOne = wants == Observer::Wants::oneByOne || wants == Observer::Wants::live;
    AsMachineSees seen(trace, machine.machine());
    const auto mostFrom = [&](Tick t) { return std::min(kBatch, observer.nextStop().value - t.value); };
    return forEachBatch(trace, range, mostFrom, progress, [&](Tick first, std::span<const PackedAccess> accesses) {
        if (!oneByOne) {
            events.clear();
            machine.play(seen(accesses), &events);
            observer.take({.first = first, .accesses = accesses, .events = events, .after = machine});
            return;
        }
        const auto played = seen(accesses);
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            events.clear();
            machine.playOne(played[i], events);
            observer.take({.first = Tick{first.value + i},
                           .accesses = accesses.subspan(i, 1),
                           .events = events,
                           .after = machine});
        }
    });
}

bool replay(const Trace& trace, Simulator& machine, Range range, Progress& progress) {
    const auto wholeChunks = [](Tick) { return Trace::kChunk; };
    AsMachineSees seen(trace, machine.machine());
    return forEachBatch(trace, range, wholeChunks, progress,
                        [&](Tick, std::span<const PackedAccess> accesses) { machine.play(seen(accesses), nullptr); });
}

}  // namespace whorl::sim
