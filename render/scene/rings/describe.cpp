#include "render/scene/rings/describe.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <iterator>
#include <map>

#include "sim/report/sentence.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

using sim::ByteAddress;
using sim::SetIndex;
using sim::WayIndex;

/// "B[3][0] to B[3][3]": the elements that a block holds, as far as its region goes.
std::string elementsOf(const sim::Trace& trace, ByteAddress base, std::uint64_t block, sim::Tick tick) {
    ByteAddress first = base;
    ByteAddress last{base.value + block - 1};
    std::size_t r = trace.regionAt(first);
    if (r == trace.regions().size()) {
        // The block begins before its region.
        r = trace.regionAt(last);
        if (r == trace.regions().size()) return fmt::format("{:#x}", base.value);
        first = std::max(first, trace.regions()[r].base);
    }
    const sim::Region& region = trace.regions()[r];
    if (region.rows == 0) return trace.placeOf(first, tick);
    last = std::min(last, region.last());
    const std::string from = region.placeOf(first);
    const std::string to = region.placeOf(last);
    return from == to ? from : from + " to " + to;
}

class Description {
  public:
    Description(const sim::Snapshot& snapshot, const Subject& subject) : snapshot_(snapshot), subject_(subject) {}

    std::vector<std::string> of(const Target& t) {
        switch (t.kind) {
            case Target::Kind::none:
                break;
            case Target::Kind::line:
                addBlock(t.address, subject_.machine.levels[t.level].block);
                break;
            case Target::Kind::slot:
                addBlock(t.address, subject_.memorySlots.blockSize());
                break;
            case Target::Kind::cell:
                addSet(t);
                lines_.emplace_back("several blocks share this glyph: zoom in to see each");
                break;
            case Target::Kind::set:
                addSet(t);
                break;
            case Target::Kind::level:
                addCache(t);
                break;
            case Target::Kind::region:
                addRegion(t.region);
                break;
            case Target::Kind::cpu:
                addCpu(t.cpu);
                break;
            case Target::Kind::trail:
                addTrail(t);
                break;
            case Target::Kind::flow:
                addFlow(t.flow);
                break;
        }
        return std::move(lines_);
    }

    std::vector<std::string> of(ByteAddress byte) {
        lines_.push_back(placeOf(byte));
        say("address {:#x}", byte.value);
        addRegionOf(byte);
        for (const sim::LevelConfig& level : subject_.machine.levels) {
            const ByteAddress base{byte.value / level.block * level.block};
            say("{}: {}, {} bytes", level.name, elementsOf(subject_.trace, base, level.block, now()), level.block);
            lines_.push_back("  " + addressParts(level, byte));
        }
        addResidences(byte);
        return std::move(lines_);
    }

