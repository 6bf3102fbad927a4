#include "sim/replay/simulator.h"

#include <algorithm>

#include "sim/cache/simple_counts.h"
#include "sim/cache/simple_loop.h"
#include "sim/cache/stored_state.h"

namespace whorl::sim {

namespace {

/// The list has room for this number of times the maximum number of events of a block: a size that stays in the
/// processor's cache.
constexpr std::size_t kRoom = 4;

}  // namespace

Cycles MachineSums::time() const {
    return *std::max_element(clocks.begin(), clocks.end());
}

Simulator::Simulator(const MachineConfig& machine, const Future& future)
    : hierarchy_(machine, future),
      sums_{.counters = Counters(machine), .clocks = std::vector<Cycles>(machine.cpus, 0)} {}

void Simulator::step(const Access& a, EventList& events) {
    ++sums_.played;
    const std::size_t before = events.size();
    hierarchy_.access(a, events);
    if (a.unrecorded) return;
    sums_.counters.count(a);
    Cycles& clock = sums_.clocks[a.cpu];
    for (std::size_t i = before; i < events.size(); ++i) {
        sums_.counters.count(events[i]);
        clock += costOf(events[i], machine());
    }
}

void Simulator::step(const Access& a) {
    EventList events;
    step(a, events);
}

void Simulator::play(std::span<const PackedAccess> accesses, EventList* events) {
    if (hierarchy_.isSimple() && (events == nullptr || !events->hasListener())) {
        for (std::size_t at = 0; at < accesses.size();) at += playRow(accesses.subspan(at), at, events);
        return;
    }
    EventList own;
    EventList& list = events != nullptr ? *events : own;
    const bool isHeard = list.hasListener();
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        if (events == nullptr) own.clear();
        list.beginAccess(static_cast<std::uint32_t>(i));
        if (!isHeard && hitNearest(accesses[i], events)) continue;
        step(accesses[i].unpack(), list);
    }
}

/// Plays an access that hits one block of the nearest level, with its event if there is a list. Returns false, with
/// nothing done, for any other access.
bool Simulator::hitNearest(const PackedAccess& a, EventList* events) {
    const std::uint32_t way = hierarchy_.hitNearest(a);
    if (way == Cache::kNoWay) return false;
    ++sums_.played;
    if (events != nullptr) events->add(hierarchy_.nearestHit(a, way));
    if (a.unrecorded()) return true;
    ++(a.isWrite() ? sums_.counters.writes : sums_.counters.reads);
    CacheCounters& counters = sums_.counters.cache(0, machine().cacheOf(0, a.cpu()));
    ++(a.isWrite() ? counters.writes : counters.reads);
    sums_.clocks[a.cpu()] += machine().lookUp();
    return true;
}

/// Plays the leading accesses that are all recorded or all unrecorded; returns their number. `first` is the batch index
/// of the first access.
std::size_t Simulator::playRow(std::span<const PackedAccess> row, std::size_t first, EventList* events) {
    SimpleRun run(hierarchy_);
    run.unrecorded = row.front().unrecorded();
    std::span<std::uint32_t> hits;
    if (events != nullptr && events->separatesHits()) {
        hits = events->roomForHits(first + row.size()).subspan(first);
    }
    std::size_t at = 0;
    while (at < row.size() && row[at].unrecorded() == run.unrecorded) {
        if (!hits.empty() && !run.unrecorded) run.hits = hits.data() + at;
        run.firstAccess = static_cast<std::uint32_t>(first + at);
        std::span<Event> room;
        if (events != nullptr) {
            room = events->room(kRoom * run.mostEvents);
            run.next = room.data();
            run.end = room.data() + room.size();
        }
        const std::size_t done = playSimple(run, row.data() + at, row.size() - at);
        if (events != nullptr) events->written(static_cast<std::size_t>(run.next - room.data()));
        if (done == 0) {
            // The access touches so many blocks that the room never suffices for their events.
            if (!hits.empty()) hits[at] = EventList::kNoHit;
            events->beginAccess(run.firstAccess);
            step(row[at].unpack(), *events);
            ++at;
        }
        sums_.played += done;
        at += done;
    }
    if (!run.unrecorded) {
        countSimple(run, machine(), sums_.counters, sums_.clocks[0]);
    } else if (!hits.empty()) {
        // Unrecorded accesses have events for all their hits.
        std::fill_n(hits.begin(), at, EventList::kNoHit);
    }
    return at;
}

bool Simulator::restore(std::string_view state) {
    return StoredState::restore(state, hierarchy_);
}

}  // namespace whorl::sim
