#include "sim/replay/replay.h"

#include <algorithm>
#include <optional>
#include <vector>

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

/// The fewest accesses that are worth starting a thread.
constexpr std::uint64_t kFewestInThreads = 2 * Trace::kChunk;

/// A batch as one thread hands it over to another.
struct PlayedBatch {
    Tick first;
    std::vector<PackedAccess> accesses;
    EventList events;
    std::optional<MachineSums> after;
};

/// Consecutive batches: enough that handing them over costs nothing, and few enough that they stay in the processor's
/// cache.
class PlayedBatches {
  public:
    void clear() { count_ = size_ = 0; }
    void add(Tick first, std::span<const PackedAccess> accesses, const EventList& events, const MachineSums& after) {
        if (count_ == batches_.size()) batches_.emplace_back();
        PlayedBatch& batch = batches_[count_++];
        batch.first = first;
        batch.accesses.assign(accesses.begin(), accesses.end());
        batch.events.assign(events);
        batch.after = after;
        size_ += accesses.size() + events.size();
    }
    bool isFull() const { return size_ >= kMost; }
    std::span<const PlayedBatch> all() const { return std::span(batches_).first(count_); }

  private:
    static constexpr std::size_t kMost = 16384;  ///< accesses and events

    std::vector<PlayedBatch> batches_;  ///< those from count_ on are memory for others
    std::size_t count_ = 0;
    std::size_t size_ = 0;
};

bool replayAhead(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress,
                 const ThreadRunner& threads) {
    constexpr std::size_t kAhead = 16;
    AsMachineSees seen(trace, machine.machine());
    const auto mostFrom = [&](Tick t) { return std::min(kBatch, observer.nextStop(t).value - t.value); };
    bool isWhole = false;
    const auto play = [&](Handover<PlayedBatches>& to) {
        EventList events;
        if (observer.wants() == Observer::Wants::hitsApart) events.separateHits();
        PlayedBatches* batches = nullptr;
        const auto playBatch = [&](Tick first, std::span<const PackedAccess> accesses) {
            if (batches == nullptr) {
                batches = to.next();
                if (batches == nullptr) return;
                batches->clear();
            }
            events.clear();
            machine.play(seen(accesses), &events);
            observer.watch(machine, events);
            batches->add(first, accesses, events, machine.sums());
            if (!batches->isFull()) return;
            to.give();
            batches = nullptr;
        };
        isWhole = forEachBatch(trace, range, mostFrom, progress, playBatch);
        if (batches != nullptr) to.give();
    };
    inTwoThreads<PlayedBatches>(threads, kAhead, play, [&](const PlayedBatches& batches) {
        for (const PlayedBatch& b : batches.all()) {
            observer.take(
                {.first = b.first, .accesses = b.accesses, .events = b.events, .after = *b.after, .machine = machine});
        }
    });
    return isWhole;
}

}  // namespace

bool replay(const Trace& trace, Simulator& machine, Range range, Observer& observer, Progress& progress,
            const ThreadRunner& threads) {
    const Observer::Wants wants = observer.wants();
    const bool oneByOne = wants == Observer::Wants::oneByOne || wants == Observer::Wants::live;
    if (threads && !oneByOne && range.size() >= kFewestInThreads) {
        return replayAhead(trace, machine, range, observer, progress, threads);
    }
    EventList events;
    if (wants == Observer::Wants::live) events = EventList([&](const Event& e) { observer.hear(e); });
    if (wants == Observer::Wants::hitsApart) events.separateHits();
    AsMachineSees seen(trace, machine.machine());
    const auto mostFrom = [&](Tick t) { return std::min(kBatch, observer.nextStop(t).value - t.value); };
    const auto give = [&](Tick first, std::span<const PackedAccess> accesses) {
        observer.watch(machine, events);
        observer.take(
            {.first = first, .accesses = accesses, .events = events, .after = machine.sums(), .machine = machine});
    };
    return forEachBatch(trace, range, mostFrom, progress, [&](Tick first, std::span<const PackedAccess> accesses) {
        if (!oneByOne) {
            events.clear();
            machine.play(seen(accesses), &events);
            give(first, accesses);
            return;
        }
        const auto played = seen(accesses);
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            events.clear();
            machine.playOne(played[i], events);
            give(Tick{first.value + i}, accesses.subspan(i, 1));
        }
    });
}

bool replay(const Trace& trace, Simulator& machine, Range range, Progress& progress, const ThreadRunner& threads) {
    AsMachineSees seen(trace, machine.machine());
    return forEachChunk(trace, range, progress, threads,
                        [&](Tick, std::span<const PackedAccess> accesses) { machine.play(seen(accesses), nullptr); });
}

}  // namespace whorl::sim
