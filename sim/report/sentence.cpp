#include "sim/report/sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/text.h"
#include "sim/report/table.h"

namespace whorl::sim {

namespace {

using Events = std::span<const Event>;

/// A CPU's own request to the nearest level, which is memory where there is no cache: each one begins another block of
/// the access.
bool beginsBlock(const Event& e) {
    return e.level == 0 && e.demand &&
           (e.kind == EventKind::hit || e.kind == EventKind::miss || e.kind == EventKind::memory);
}

bool isTranslation(const Event& e) {
    return e.kind == EventKind::tlbMiss || e.kind == EventKind::pageFault;
}

/// The events of an access, block by block. Translations, which come first, belong to the first block; one that is
/// needed again, because the page has left meanwhile, to the next.
std::vector<Events> byBlock(const std::vector<Event>& events) {
    std::vector<Events> groups;
    std::size_t start = 0;
    bool begun = false;
    for (std::size_t i = 0; i <= events.size(); ++i) {
        const bool isEnd = i == events.size();
        const bool begins = !isEnd && beginsBlock(events[i]);
        if (begun && (isEnd || begins || isTranslation(events[i]))) {
            groups.push_back(Events(events).subspan(start, i - start));
            start = i;
            begun = false;
        }
        begun = begun || begins;
    }
    return groups;
}

std::size_t levelsMissed(Events events) {
    RequestPath path;
    for (const Event& e : events) path.take(e);
    return path.servedBy();
}

std::string missIn(std::size_t levels, const MachineConfig& machine) {
    std::vector<std::string> names;
    for (std::size_t l = 0; l < levels; ++l) names.push_back(machine.levels[l].name);
    return "miss in " + joinNames(names);
}

std::string outcome(Events events, const MachineConfig& machine) {
    if (machine.levels.empty()) return "served by memory";
    const std::size_t missed = levelsMissed(events);
    if (missed == 0) return "hit in " + machine.levelName(0);
    std::string out = missIn(missed, machine);
    // A write that does not allocate asks no level for the block.
    const bool isServed = std::any_of(events.begin(), events.end(), [&](const Event& e) {
        return e.kind == EventKind::hit && e.demand && e.level == missed;
    });
    if (isServed) out += ", hit in " + machine.levels[missed].name;
    return out;
}

/// The place of the first byte of an event's block.
std::string placeOf(const Event& e, const Step& step, const Trace& trace, const MachineConfig& machine) {
    return trace.placeOf(ByteAddress{e.block.value * machine.levels[e.level].block}, step.tick);
}

/// The CPUs that use a cache.
std::string cpusOf(const Event& e, const MachineConfig& machine) {
    const std::uint32_t shared = machine.levels[e.level].sharedBy;
    if (shared == 0) return "all CPUs";
    const std::uint32_t first = shared * e.cache;
    return shared == 1 ? fmt::format("CPU {}", first) : fmt::format("CPUs {} to {}", first, first + shared - 1);
}

/// "L1", or "L1 of CPU 2" where that is not the cache of the CPU that asks.
std::string cacheOf(const Event& e, const Step& step, const MachineConfig& machine) {
    const std::string& level = machine.levels[e.level].name;
    const bool isOwn = e.cache == machine.cacheOf(e.level, step.access.cpu);
    return isOwn ? level : level + " of " + cpusOf(e, machine);
}

std::string eviction(const Event& e, const std::string& place, const MachineConfig& machine) {
    const std::string from = e.level == 0 ? "" : " from " + machine.levels[e.level].name;
    return fmt::format("evicts {}{}, {}", place, from, e.dirty ? "dirty" : "clean");
}

/// The level that takes what is written back, or through: the next one, or one beyond it where that does not allocate.
std::size_t takenBy(Events events, std::size_t written, const MachineConfig& machine) {
    const Event& left = events[written];
    for (std::size_t i = written + 1; i < events.size() && events[i].level > left.level; ++i) {
        const Event& e = events[i];
        if (e.kind == EventKind::memory && e.write) return machine.levels.size();
        if ((e.kind == EventKind::hit && e.write) || e.kind == EventKind::fill) return e.level;
    }
    return std::min(left.level + std::size_t{1}, machine.levels.size());
}

/// What an access did beyond its own hits and misses, in words. The same effect at several levels, or on several CPUs,
/// is mentioned once.
class Actions {
  public:
    Actions(const Step& step, const Trace& trace, const MachineConfig& machine)
        : step_(step), trace_(trace), machine_(machine) {}

