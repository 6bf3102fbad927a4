#include "app/session/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"

namespace whorl::app {

namespace {

using QueryKind = sim::EventQuery::Kind;

/// The region whose misses are searched for: that of the selected block, else the selected region.
std::optional<std::uint32_t> regionOfInterest(const Session& s) {
    const sim::Trace& trace = s.opened.run->trace();
    if (const auto byte = s.marked()) {
        // A block can start before its region.
        const std::uint64_t block = s.opened.run->machine().levels[0].block;
        return sim::regionOfBlock(trace, *byte, block);
    }
    return s.region;
}

/// The pairs that contain the region; if the conflicts are already counted, only pairs that do conflict.
std::vector<sim::EventQuery> conflictsOf(const sim::Run& run, std::uint32_t region) {
    std::vector<sim::EventQuery> out;
    const auto add = [&](std::uint32_t evictor, std::uint32_t victim) {
        const sim::EventQuery query{.kind = QueryKind::conflict, .region = evictor, .victim = victim};
        const auto same = [&](const sim::EventQuery& q) { return q.region == evictor && q.victim == victim; };
        if (evictor != victim && std::none_of(out.begin(), out.end(), same)) out.push_back(query);
    };
    const auto measures = run.measures();
    if (measures) {
        for (const auto& [conflict, count] : measures->ledger->regionConflicts) {
            if (conflict.evictor == region || conflict.victim == region) add(conflict.evictor, conflict.victim);
        }
        return out;
    }
    for (std::uint32_t other = 0; other <= run.trace().regions().size(); ++other) {
        add(region, other);
        add(other, region);
    }
    return out;
}

/// What happens to any of the watched blocks.
std::vector<sim::EventQuery> ofWatched(const Session& s, QueryKind kind) {
    std::vector<sim::EventQuery> out;
    for (const sim::ByteAddress byte : s.watched) out.push_back({.kind = kind, .address = byte});
    return out;
}

std::vector<sim::EventQuery> queriesFor(const Session& s, SearchKind searchKind) {
    switch (searchKind) {
        case SearchKind::miss:
            return {{.kind = QueryKind::miss}};
        case SearchKind::regionMiss:
            return {{.kind = QueryKind::miss, .region = regionOfInterest(s)}};
        case SearchKind::eviction:
            return {{.kind = QueryKind::eviction, .address = s.marked()}};
        case SearchKind::conflict:
            if (!s.pair) return conflictsOf(*s.opened.run, *s.region);
            return {{.kind = QueryKind::conflict, .region = s.pair->evictor, .victim = s.pair->victim}};
        case SearchKind::transfer:
            return {{.kind = QueryKind::transfer}};
        case SearchKind::pageFault:
            return {{.kind = QueryKind::pageFault}};
        case SearchKind::mark:
            return {{.kind = QueryKind::mark}};
        case SearchKind::watchedAccess:
            return ofWatched(s, QueryKind::access);
        case SearchKind::watchedFill:
            return ofWatched(s, QueryKind::fill);
        case SearchKind::watchedLoss:
            return ofWatched(s, QueryKind::eviction);
    }
    return {};
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
            return sim::fail("", "no region is selected", "click a block, or a region in the list");
        case SearchKind::eviction: {
            if (!s.marked()) return sim::fail("", "no block is selected", "click one");
            const double begun = std::ceil(s.player.position());
            const sim::Tick now{begun > 0 ? static_cast<std::uint64_t>(begun) - 1 : 0};
            return "eviction of " + trace.placeOf(*s.marked(), now);
        }
        case SearchKind::conflict:
            if (s.pair) {
                return fmt::format("eviction of {} by {}", regionName(trace, s.pair->victim),
                                   regionName(trace, s.pair->evictor));
            }
            if (s.region) return fmt::format("conflict of {} with another", regionName(trace, *s.region));
            return sim::fail("", "no region is selected",
                             "click one region, or a pair of conflicting regions, in the lists");
        case SearchKind::transfer:
            return "transfer between CPUs";
        case SearchKind::pageFault:
            return "page fault";
        case SearchKind::mark:
            return "mark";
        case SearchKind::watchedAccess:
        case SearchKind::watchedFill:
        case SearchKind::watchedLoss: {
            if (s.watched.empty()) return sim::fail("", "no block is watched", "click one, and press w");
            const char* const what = searchKind == SearchKind::watchedAccess ? "access to"
                                     : searchKind == SearchKind::watchedFill ? "fill of"
                                                                             : "loss of";
            return std::string(what) + " a watched block";
        }
    }
    return "";
}

sim::Expected<Search> searchFor(const Session& s, SearchKind searchKind, sim::Direction direction) {
    auto words = wordsFor(s, searchKind);
    if (!words) return tl::unexpected(words.error());
    Search search{.queries = queriesFor(s, searchKind),
                  .direction = direction,
                  .from = {},
                  .cpu = s.cpu.value_or(0),
                  .words = *std::move(words)};
    if (const auto current = s.player.current()) search.from = sim::Tick{*current};
    return search;
}

}  // namespace whorl::app
