#include "app/session/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"

#include "sim/replay/snapshot_reader.h"

namespace whorl::app {

namespace {

using Kind = sim::EventQuery::Kind;

/// The region whose misses are looked for: that of the block that is ringed, or else the one that is chosen.
std::optional<std::uint32_t> regionOfInterest(const Session& s) {
    const sim::Trace& trace = s.opened.run->trace();
    if (const auto byte = s.marked()) {
        // A block can begin before its region does.
        const std::uint64_t block = s.opened.run->machine().levels[0].block;
        return sim::regionOfBlock(trace, *byte, block);
    }
    return s.region;
}

/// The pairs that the region belongs to, as far as they throw each other out at all.
std::vector<sim::EventQuery> conflictsOf(const sim::Run& run, std::uint32_t region) {
    std::vector<sim::EventQuery> out;
    const auto add = [&](std::uint32_t culprit, std::uint32_t victim) {
        const sim::EventQuery query{.kind = Kind::conflict, .region = culprit, .victim = victim};
        const auto same = [&](const sim::EventQuery& q) { return q.region == culprit && q.victim == victim; };
        if (culprit != victim && std::none_of(out.begin(), out.end(), same)) out.push_back(query);
    };
    const auto measures = run.measures();
    if (measures) {
        for (const auto& [conflict, count] : measures->ledger.regionConflicts) {
            if (conflict.culprit == region || conflict.victim == region) add(conflict.culprit, conflict.victim);
        }
        return out;
    }
    for (std::uint32_t other = 0; other <= run.trace().regions().size(); ++other) {
        add(region, other);
        add(other, region);
    }
    return out;
}

std::vector<sim::EventQuery> quarriesFor(const Session& s, SearchKind searchKind) {
    switch (searchKind) {
        case SearchKind::miss:
            return {{.kind = Kind::miss}};
        case SearchKind::regionMiss:
            return {{.kind = Kind::miss, .region = regionOfInterest(s)}};
        case SearchKind::eviction:
            return {{.kind = Kind::eviction, .address = s.marked()}};
        case SearchKind::conflict:
            if (!s.pair) return conflictsOf(*s.opened.run, *s.region);
            return {{.kind = Kind::conflict, .region = s.pair->culprit, .victim = s.pair->victim}};
        case SearchKind::transfer:
            return {{.kind = Kind::transfer}};
        case SearchKind::mark:
            return {{.kind = Kind::mark}};
    }
    return {};
}

std::optional<sim::Tick> nearest(const sim::Run& run, const sim::EventQuery& query, const Search& search,
                                 sim::Progress& progress) {
    if (search.from) return run.find(query, *search.from, search.way, progress);
    if (search.way == sim::Way::backward) return std::nullopt;
    if (query.kind != Kind::mark) {
        // The number before the first.
        return run.find(query, sim::Tick{~std::uint64_t{0}}, search.way, progress);
    }
    const auto& marks = run.trace().marks();
    const bool atOnce = std::any_of(marks.begin(), marks.end(), [](const sim::Mark& m) { return m.at.value == 0; });
    if (atOnce && run.built().value > 0) return sim::Tick{0};
    return run.find(query, sim::Tick{0}, search.way, progress);
}

bool isIn(const sim::Event& e, const std::vector<sim::EventQuery>& quarries) {
    return std::any_of(quarries.begin(), quarries.end(), [&](const sim::EventQuery& q) {
        switch (q.kind) {
            case Kind::miss:
                return e.kind == sim::EventKind::miss && e.level == 0;
            case Kind::eviction:
            case Kind::conflict:
                return e.kind == sim::EventKind::eviction || e.kind == sim::EventKind::invalidation;
            case Kind::transfer:
            case Kind::mark:
                break;
        }
        return false;
    });
}

/// Whose caches show it: those that are looked at, if they do; else those of the CPU whose access it is, if they do;
/// else those of a CPU whose cache was struck.
std::uint32_t witness(const std::shared_ptr<const sim::Run>& run, const Search& search, sim::Tick tick) {
    const sim::MachineConfig& machine = run->machine();
    if (machine.cpus == 1) return 0;
    sim::SnapshotReader reader(run);
    const sim::Snapshot snapshot = reader.at(static_cast<double>(tick.value + 1), {.steps = 1});
    const sim::Step& step = *snapshot.current();
    std::vector<sim::Event> struck;
    std::copy_if(step.events.begin(), step.events.end(), std::back_inserter(struck), [&](const sim::Event& e) {
        const bool isTheBlock = !search.quarries.front().address ||
                                search.quarries.front().address->value / machine.levels[e.level].block == e.block.value;
        return isIn(e, search.quarries) && isTheBlock;
    });
    const auto sees = [&](std::uint32_t cpu) {
        return std::any_of(struck.begin(), struck.end(),
                           [&](const sim::Event& e) { return e.cache == machine.cacheOf(e.level, cpu); });
    };
    if (struck.empty() || sees(step.access.cpu)) {
        return !struck.empty() && sees(search.cpu) ? search.cpu : std::uint32_t{step.access.cpu};
    }
    if (sees(search.cpu)) return search.cpu;
    return machine.levels[struck.front().level].sharedBy * struck.front().cache;
}

}  // namespace

std::string regionName(const sim::Trace& trace, std::uint32_t region) {
    return region < trace.regions().size() ? trace.regions()[region].name : "elsewhere";
}

sim::Expected<std::string> wordsFor(const Session& s, SearchKind searchKind) {
    const sim::Trace& trace = s.opened.run->trace();
    switch (searchKind) {
        case SearchKind::miss:
            return "miss";
        case SearchKind::regionMiss:
            if (const auto region = regionOfInterest(s)) return "miss in " + regionName(trace, *region);
            return sim::fail("", "no region is chosen", "click a block, or a region in the list");
        case SearchKind::eviction: {
            if (!s.marked()) return sim::fail("", "no block is chosen", "click one");
            const double begun = std::ceil(s.player.position());
            const sim::Tick now{begun > 0 ? static_cast<std::uint64_t>(begun) - 1 : 0};
            return "eviction of " + trace.placeOf(*s.marked(), now);
        }
        case SearchKind::conflict:
            if (s.pair) {
                return fmt::format("eviction of {} by {}", regionName(trace, s.pair->victim),
                                   regionName(trace, s.pair->culprit));
            }
            if (s.region) return fmt::format("conflict of {} with another", regionName(trace, *s.region));
            return sim::fail("", "no region is chosen", "click one, or two that throw each other out, in the lists");
        case SearchKind::transfer:
            return "transfer between CPUs";
        case SearchKind::mark:
            return "mark";
    }
    return "";
}

sim::Expected<Search> searchFor(const Session& s, SearchKind searchKind, sim::Way way) {
    auto words = wordsFor(s, searchKind);
    if (!words) return tl::unexpected(words.error());
    Search search{.quarries = quarriesFor(s, searchKind),
                  .way = way,
                  .from = {},
                  .cpu = s.cpu.value_or(0),
                  .words = *std::move(words)};
    if (const auto current = s.player.current()) search.from = sim::Tick{*current};
    return search;
}

std::optional<SearchHit> caught(const std::shared_ptr<const sim::Run>& run, const Search& search,
                                sim::Progress& progress) {
    std::optional<sim::Tick> best;
    for (const sim::EventQuery& query : search.quarries) {
        const auto found = nearest(*run, query, search, progress);
        if (progress.cancelled()) return std::nullopt;
        if (!found) continue;
        const bool isNearer = !best || (search.way == sim::Way::forward ? *found < *best : *found > *best);
        if (isNearer) best = found;
    }
    if (!best) return std::nullopt;
    return SearchHit{*best, witness(run, search, *best)};
}

}  // namespace whorl::app