    std::string of(Events events) {
        for (const Event& e : events) {
            if (e.kind == EventKind::tlbMiss) tell(fmt::format("TLB miss on page {:#x}", e.block.value), "", "");
            if (e.kind == EventKind::pageFault) faults(e, events);
        }
        // The nearest level first: its eviction made room for the access itself.
        for (std::size_t level = 0; level < machine_.levels.size(); ++level) {
            for (const Event& e : events) {
                if (e.kind == EventKind::eviction && e.level == level) evicts(e);
            }
        }
        for (const Event& e : events) take(e);
        tellWrites(events);
        std::string out;
        for (const Action& action : actions_) out += "; " + action.words + action.before + joinNames(action.names);
        actions_.clear();
        return out;
    }

  private:
    /// "takes A[0][0] away" + " from " + "CPU 1 and CPU 2".
    struct Action {
        std::string words;
        std::string before;
        std::vector<std::string> names;
    };

    void tell(std::string words, std::string before, const std::string& name) {
        auto known = std::find_if(actions_.begin(), actions_.end(),
                                  [&](const Action& d) { return d.words == words && d.before == before; });
        if (known == actions_.end()) {
            actions_.push_back({std::move(words), std::move(before), {}});
            known = actions_.end() - 1;
        }
        const bool isNew = std::find(known->names.begin(), known->names.end(), name) == known->names.end();
        if (isNew && !name.empty()) known->names.push_back(name);
    }

    /// A page comes into a frame, perhaps of another page, which leaves with its cached blocks: that is the next event.
    void faults(const Event& fault, Events events) {
        std::string words = fmt::format("page fault: page {:#x} ", fault.block.value);
        const Event* const next = &fault + 1;
        if (next == events.data() + events.size() || next->kind != EventKind::pageOut) {
            tell(words + fmt::format("comes into frame {}", fault.set.value), "", "");
            return;
        }
        const std::uint64_t page = machine_.memory.page;
        const auto copies = std::count_if(events.begin(), events.end(), [&](const Event& e) {
            return e.kind == EventKind::invalidation && e.cause == Cause::paging &&
                   e.block.value / (page / machine_.levels[e.level].block) == next->block.value;
        });
        words += fmt::format("takes frame {} of page {:#x}, {}", fault.set.value, next->block.value,
                             next->dirty ? "dirty" : "clean");
        if (copies > 0) words += fmt::format(", with {} cached block{}", copies, copies == 1 ? "" : "s");
        tell(std::move(words), "", "");
    }

    /// Adds where a write goes through to: "written to L2 and memory, too", where the first level that it goes through
    /// has the block as well.
    void tellWrites(Events events) {
        std::vector<std::string> names;
        bool isHeld = false;
        for (std::size_t i = 0; i < events.size(); ++i) {
            if (events[i].kind != EventKind::writeThrough) continue;
            if (names.empty()) isHeld = isKept(events[i], events);
            names.push_back(machine_.levelName(takenBy(events, i, machine_)));
        }
        if (names.empty()) return;
        names.erase(std::unique(names.begin(), names.end()), names.end());
        tell(fmt::format("written to {}{}", joinNames(names), isHeld ? ", too" : ""), "", "");
    }

    void evicts(const Event& e) { tell(eviction(e, place(e), machine_), "", ""); }

