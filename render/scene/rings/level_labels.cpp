#include "render/scene/rings/level_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "render/scene/rings/level_gauges.h"
#include "render/scene/scene.h"
#include "render/scene/text_width.h"
#include "sim/base/text.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kBottom = kPi / 2;  ///< 6 o'clock
constexpr float kAbove = -kPi / 2;
constexpr float kNotesSpan = 0.9f * kPi;  ///< angle around the bottom for the notes on a level
constexpr float kNoteSize = 0.8f;         ///< size of the notes, as a share of the text's
constexpr float kMinNames = 0.4f;         ///< least size of names, as a share of the text's
constexpr float kMinPixels = 8;           ///< least size of names, pixels of a picture 720 high

std::string percent(double share, int decimals) {
    return fmt::format("{:.{}f}\u00a0%", 100 * share, decimals);
}

/// Pads words with spaces as wide as a digit to the length of the longest text for this place: text after them stays in
/// place when numbers change.
std::string steady(std::string words, std::string_view longest) {
    for (std::size_t n = sim::characterCount(words); n < sim::characterCount(longest); ++n) words += "\u2007";
    return words;
}

/// The counts of all shown caches of a level since the start.
sim::CacheCounters countersOf(const FrameContext& frame, std::size_t level) {
    sim::CacheCounters sum;
    for (std::uint32_t shown = 0; shown < frame.layout.levels[level].caches(); ++shown) {
        sum += frame.snapshot.now.counters().cache(level, frame.layout.cacheShown(level, shown));
    }
    return sum;
}

/// "L1 hits 42.0 %"; without a hit, when a rate would mean little: "L3: no accesses yet", "L3: 0 hits of 5 034".
std::string hitsOf(const std::string& name, const sim::CacheCounters& c) {
    if (c.accesses() == 0) return name + ": no accesses yet";
    if (c.hits() == 0) return fmt::format("{}: 0 hits of {}", name, sim::grouped(c.accesses()));
    return name + " hits " + percent(c.hitRate(), 1);
}

/// "lately 40 %": the recent hit rate of some caches of a level, or the value of the gauge if this is not the
/// temperature of the last accesses.
std::string lately(const FrameContext& frame, std::size_t level, std::uint32_t first, std::uint32_t end) {
    const bool isOne = end - first == 1;
    const bool isLately =
        frame.view.gauge.what == sim::GaugeSettings::What::temperature && !frame.view.gauge.isOfSpan();
    if (isOne && !isLately) {
        std::string gauge = gaugeText(frame, level, first);
        if (!gauge.empty()) return gauge;
    }
    const std::vector<sim::Glance> window(frame.snapshot.window.begin(), frame.snapshot.window.end());
    const auto rate = sim::recentHitRate(frame.subject.machine, level, {first, end}, window);
    return rate ? "lately " + percent(*rate, 0) : "lately idle";
}

/// Whether none of the caches of a level that are shown holds a block.
bool isVoid(const FrameContext& frame, std::size_t level) {
    for (std::uint32_t shown = 0; shown < frame.layout.levels[level].caches(); ++shown) {
        const sim::Cache& cache = frame.snapshot.cache(level, frame.layout.cacheShown(level, shown));
        for (std::uint32_t set = 0; set < cache.sets(); ++set) {
            if (cache.occupied(sim::SetIndex{set}) > 0) return false;
        }
    }
    return true;
}

std::string nameOf(const FrameContext& frame, std::size_t level) {
    const std::string& name = frame.subject.machine.levels[level].name;
    const std::uint32_t caches = frame.layout.levels[level].caches();
    return caches == 1 ? name : fmt::format("{} ×{}", name, caches);
}

/// "L1  42.0 %", for places with little room.
std::string shortHits(const FrameContext& frame, std::size_t level) {
    const sim::CacheCounters c = countersOf(frame, level);
    const std::string name = nameOf(frame, level);
    if (c.hits() == 0) return name + (c.accesses() == 0 ? ": no accesses" : ": 0 hits");
    return name + " " + percent(c.hitRate(), 1);
}

