#include "app/commands/searching.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace whorl::app {

namespace {

using QueryKind = sim::EventQuery::Kind;

/// The region whose misses are searched for: that of the selected block, else the selected region.
std::optional<std::uint32_t> regionOfInterest(const Session& s) {
    const sim::Trace& trace = s.opened.run->trace();
    if (const auto byte = s.marked()) {
        // A block can start before its region.
        const std::uint64_t block = s.opened.run->machine().blockBytes();
        return sim::regionOfBlock(trace, *byte, block);
    }
    return s.region;
}

std::optional<sim::EventQuery::Line> lineOf(const Session& s) {
    if (!s.line) return std::nullopt;
    return sim::EventQuery::Line{s.line->file, s.line->line};
}

/// The function of the selected line; nothing if it is unknown.
std::optional<std::uint32_t> functionOf(const Session& s) {
    const sim::Trace& trace = s.opened.run->trace();
    const auto known = [](std::uint32_t function) { return function == 0 ? std::nullopt : std::optional(function); };
    const auto& source = s.viewSettings.source;
    if (!s.line) return source ? known(trace.site(sim::SiteId{source->site}).function) : std::nullopt;
    const auto isOfLine = [&](const sim::Site& site) {
        return site.function != 0 && site.file == s.line->file && site.line == s.line->line;
    };
    const auto site = std::find_if(trace.sites().begin(), trace.sites().end(), isOfLine);
    return site == trace.sites().end() ? std::nullopt : known(site->function);
}

/// "B[3][0]": the name of the selected place at the playhead.
std::string selectedPlace(const Session& s) {
    const double begun = std::ceil(s.player.position());
    const sim::Tick now{begun > 0 ? static_cast<std::uint64_t>(begun) - 1 : 0};
    return s.opened.run->trace().placeOf(*s.marked(), now);
}

sim::Expected<std::string> wordsForBlock(const Session& s, const std::string& event) {
    if (!s.marked()) return sim::fail("", "no block is selected", "click one");
    return event + " " + selectedPlace(s);
}

sim::Expected<std::string> wordsForRegion(const Session& s, const std::string& event) {
    if (const auto region = regionOfInterest(s)) return event + " " + regionName(s.opened.run->trace(), *region);
    return sim::fail("", "no region is selected", "click a block, or a region in the list");
}

sim::Expected<std::string> wordsForLine(const Session& s, const std::string& event) {
    if (!s.line) return sim::fail("", "no source line is selected", "click one, or look one up with /");
    const std::string& path = s.opened.run->trace().files()[s.line->file].path;
    return fmt::format("{} {}:{}", event, path.substr(path.rfind('/') + 1), s.line->line);
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
        case SearchKind::blockAccess:
            return {{.kind = QueryKind::access, .address = s.marked()}};
        case SearchKind::blockMiss:
            return {{.kind = QueryKind::miss, .address = s.marked()}};
        case SearchKind::regionAccess:
            return {{.kind = QueryKind::access, .region = regionOfInterest(s)}};
        case SearchKind::regionEviction:
            return {{.kind = QueryKind::eviction, .region = regionOfInterest(s)}};
        case SearchKind::lineAccess:
            return {{.kind = QueryKind::access, .line = lineOf(s)}};
        case SearchKind::lineMiss:
            return {{.kind = QueryKind::miss, .line = lineOf(s)}};
        case SearchKind::lineEviction:
            return {{.kind = QueryKind::eviction, .line = lineOf(s)}};
        case SearchKind::functionAccess:
            return {{.kind = QueryKind::access, .function = functionOf(s)}};
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
            return wordsForRegion(s, "miss in");
        case SearchKind::eviction:
            return wordsForBlock(s, "eviction of");
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
        case SearchKind::blockAccess:
            return wordsForBlock(s, "access to");
        case SearchKind::blockMiss:
            return wordsForBlock(s, "miss of");
        case SearchKind::regionAccess:
            return wordsForRegion(s, "access to");
        case SearchKind::regionEviction:
            return wordsForRegion(s, "eviction of");
        case SearchKind::lineAccess:
            return wordsForLine(s, "access by");
        case SearchKind::lineMiss:
            return wordsForLine(s, "miss by");
        case SearchKind::lineEviction:
            return wordsForLine(s, "eviction by");
        case SearchKind::functionAccess:
            if (const auto function = functionOf(s)) return "access by " + trace.functions()[*function] + "()";
            return sim::fail("", "no function is selected", "click one of its lines");
    }
    return "";
}

sim::Expected<Search> searchFor(const Session& s, SearchKind searchKind, sim::Direction direction) {
    auto words = WHORL_TRY(wordsFor(s, searchKind));
    Search search{.queries = queriesFor(s, searchKind),
                  .direction = direction,
                  .from = {},
                  .cpu = s.cpu.value_or(0),
                  .words = std::move(words)};
    if (const auto current = s.player.current()) search.from = sim::Tick{*current};
    return search;
}

}  // namespace whorl::app