    void take(const Event& e) {
        switch (e.kind) {
            case EventKind::invalidation:
                if (e.cause == Cause::inclusion) {
                    tell(fmt::format("back-invalidates {}", place(e)), " in ", cacheName(e));
                } else if (e.cause == Cause::coherence) {
                    tell(fmt::format("invalidates {}", place(e)), " in ", cacheName(e));
                }
                break;
            case EventKind::downgrade:
                tell(fmt::format("{} now shares {}", cpusOf(e, machine_), place(e)), "", "");
                break;
            case EventKind::upgrade:
                tell(fmt::format("upgrades {} for writing", place(e)), "", "");
                break;
            case EventKind::prefetch:
                tell(fmt::format("prefetches {}", place(e)), " into ", machine_.levels[e.level].name);
                break;
            default:
                break;
        }
    }

    /// The place of a block's first byte.
    std::string place(const Event& e) const { return placeOf(e, step_, trace_, machine_); }
    std::string cacheName(const Event& e) const { return cacheOf(e, step_, machine_); }

    const Step& step_;
    const Trace& trace_;
    const MachineConfig& machine_;
    std::vector<Action> actions_;
};

}  // namespace

std::string valueInText(double value) {
    constexpr double kExact = 1e15;  // whole numbers below are exact
    if (value != std::trunc(value) || std::abs(value) >= kExact) return fmt::format("{:.6g}", value);
    return (value < 0 ? "-" : "") + grouped(static_cast<std::uint64_t>(std::abs(value)));
}

std::string sentenceFor(const Step& step, const Trace& trace, const MachineConfig& machine) {
    std::string out =
        fmt::format("{} {}", step.access.isWrite() ? "write" : "read", trace.placeOf(step.access.address, step.tick));
    if (const auto value = trace.valueAt(step.tick)) out += " = " + valueInText(*value);
    if (trace.cpus() > 1) out += fmt::format(" by CPU {}", step.access.cpu);
    if (const std::uint32_t line = trace.site(step.access.site).line; line != 0) out += fmt::format(", line {}", line);
    if (step.access.unrecorded) return out + ": not recorded";
    out += ": ";
    const auto blocks = byBlock(step.events);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks.size() > 1) {
            const std::string_view what = machine.levels.empty() ? "word" : "block";
            out += fmt::format("{}{} {} of {}: ", i == 0 ? "" : "; ", what, i + 1, blocks.size());
        }
        out += outcome(blocks[i], machine) + Actions(step, trace, machine).of(blocks[i]);
    }
    return out;
}