/// The radius of the circle on which a level's name stands.
float nameRadius(const FrameContext& frame, std::size_t level) {
    const float share = frame.view.stage ? 0.55f : 0.62f;
    return frame.layout.levels[level].outer() + share * frame.layout.channel;
}

/// The CPUs of a cache: "CPU 3", "CPUs 0–3".
std::string cpusOf(const sim::MachineConfig& machine, std::size_t level, std::uint32_t cache) {
    const std::uint32_t first = machine.firstCpu(level, cache);
    const std::uint32_t last = machine.endCpu(level, cache) - 1;
    return first == last ? fmt::format("CPU {}", first) : fmt::format("CPUs {}–{}", first, last);
}

/// Adds the figures of each cache whose sector has room for them, in the channel outside the level.
void addSectors(LabelSpace& space, const FrameContext& frame, std::size_t l, float size) {
    const LevelRing& ring = frame.layout.levels[l];
    const float radius = nameRadius(frame, l);
    for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) {
        const std::uint32_t cache = frame.layout.cacheShown(l, shown);
        const Sector sector = ring.sector(shown, ring.outer());
        const Target target{.kind = Target::Kind::level,
                            .level = static_cast<std::uint8_t>(l),
                            .cache = static_cast<std::uint8_t>(cache)};
        const sim::CacheCounters& c = frame.snapshot.now.counters().cache(l, cache);
        const std::string cpus = cpusOf(frame.subject.machine, l, cache);
        std::vector<std::string> words{cpus};
        if (frame.view.gauge.isOfSpan()) {
            words = {fmt::format("{}: {}", cpus, gaugeText(frame, l, cache)), cpus};
        } else if (c.accesses() > 0) {
            const std::string rate = fmt::format("{}: {}", cpus, percent(c.hitRate(), 1));
            words = {steady(fmt::format("{}, {}", rate, lately(frame, l, cache, cache + 1)),
                            cpus + ": 100.0 %, lately 100 %"),
                     rate, cpus};
        }
        for (const std::string& w : words) {
            if (space.addCurved(w, radius, sector.from, sector.span, kBottom, frame.style.palette().text, target, size,
                                true))
                break;
        }
    }
}

}  // namespace

std::string levelLine(const FrameContext& frame, std::size_t level) {
    const LevelRing& ring = frame.layout.levels[level];
    const std::uint32_t first = frame.layout.cacheShown(level, 0);
    const sim::CacheCounters c = countersOf(frame, level);
    std::string words = hitsOf(nameOf(frame, level), c);
    // The value of a gauge over a span does not depend on the time.
    const bool hasBegun = c.accesses() > 0 || (frame.view.gauge.isOfSpan() && ring.caches() == 1);
    if (!hasBegun) return words;
    words += ", " + lately(frame, level, first, frame.layout.endOfShown(level));
    return steady(std::move(words), nameOf(frame, level) + " hits 100.0 %, lately 100 %");
}

