#include "sim/run/sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <vector>

namespace whorl::sim {

namespace {

using Events = std::span<const Event>;

/// The events of an access, block by block: each begins with the hit or miss in the nearest level.
std::vector<Events> byBlock(const std::vector<Event>& events) {
    std::vector<Events> groups;
    std::size_t start = 0;
    for (std::size_t i = 1; i <= events.size(); ++i) {
        const bool first =
            i == events.size() ||
            (events[i].level == 0 && (events[i].kind == EventKind::hit || events[i].kind == EventKind::miss));
        if (!first) continue;
        groups.push_back(Events(events).subspan(start, i - start));
        start = i;
    }
    return groups;
}

std::size_t levelsMissed(Events events) {
    RequestPath path;
    for (const Event& e : events) path.take(e);
    return path.servedBy();
}

std::string listed(const std::vector<std::string>& names) {
    if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
    return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

std::string outcome(Events events, const MachineConfig& machine) {
    const std::size_t missed = levelsMissed(events);
    if (missed == 0) return "hit in " + machine.levels[0].name;
    std::vector<std::string> names;
    for (std::size_t l = 0; l < missed; ++l) names.push_back(machine.levels[l].name);
    std::string out = "miss in " + listed(names);
    if (missed < machine.levels.size()) out += ", hit in " + machine.levels[missed].name;
    return out;
}

std::string eviction(const Event& e, Tick tick, const Trace& trace, const MachineConfig& machine) {
    const LevelConfig& level = machine.levels[e.level];
    const ByteAddress base{e.block.value * level.block};
    const std::string from = e.level == 0 ? "" : " from " + level.name;
    return fmt::format("; evicts {}{}, {}", trace.placeOf(base, tick), from, e.dirty ? "dirty" : "clean");
}

}  // namespace

std::string sentenceFor(const Step& step, const Trace& trace, const MachineConfig& machine) {
    std::string out =
        fmt::format("{} {}", step.access.isWrite() ? "write" : "read", trace.placeOf(step.access.address, step.tick));
    if (trace.cpus() > 1) out += fmt::format(" by CPU {}", step.access.cpu);
    if (const std::uint32_t line = trace.site(step.access.site).line; line != 0) out += fmt::format(", line {}", line);
    out += ": ";
    const auto blocks = byBlock(step.events);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks.size() > 1) out += fmt::format("{}block {} of {}: ", i == 0 ? "" : "; ", i + 1, blocks.size());
        out += outcome(blocks[i], machine);
        // The nearest level's first: that is the one that made room for the access itself.
        for (std::size_t level = 0; level < machine.levels.size(); ++level) {
            for (const Event& e : blocks[i]) {
                if (e.kind == EventKind::eviction && e.level == level) out += eviction(e, step.tick, trace, machine);
            }
        }
    }
    return out;
}

std::size_t servedBy(const Step& step, const MachineConfig& machine) {
    std::size_t farthest = 0;
    for (const Events& events : byBlock(step.events)) farthest = std::max(farthest, levelsMissed(events));
    return std::min(farthest, machine.levels.size());
}

}  // namespace whorl::sim
