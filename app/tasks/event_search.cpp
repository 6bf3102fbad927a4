#include "app/tasks/event_search.h"

#include <algorithm>
#include <iterator>

#include "sim/replay/snapshot_reader.h"

namespace whorl::app {

namespace {

using QueryKind = sim::EventQuery::Kind;

std::optional<sim::Tick> nearest(const sim::Run& run, const sim::EventQuery& query, const Search& search,
                                 sim::Progress& progress) {
    if (search.from) return findEvent(run, query, *search.from, search.direction, progress);
    if (search.direction == sim::Direction::backward) return std::nullopt;
    if (query.kind != QueryKind::mark) {
        // The tick before the first; it wraps around.
        return findEvent(run, query, sim::Tick{~std::uint64_t{0}}, search.direction, progress);
    }
    const auto& marks = run.trace().marks();
    const bool atOnce = std::any_of(marks.begin(), marks.end(), [](const sim::Mark& m) { return m.at.value == 0; });
    if (atOnce && run.built().value > 0) return sim::Tick{0};
    return findEvent(run, query, sim::Tick{0}, search.direction, progress);
}

bool isIn(const sim::Event& e, const std::vector<sim::EventQuery>& queries) {
    return std::any_of(queries.begin(), queries.end(), [&](const sim::EventQuery& q) {
        switch (q.kind) {
            case QueryKind::miss:
                return e.kind == sim::EventKind::miss && e.level == 0;
            case QueryKind::eviction:
            case QueryKind::conflict:
                return e.kind == sim::EventKind::eviction || e.kind == sim::EventKind::invalidation;
            case QueryKind::transfer:
            case QueryKind::pageFault:
            case QueryKind::fill:
                return e.kind == sim::EventKind::fill;
            case QueryKind::access:
                return e.demand && (e.kind == sim::EventKind::hit || e.kind == sim::EventKind::miss);
            case QueryKind::mark:
                break;
        }
        return false;
    });
}

/// The CPU whose caches show the event: the one currently shown if its caches do, else the one that made the access if
/// its caches do, else one whose cache was affected.
std::uint32_t witness(const std::shared_ptr<const sim::Run>& run, const Search& search, sim::Tick tick) {
    const sim::MachineConfig& machine = run->machine();
    if (machine.cpus == 1) return 0;
    sim::SnapshotReader reader(run);
    const sim::Snapshot snapshot = reader.at(static_cast<double>(tick.value + 1), {.steps = 1});
    const sim::Step& step = *snapshot.current();
    std::vector<sim::Event> struck;
    std::copy_if(step.events.begin(), step.events.end(), std::back_inserter(struck), [&](const sim::Event& e) {
        if (!isIn(e, search.queries)) return false;
        const auto& address = search.queries.front().address;
        return !address || address->value / machine.levels[e.level].block == e.block.value;
    });
    const auto sees = [&](std::uint32_t cpu) {
        return std::any_of(struck.begin(), struck.end(),
                           [&](const sim::Event& e) { return e.cache == machine.cacheOf(e.level, cpu); });
    };
    if (struck.empty() || sees(step.access.cpu)) {
        return !struck.empty() && sees(search.cpu) ? search.cpu : std::uint32_t{step.access.cpu};
    }
    if (sees(search.cpu)) return search.cpu;
    return machine.firstCpu(struck.front().level, struck.front().cache);
}

}  // namespace

std::optional<SearchHit> findNearest(const std::shared_ptr<const sim::Run>& run, const Search& search,
                                     sim::Progress& progress) {
    std::optional<sim::Tick> best;
    for (const sim::EventQuery& query : search.queries) {
        const auto found = nearest(*run, query, search, progress);
        if (progress.cancelled()) return std::nullopt;
        if (!found) continue;
        const bool isNearer = !best || (search.direction == sim::Direction::forward ? *found < *best : *found > *best);
        if (isNearer) best = found;
    }
    if (!best) return std::nullopt;
    return SearchHit{*best, witness(run, search, *best)};
}

}  // namespace whorl::app