std::vector<std::string> levelNotes(const FrameContext& frame, std::size_t level, bool tellsRate) {
    const LevelRing& ring = frame.layout.levels[level];
    std::vector<std::string> notes;
    // Without this note, a reader would expect the blocks that missed here.
    const bool isVictims = level > 0 && frame.subject.machine.levels[level].inclusion == sim::Inclusion::exclusive;
    if (isVictims && isVoid(frame, level)) {
        const std::string& nearer = frame.subject.machine.levels[level - 1].name;
        notes.push_back(fmt::format("only what {} evicts: nothing yet", nearer));
    }
    if (frame.layout.isSlim[level]) {
        const std::uint64_t blocks = frame.subject.machine.levels[level].blocks() * ring.caches();
        notes.push_back(fmt::format("room for {} blocks", sim::grouped(blocks)));
        notes.push_back(fmt::format("the program touches {}", sim::grouped(frame.subject.usable[level])));
    } else if (const auto bands = static_cast<std::uint32_t>(ring.bands().size()); bands > 1) {
        notes.push_back(sim::counted(ring.sets(), "set", "sets"));
        const std::uint32_t least = ring.sets() / bands;
        const std::string each = ring.sets() % bands == 0
                                     ? sim::grouped(least)
                                     : fmt::format("{} or {}", sim::grouped(least), sim::grouped(least + 1));
        notes.push_back(fmt::format("folded into {} rings of {}", bands, each));
    }
    const std::uint32_t cache = frame.layout.cacheShown(level, 0);
    if (frame.view.gauge.isOfSpan()) {
        for (std::string& note :
             gaugeSpanNotes(frame, level, {cache, frame.layout.endOfShown(level)}, tellsRate || ring.caches() > 1)) {
            notes.push_back(std::move(note));
        }
    } else if (tellsRate && frame.view.gauge.what == sim::GaugeSettings::What::temperature && ring.caches() == 1) {
        const std::string gauge = gaugeText(frame, level, cache);
        notes.push_back(lately(frame, level, cache, cache + 1));
        if (gauge != "idle") notes.push_back(gauge);
    }
    return notes;
}

namespace {

/// The texts for a level's channel, the longest first: the first one with room is used.
std::vector<std::string> namesOf(const FrameContext& frame, std::size_t level) {
    const std::string name = nameOf(frame, level);
    if (frame.view.compared && frame.view.stage) {
        // Show misses, not the hit rate: of two runs that do the same, the one with the lower rate may have fewer
        // misses.
        const sim::CacheCounters c = countersOf(frame, level);
        return {fmt::format("{}: {}", name, sim::counted(c.misses(), "miss", "misses")), name};
    }
    if (frame.view.gauge.isOfSpan() && frame.layout.levels[level].caches() == 1) {
        return {name + " " + gaugeText(frame, level, frame.layout.cacheShown(level, 0)), shortHits(frame, level), name};
    }
    return {levelLine(frame, level), steady(shortHits(frame, level), name + " 100.0 %"), name};
}

/// Adds the notes, the first ones if not all fit into the span.
void addNotes(LabelSpace& space, const FrameContext& frame, std::size_t level, float radius, const Target& target,
              bool tellsRate) {
    std::vector<std::string> notes = levelNotes(frame, level, tellsRate);
    const Rgba colour = frame.style.palette().muted;
    for (; !notes.empty(); notes.pop_back()) {
        const std::string words = fmt::format("{}", fmt::join(notes, ", "));
        if (space.addCurved(words, radius, kBottom - kNotesSpan / 2, kNotesSpan, kBottom, colour, target,
                            kNoteSize * space.size(), true))
            return;
    }
}

}  // namespace

void addLevelNames(LabelSpace& space, const FrameContext& frame) {
    // Shrink the names rather than leave them out: without names, nothing would distinguish the CPUs.
    const float most = frame.layout.channel * frame.lens.zoom / 1.05f;
    const float small = std::min(space.size(), most);
    const bool hasSmall = small >= kMinNames * space.size() && small >= kMinPixels * frame.layout.detail;
    for (std::size_t l = 0; l < frame.layout.levels.size(); ++l) {
        if (frame.layout.levels[l].caches() > 1 && hasSmall) addSectors(space, frame, l, small);
        if (!hasSmall) continue;
        const float radius = nameRadius(frame, l);
        const Target target{.kind = Target::Kind::level, .level = static_cast<std::uint8_t>(l)};
        bool tellsRate = true;
        const std::vector<std::string> names = namesOf(frame, l);
        for (const std::string& words : names) {
            if (!space.addCurved(words, radius, 0, 2 * kPi, kAbove, frame.style.palette().text, target, small, true))
                continue;
            tellsRate = words != names.front();
            break;
        }
        addNotes(space, frame, l, radius, target, tellsRate);
    }
}

}  // namespace whorl::scene