  private:
    template <class... Args>
    void say(fmt::format_string<Args...> format, Args&&... args) {
        lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    sim::Tick now() const { return sim::Tick{std::max<std::uint64_t>(snapshot_.begun().value, 1) - 1}; }
    std::string placeOf(ByteAddress a) const { return subject_.trace.placeOf(a, now()); }

    /// "L1", or "L1 of CPU 2", "L2 of CPUs 2 to 3".
    std::string nameOf(std::size_t level, std::uint32_t cache) const {
        const std::string& name = subject_.machine.levels[level].name;
        if (subject_.machine.caches(level) == 1) return name;
        const std::uint32_t first = subject_.machine.firstCpu(level, cache);
        const std::uint32_t last = subject_.machine.endCpu(level, cache) - 1;
        return first == last ? fmt::format("{} of CPU {}", name, first)
                             : fmt::format("{} of CPUs {} to {}", name, first, last);
    }

    void addBlock(ByteAddress base, std::uint64_t size) {
        lines_.push_back(elementsOf(subject_.trace, base, size, now()));
        say("address {:#x}, {} bytes", base.value, size);
        addRegionOf(base);
        for (const sim::LevelConfig& level : subject_.machine.levels) {
            lines_.push_back(level.name + ": " + addressParts(level, base));
        }
        addResidences(base);
    }

    void addRegionOf(ByteAddress address) {
        const std::size_t region = subject_.trace.regionAt(address);
        const auto& regions = subject_.trace.regions();
        if (region < regions.size()) lines_.push_back("region " + regions[region].name);
    }

    /// "in L1: set 3, way 1, rank 1 of 8, dirty": a line for each cache that holds the block.
    void addResidences(ByteAddress address) {
        bool anywhere = false;
        for (std::size_t l = 0; l < subject_.machine.levels.size(); ++l) {
            for (std::uint32_t c = 0; c < subject_.machine.caches(l); ++c) {
                const sim::Cache& cache = snapshot_.cache(l, c);
                const sim::BlockAddress block = cache.blockOf(address);
                const std::uint32_t way = cache.find(block);
                if (way == sim::Cache::kNoWay) continue;
                anywhere = true;
                const SetIndex set = cache.setOf(block);
                const sim::Line line = cache.line(set, WayIndex{way});
                say("in {}: set {}, way {}, rank {} of {}, {}{}", nameOf(l, c), set.value, way, line.rank + 1,
                    cache.ways(), line.dirty ? "dirty" : "clean", line.prefetched ? ", prefetched" : "");
            }
        }
        if (!anywhere) lines_.emplace_back("in memory only");
    }

    void addSet(const Target& t) {
        const sim::Cache& cache = snapshot_.cache(t.level, t.cache);
        say("{}, set {}", nameOf(t.level, t.cache), t.set.value);
        std::map<std::size_t, std::uint32_t> regions;
        std::uint32_t dirty = 0;
        const sim::Line* next = nullptr;
        const std::vector<sim::Line> lines = cache.lines(t.set);
        for (const sim::Line& line : lines) {
            if (!line.valid) continue;
            ++regions[subject_.regionOf(cache.addressOf(line.block), subject_.machine.levels[t.level].block)];
            dirty += line.dirty ? 1u : 0u;
            if (next == nullptr || line.rank > next->rank) next = &line;
        }
        say("{} of {} ways hold a block, {} dirty", cache.occupied(t.set), cache.ways(), dirty);
        std::string held;
        for (const auto& [region, count] : regions) {
            const auto& all = subject_.trace.regions();
            fmt::format_to(std::back_inserter(held), "{}{} of {}", held.empty() ? "" : ", ", count,
                           region < all.size() ? all[region].name : "no region");
        }
        if (!held.empty()) lines_.push_back(held);
        if (next != nullptr && cache.isFull(t.set)) {
            lines_.push_back("next victim: " + placeOf(cache.addressOf(next->block)));
        }
    }

    void addCache(const Target& t) {
        const sim::LevelConfig& level = subject_.machine.levels[t.level];
        lines_.push_back(nameOf(t.level, t.cache));
        say("{}: {} × {} × {} B", sim::formatBytes(level.size), sim::counted(level.sets(), "set", "sets"),
            sim::counted(level.ways, "way", "ways"), level.block);
        const sim::CacheCounters& c = snapshot_.now.counters().cache(t.level, t.cache);
        say("{} requests so far, {} misses", c.accesses(), c.misses());
        if (c.accesses() != 0) say("hit rate {:.1f} %", 100 * c.hitRate());
        say("{} evictions, {} write-backs", c.evictions, c.writebacks);
    }

    void addRegion(std::size_t index) {
        if (index >= subject_.trace.regions().size()) return;
        const sim::Region& region = subject_.trace.regions()[index];
        lines_.push_back(region.name);
        say("{} bytes from {:#x}", region.size, region.base.value);
        if (region.rows != 0 && region.columns != 0) {
            say("{} × {} elements of {} bytes", region.rows, region.columns, region.elementSize);
        } else if (region.rows != 0) {
            say("{} elements of {} bytes", region.rows, region.elementSize);
        }
    }

    void addCpu(std::uint32_t cpu) {
        say("CPU {}", cpu);
        say("access cycles so far: {}", snapshot_.now.clock(cpu));
        for (std::size_t l = 0; l < subject_.machine.levels.size(); ++l) {
            const std::uint32_t cache = subject_.machine.cacheOf(l, cpu);
            const sim::CacheCounters& c = snapshot_.now.counters().cache(l, cache);
            say("{}: hit rate {:.1f} %", nameOf(l, cache), 100 * c.hitRate());
        }
    }

    void addTrail(const Target& t) {
        for (const sim::Step& step : snapshot_.recent) {
            if (step.tick != t.tick) continue;
            say("access {}", step.tick.value);
            lines_.push_back(sim::sentenceFor(step, subject_.trace, subject_.machine));
        }
    }

    void addFlow(std::uint32_t index) {
        const auto& counts = snapshot_.flows.counts();
        if (index >= counts.size()) return;
        const auto& [key, count] = *std::next(counts.begin(), index);
        const std::size_t levels = subject_.machine.levels.size();
        const auto& regions = subject_.trace.regions();
        const std::string of = key.region < regions.size() ? " of " + regions[key.region].name : "";
        const auto place = [&](std::size_t level, std::uint32_t cache) {
            return level >= levels ? std::string("memory") : nameOf(level, cache);
        };
        switch (key.kind) {
            case sim::FlowKey::Kind::inward: {
                const std::uint32_t from = key.level < levels ? subject_.outerCache(key.level, 0, key.cache) : 0;
                say("{} blocks{} were filled from {} into {}", count, of, place(key.level, from), place(0, key.cache));
                break;
            }
            case sim::FlowKey::Kind::outward:
                say("{} blocks{} were evicted from {}, clean", count, of, place(key.level, key.cache));
                break;
            case sim::FlowKey::Kind::writeback:
                say("{} blocks{} were evicted from {} and written back", count, of, place(key.level, key.cache));
                break;
            case sim::FlowKey::Kind::through:
                say("{} writes{} went through from {} at once", count, of, place(key.level, key.cache));
                break;
            case sim::FlowKey::Kind::taken:
                say("{} blocks{} were invalidated in {} by writes of CPU {}", count, of, place(key.level, key.cache),
                    key.other);
                break;
        }
    }

    const sim::Snapshot& snapshot_;
    const Subject& subject_;
    std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> describe(const Target& target, const sim::Snapshot& snapshot, const Subject& subject) {
    return Description(snapshot, subject).of(target);
}

std::vector<std::string> describeByte(ByteAddress byte, const sim::Snapshot& snapshot, const Subject& subject) {
    return Description(snapshot, subject).of(byte);
}

std::string addressParts(const sim::LevelConfig& level, ByteAddress address) {
    const std::uint64_t block = address.value / level.block;
    return fmt::format("tag {:#x}, set {}, byte {}", block / level.sets(), block % level.sets(),
                       address.value % level.block);
}

namespace {

/// How far from the pointer small glyphs, and lines, are still found; pixels.
constexpr float kReach = 6.0f;
constexpr float kTrailReach = 3.0f;
/// Arms closer than this, in pixels of a picture 720 high, cannot be picked one by one.
constexpr float kArmRoom = 9.0f;

float distanceTo(const Stroke& stroke, glm::vec2 point) {
    const glm::vec2 along = stroke.b - stroke.a;
    const float length2 = glm::dot(along, along);
    const float share = length2 == 0 ? 0 : std::clamp(glm::dot(point - stroke.a, along) / length2, 0.0f, 1.0f);
    return glm::distance(point, stroke.a + along * share);
}

/// The nearest target so far, measured from its outline, so that a large glyph does not hide a small one beside it.
struct Nearest {
    float distance = kReach;
    Target target;

    void offer(const Target& candidate, float away) {
        if (candidate.kind == Target::Kind::none || away >= distance) return;
        distance = away;
        target = candidate;
    }
};

Target trailAt(const Scene& scene, glm::vec2 point) {
    Nearest nearest{.distance = kTrailReach, .target = {}};
    for (std::size_t i = scene.trails.size(); i-- > 0;) {
        if (std::max(scene.trails[i].colourA.a, scene.trails[i].colourB.a) < 24) continue;
        nearest.offer(scene.trailTargets[i], distanceTo(scene.trails[i], point) - scene.trails[i].width / 2);
    }
    for (std::size_t i = scene.flows.size(); i-- > 0;) {
        nearest.offer(scene.flowTargets[i], distanceTo(scene.flows[i], point) - scene.flows[i].width / 2);
    }
    return nearest.target;
}

Target ringAt(const RingLayout& layout, std::size_t level, glm::vec2 place, float zoom) {
    const LevelRing& ring = layout.levels[level];
    const Slot slot = ring.slotAt(place);
    Target target{.kind = Target::Kind::level,
                  .level = static_cast<std::uint8_t>(level),
                  .cache = static_cast<std::uint8_t>(layout.cacheShown(level, slot.cache))};
    const bool isArm = slot.set < ring.sets() && ring.room() * zoom >= kArmRoom * layout.detail;
    if (isArm && glm::length(place) < ring.outer()) {
        target.kind = Target::Kind::set;
        target.set = sim::SetIndex{slot.set};
        target.rank = static_cast<std::uint16_t>(slot.rank);
    }
    return target;
}

/// The part of the rings that a place lies in.
Target partAt(const RingLayout& layout, glm::vec2 place, float zoom) {
    const float r = glm::length(place);
    if (r < layout.core) {
        float least = layout.core;
        std::uint32_t cpu = 0;
        for (std::uint32_t c = 0; c < layout.cpus; ++c) {
            const float away = glm::distance(layout.cpuPlace(c), place);
            if (away < least) cpu = c;
            least = std::min(least, away);
        }
        return {.kind = Target::Kind::cpu, .cpu = static_cast<std::uint8_t>(layout.cpuShown(cpu))};
    }
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        if (r >= layout.levels[l].inner() && r < layout.levels[l].outer() + layout.channel) {
            return ringAt(layout, l, place, zoom);
        }
    }
    return {};
}

}  // namespace

Target pick(const Scene& scene, const RingLayout& layout, const View& view, glm::vec2 point) {
    Nearest nearest;
    for (std::size_t i = scene.moving.size(); i-- > 0;) {
        nearest.offer(scene.movingTargets[i], glm::distance(scene.moving[i].at, point) - scene.moving[i].radius);
    }
    for (std::size_t i = scene.resting.size(); i-- > 0;) {
        nearest.offer(scene.restingTargets[i], glm::distance(scene.resting[i].at, point) - scene.resting[i].radius);
    }
    for (std::size_t i = 0; i < scene.cells.size(); ++i) {
        nearest.offer(scene.cellTargets[i], distanceTo(scene.cells[i], point) - scene.cells[i].width / 2);
    }
    if (nearest.target.kind != Target::Kind::none) return nearest.target;
    if (const Target trail = trailAt(scene, point); trail.kind != Target::Kind::none) return trail;

    const Lens lens = layout.lensOf(view);
    const glm::vec2 place = lens.back(point);
    const Target part = partAt(layout, place, lens.zoom);
    if (part.kind != Target::Kind::none) return part;
    const float r = glm::length(place);
    if (r < layout.memory.inner || r > layout.unit) return {};
    const std::size_t arc = layout.memory.arcAt(std::atan2(place.y, place.x));
    if (arc == layout.memory.arcs.size()) return {};
    return {.kind = Target::Kind::region, .region = layout.memory.arcs[arc].region};
}

}  // namespace whorl::scene
