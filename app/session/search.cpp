#include "app/session/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/session.h"

#include "sim/replay/snapshot_reader.h"

namespace whorl::app {

namespace {

using Kind = sim::Quarry::Kind;

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
std::vector<sim::Quarry> conflictsOf(const sim::Run& run, std::uint32_t region) {
    std::vector<sim::Quarry> out;
    const auto add = [&](std::uint32_t culprit, std::uint32_t victim) {
        const sim::Quarry quarry{.kind = Kind::conflict, .region = culprit, .victim = victim};
        const auto same = [&](const sim::Quarry& q) { return q.region == culprit && q.victim == victim; };
        if (culprit != victim && std::none_of(out.begin(), out.end(), same)) out.push_back(quarry);
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

std::vector<sim::Quarry> quarriesFor(const Session& s, Prey prey) {
    switch (prey) {
        case Prey::miss:
            return {{.kind = Kind::miss}};
        case Prey::regionMiss:
            return {{.kind = Kind::miss, .region = regionOfInterest(s)}};
        case Prey::eviction:
            return {{.kind = Kind::eviction, .address = s.marked()}};
        case Prey::conflict:
            if (!s.pair) return conflictsOf(*s.opened.run, *s.region);
            return {{.kind = Kind::conflict, .region = s.pair->culprit, .victim = s.pair->victim}};
        case Prey::transfer:
            return {{.kind = Kind::transfer}};
        case Prey::mark:
            return {{.kind = Kind::mark}};
    }
    return {};
}

std::optional<sim::Tick> nearest(const sim::Run& run, const sim::Quarry& quarry, const Hunt& hunt,
                                 sim::Progress& progress) {
    if (hunt.from) return run.find(quarry, *hunt.from, hunt.way, progress);
    if (hunt.way == sim::Way::backward) return std::nullopt;
    if (quarry.kind != Kind::mark) {
        // The number before the first.
        return run.find(quarry, sim::Tick{~std::uint64_t{0}}, hunt.way, progress);
    }
    const auto& marks = run.trace().marks();
    const bool atOnce = std::any_of(marks.begin(), marks.end(), [](const sim::Mark& m) { return m.at.value == 0; });
    if (atOnce && run.built().value > 0) return sim::Tick{0};
    return run.find(quarry, sim::Tick{0}, hunt.way, progress);
}

bool isIn(const sim::Event& e, const std::vector<sim::Quarry>& quarries) {
    return std::any_of(quarries.begin(), quarries.end(), [&](const sim::Quarry& q) {
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
std::uint32_t witness(const std::shared_ptr<const sim::Run>& run, const Hunt& hunt, sim::Tick tick) {
    const sim::MachineConfig& machine = run->machine();
    if (machine.cpus == 1) return 0;
    sim::MomentReader reader(run);
    const sim::Moment moment = reader.at(static_cast<double>(tick.value + 1), {.steps = 1});
    const sim::Step& step = *moment.current();
    std::vector<sim::Event> struck;
    std::copy_if(step.events.begin(), step.events.end(), std::back_inserter(struck), [&](const sim::Event& e) {
        const bool isTheBlock = !hunt.quarries.front().address ||
                                hunt.quarries.front().address->value / machine.levels[e.level].block == e.block.value;
        return isIn(e, hunt.quarries) && isTheBlock;
    });
    const auto sees = [&](std::uint32_t cpu) {
        return std::any_of(struck.begin(), struck.end(),
                           [&](const sim::Event& e) { return e.cache == machine.cacheOf(e.level, cpu); });
    };
    if (struck.empty() || sees(step.access.cpu)) {
        return !struck.empty() && sees(hunt.cpu) ? hunt.cpu : std::uint32_t{step.access.cpu};
    }
    if (sees(hunt.cpu)) return hunt.cpu;
    return machine.levels[struck.front().level].sharedBy * struck.front().cache;
}

}  // namespace

std::string regionName(const sim::Trace& trace, std::uint32_t region) {
    return region < trace.regions().size() ? trace.regions()[region].name : "elsewhere";
}

sim::Expected<std::string> wordsFor(const Session& s, Prey prey) {
    const sim::Trace& trace = s.opened.run->trace();
    switch (prey) {
        case Prey::miss:
            return "miss";
        case Prey::regionMiss:
            if (const auto region = regionOfInterest(s)) return "miss in " + regionName(trace, *region);
            return sim::fail("", "no region is chosen", "click a block, or a region in the list");
        case Prey::eviction: {
            if (!s.marked()) return sim::fail("", "no block is chosen", "click one");
            const double begun = std::ceil(s.player.position());
            const sim::Tick now{begun > 0 ? static_cast<std::uint64_t>(begun) - 1 : 0};
            return "eviction of " + trace.placeOf(*s.marked(), now);
        }
        case Prey::conflict:
            if (s.pair) {
                return fmt::format("eviction of {} by {}", regionName(trace, s.pair->victim),
                                   regionName(trace, s.pair->culprit));
            }
            if (s.region) return fmt::format("conflict of {} with another", regionName(trace, *s.region));
            return sim::fail("", "no region is chosen", "click one, or two that throw each other out, in the lists");
        case Prey::transfer:
            return "transfer between CPUs";
        case Prey::mark:
            return "mark";
    }
    return "";
}

sim::Expected<Hunt> huntFor(const Session& s, Prey prey, sim::Way way) {
    auto words = wordsFor(s, prey);
    if (!words) return tl::unexpected(words.error());
    Hunt hunt{
        .quarries = quarriesFor(s, prey), .way = way, .from = {}, .cpu = s.cpu.value_or(0), .words = *std::move(words)};
    if (const auto current = s.player.current()) hunt.from = sim::Tick{*current};
    return hunt;
}

std::optional<Catch> caught(const std::shared_ptr<const sim::Run>& run, const Hunt& hunt, sim::Progress& progress) {
    std::optional<sim::Tick> best;
    for (const sim::Quarry& quarry : hunt.quarries) {
        const auto found = nearest(*run, quarry, hunt, progress);
        if (progress.cancelled()) return std::nullopt;
        if (!found) continue;
        const bool isNearer = !best || (hunt.way == sim::Way::forward ? *found < *best : *found > *best);
        if (isNearer) best = found;
    }
    if (!best) return std::nullopt;
    return Catch{*best, witness(run, hunt, *best)};
}

}  // namespace whorl::app