std::string sentenceForMany(Range accesses, const Trace& trace) {
    constexpr std::uint64_t kMax = 1024;
    std::map<std::uint32_t, std::uint64_t> ofSite;
    std::set<std::size_t> touched;
    const Tick end{std::min(accesses.to.value, accesses.from.value + kMax)};
    trace.forEach(accesses.from, end, [&](Tick, const Access& access) {
        ++ofSite[access.site.value];
        touched.insert(trace.regionAt(access.address));
    });
    const auto most = std::max_element(ofSite.begin(), ofSite.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const Site& site = trace.site(SiteId{most == ofSite.end() ? 0 : most->first});
    if (site.line != 0) {
        const SourceText& text = trace.files()[site.file].lines;
        const std::string line = fmt::format("line {}", site.line);
        return site.line > text.size() ? line : fmt::format("{}: {}", line, trimmed(text[site.line - 1]));
    }
    std::vector<std::string> names;
    for (const std::size_t region : touched) {
        if (region < trace.regions().size()) names.push_back(trace.regions()[region].name);
    }
    return names.empty() ? std::string() : "accesses to " + joinNames(names);
}

namespace {

/// Whether the block of an event holds the first byte of the access.
bool addressIn(const Event& e, const Step& step, const MachineConfig& machine) {
    return step.access.address.value / machine.levels[e.level].block == e.block.value;
}

/// Whether a block is written back because another CPU asks for it.
bool isHandedOver(const Event& writeback, Events events) {
    return std::any_of(events.begin(), events.end(), [&](const Event& e) {
        const bool isAsked =
            e.kind == EventKind::downgrade || (e.kind == EventKind::invalidation && e.cause == Cause::coherence);
        return isAsked && e.level == writeback.level && e.cache == writeback.cache && e.block == writeback.block;
    });
}

/// The facts of one block of an access.
std::vector<StepFact> factsOf(Events events, const Step& step, const Trace& trace, const MachineConfig& machine) {
    std::vector<StepFact> facts;
    const std::size_t missed = levelsMissed(events);
    const auto nameOf = [&](std::size_t level) {
        return level < machine.levels.size() ? machine.levels[level].name : std::string("memory");
    };
    const auto add = [&](StepFact::Kind kind, const Event& e, std::size_t other, std::string words) {
        facts.push_back({.kind = kind,
                         .level = e.level,
                         .cache = e.cache,
                         .block = e.block,
                         .other = other,
                         .words = std::move(words)});
    };
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& e = events[i];
        if (!e.isInCache()) continue;
        const std::string place = placeOf(e, step, trace, machine);
        if (e.kind == EventKind::miss && e.demand && e.level == 0) {
            add(StepFact::Kind::miss, e, 0, missIn(missed, machine));
            const auto fills = [&](const Event& f) {
                return f.kind == EventKind::fill && f.level == 0 && f.cache == e.cache && f.block == e.block;
            };
            if (std::any_of(events.begin(), events.end(), fills)) {
                // Blocks are named by their first bytes; the picture names the requested place.
                const std::string asked = trace.placeOf(step.access.address, step.tick);
                const bool isInside = addressIn(e, step, machine) && asked != place;
                const std::string block = isInside ? fmt::format("{}, the block of {},", place, asked) : place;
                add(StepFact::Kind::fill, e, missed, fmt::format("{} comes in from {}", block, nameOf(missed)));
            }
        } else if (e.kind == EventKind::eviction) {
            add(StepFact::Kind::eviction, e, 0,
                fmt::format("evicts {} from {}, {}", place, nameOf(e.level), e.dirty ? "dirty" : "clean"));
        } else if (e.kind == EventKind::invalidation && e.cause == Cause::coherence) {
            add(StepFact::Kind::invalidation, e, 0,
                fmt::format("invalidates {} in {}", place, cacheOf(e, step, machine)));
        } else if (e.kind == EventKind::writeback) {
            const std::size_t to = takenBy(events, i, machine);
            const std::string words = fmt::format("writes {} back to {}", place, nameOf(to));
            if (isHandedOver(e, events)) {
                add(StepFact::Kind::handover, e, to, fmt::format("{} {}", cpusOf(e, machine), words));
            } else {
                add(StepFact::Kind::writeback, e, to, words);
            }
        } else if (e.kind == EventKind::writeThrough) {
            const std::size_t to = takenBy(events, i, machine);
            const ByteAddress base{e.block.value * machine.levels[e.level].block};
            const std::string written = trace.placeOf(std::max(base, step.access.address), step.tick);
            add(StepFact::Kind::writeback, e, to, fmt::format("writes {} through to {}", written, nameOf(to)));
        }
    }
    std::stable_sort(facts.begin(), facts.end(), [](const StepFact& a, const StepFact& b) {
        return std::tie(a.kind, a.level) < std::tie(b.kind, b.level);
    });
    return facts;
}

}  // namespace

std::vector<StepFact> factsOf(const Step& step, const Trace& trace, const MachineConfig& machine) {
    std::vector<StepFact> facts;
    if (step.access.unrecorded) return facts;
    for (const Events& events : byBlock(step.events)) {
        for (StepFact& fact : factsOf(events, step, trace, machine)) facts.push_back(std::move(fact));
    }
    std::set<StepFact::Kind> kinds;
    for (const StepFact& fact : facts) kinds.insert(fact.kind);
    for (StepFact& fact : facts) {
        fact.number = static_cast<std::uint8_t>(std::distance(kinds.begin(), kinds.find(fact.kind)) + 1);
    }
    return facts;
}

std::size_t servedBy(const Step& step, const MachineConfig& machine) {
    std::size_t farthest = 0;
    for (const Events& events : byBlock(step.events)) farthest = std::max(farthest, levelsMissed(events));
    return std::min(farthest, machine.levels.size());
}

}  // namespace whorl::sim
