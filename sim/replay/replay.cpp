#include "sim/replay/replay.h"

#include <algorithm>

#include "sim/trace/trace_passes.h"

namespace whorl::sim {

namespace {

/// The number of accesses played at a time: their events stay in the processor's cache.
constexpr std::uint64_t kBatch = 2048;

}  // namespace

bool replay(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress) {
    const Observer::Wants wants = observer.wants();
    EventList events;
    if (wants == Observer::Wants::live) events = EventList([&](const Event& e) { observer.hear(e); });
    if (wants == Observer::Wants::hitsApart) events.separateHits();
    const bool oneByOne = wants == Observer::Wants::oneByOne || wants == Observer::Wants::live;
    const auto mostFrom = [&](Tick t) { return std::min(kBatch, observer.nextStop().value - t.value); };
    return forEachBatch(trace, range, mostFrom, progress, [&](Tick first, std::span<const PackedAccess> accesses) {
        if (!oneByOne) {
            events.clear();
            machine.play(accesses, &events);
            observer.take({.first = first, .accesses = accesses, .events = events, .after = machine});
            return;
        }
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            events.clear();
            machine.playOne(accesses[i], events);
            observer.take({.first = Tick{first.value + i},
                           .accesses = accesses.subspan(i, 1),
                           .events = events,
                           .after = machine});
        }
    });
}

bool replay(const Trace& trace, Simulator& machine, Range range, Progress& progress) {
    const auto wholeChunks = [](Tick) { return Trace::kChunk; };
    return forEachBatch(trace, range, wholeChunks, progress,
                        [&](Tick, std::span<const PackedAccess> accesses) { machine.play(accesses, nullptr); });
}

}  // namespace whorl::sim
