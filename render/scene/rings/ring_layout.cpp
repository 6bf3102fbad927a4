#include "render/scene/rings/ring_layout.h"

#include <algorithm>
#include <cmath>

#include "render/scene/angle.h"

namespace whorl::scene {

namespace {

// Shares of the unit.
constexpr float kCore = 0.045f;
constexpr float kCorePerCpu = 0.0105f;  ///< with several CPUs, as long as they stay apart
constexpr float kMostCore = 0.14f;
constexpr float kGap = 0.022f;  ///< between the CPU and the nearest level
constexpr float kLeastChannel = 0.022f;
constexpr float kNames = 0.965f;  ///< the circle on which names stand, where they are small enough
constexpr float kOuter = 0.925f;  ///< of the memory ring, likewise
constexpr float kLargestGlyph = 0.022f;
constexpr float kText = 16.0f / 360.0f;
constexpr float kLeastText = 16.0f;  ///< pixels at text scale 1

constexpr float kAreaPower = 0.55f;   ///< a ring's area grows with its blocks to this power
constexpr float kGlyphShare = 0.40f;  ///< a glyph's radius, of the room it has
constexpr float kOneSize = 2.2f;      ///< rooms that differ by less than this get glyphs of one size
constexpr float kElementRoom = 6.0f;  ///< pixels: with less for each, elements do not fit
constexpr std::uint64_t kMostParts = 16;
constexpr float kFirstArm = -kPi / 2;

float coreOf(std::uint32_t cpus) {
    return cpus == 1 ? kCore : std::min(kMostCore, kCore + kCorePerCpu * static_cast<float>(cpus));
}

/// The outer radii of the rings (levels, then memory), as shares of the unit: areas in proportion to `weights`.
std::vector<float> outerRadii(const std::vector<float>& weights, float core, float channel, float whole) {
    // The radii grow with the scale of the areas, so the scale that just fills the picture is found by halving.
    const auto radii = [&](float scale) {
        std::vector<float> out;
        float inner = core + kGap;
        for (const float w : weights) {
            out.push_back(std::sqrt(inner * inner + scale * w));
            inner = out.back() + channel;
        }
        return out;
    };
    float low = 0;
    float high = 1;
    for (int i = 0; i < 60; ++i) {
        const float middle = (low + high) / 2;
        (radii(middle).back() < whole ? low : high) = middle;
    }
    return radii(low);
}

/// The order of a level's arms. With the sets of the nearer level dividing this one's evenly, the sets that a nearer
/// set feeds lie side by side where that set's arm ends, so that blocks leave outward within one spoke.
std::vector<std::uint32_t> spokesOf(std::uint32_t sets, const LevelRing* nearer) {
    std::vector<std::uint32_t> spoke(sets);
    for (std::uint32_t s = 0; s < sets; ++s) {
        spoke[s] = s;
        if (nearer != nullptr && sets % nearer->sets() == 0) {
            spoke[s] = nearer->spoke()[s % nearer->sets()] * (sets / nearer->sets()) + s / nearer->sets();
        }
    }
    return spoke;
}

/// The smallest elements of the arrays that were declared, in bytes; 0 when there are none.
std::uint32_t elementSizeOf(const sim::Trace& trace) {
    std::uint32_t least = 0;
    for (const sim::Region& r : trace.regions()) {
        if (r.origin != sim::RegionOrigin::declared || r.rows == 0 || r.elementSize == 0) continue;
        least = least == 0 ? r.elementSize : std::min(least, static_cast<std::uint32_t>(r.elementSize));
    }
    return least;
}

}  // namespace

RingLayout::RingLayout(const sim::MachineConfig& machine, const sim::Trace& trace, const MemorySlots& memorySlots,
                       const View& view)
    : size(view.size),
      unit(std::min(size.x, size.y) / 2),
      detail(detailOf(size)),
      cpus(machine.cpus),
      grain_(view.grain),
      textScale_(view.textScale),
      lecture_(view.lecture),
      cpu_(view.cpu) {
    text = std::max(kLeastText * textScale_, kText * unit) * (lecture_ ? kLectureText : 1.0f);
    if (cpu_) {
        firstCpu = std::min(*cpu_, machine.cpus - 1);
        cpus = 1;
    }
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        firstCache.push_back(machine.cacheOf(l, firstCpu));
        blockSizes.push_back(machine.levels[l].block);
    }
    blockSizes.push_back(memorySlots.blockSize());
    core = coreOf(cpus) * unit;
    const std::uint32_t element = elementSizeOf(trace);
    const auto smallest = *std::min_element(blockSizes.begin(), blockSizes.end());
    const bool divides = element != 0 && smallest % element == 0 && blockSizes.back() / element <= kMostParts;
    if (grain_ != Grain::blocks && divides && smallest > element) elementSize = element;
    layRings(machine, trace, memorySlots);
    if (elementSize != 0 && grain_ == Grain::fitting && !fits()) {
        elementSize = 0;
        layRings(machine, trace, memorySlots);
    }
    chooseRadii();
}

float RingLayout::detailOf(glm::vec2 size) {
    return std::max(1.0f, std::min(size.x, size.y) / 720);
}

bool RingLayout::suits(const View& view) const {
    return view.size == size && view.textScale == textScale_ && view.lecture == lecture_ && view.grain == grain_ &&
           view.cpu == cpu_;
}

void RingLayout::layRings(const sim::MachineConfig& machine, const sim::Trace& trace, const MemorySlots& memorySlots) {
    levels.clear();
    // In a picture too small for text the names go, and the rings keep their room.
    const float share =
        std::clamp(1.3f * text / unit, kLeastChannel, 0.5f / static_cast<float>(machine.levels.size() + 2));
    channel = share * unit;
    const auto partsOf = [&](std::size_t l) {
        return elementSize == 0 ? 1 : static_cast<std::uint32_t>(blockSizes[l] / elementSize);
    };
    const auto cachesOf = [&](std::size_t l) { return cpu_ ? 1 : machine.caches(l); };
    std::vector<float> weights;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        weights.push_back(std::pow(static_cast<float>(machine.levels[l].blocks() * cachesOf(l)), kAreaPower));
    }
    weights.push_back(std::pow(static_cast<float>(std::max<std::uint32_t>(memorySlots.count(), 1)), kAreaPower));
    // Names stand outside the rings and inside the picture; where it is too small for them, they go first.
    const float height = std::min(text / unit, 0.18f);
    names = std::min(kNames, 1 - 0.6f * height) * unit;
    const float whole = std::min(kOuter, names / unit - 0.68f * height);
    const std::vector<float> outer = outerRadii(weights, core / unit, share, whole);

    float inner = core / unit + kGap;
    float start = kFirstArm;
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        const sim::LevelConfig& level = machine.levels[l];
        const LevelRing* nearer = l == 0 ? nullptr : &levels.back();
        levels.emplace_back(LevelRing::Shape{.inner = inner * unit,
                                             .outer = outer[l] * unit,
                                             .caches = cachesOf(l),
                                             .sets = level.sets(),
                                             .ways = level.ways,
                                             .parts = partsOf(l),
                                             .detail = detail,
                                             .spoke = spokesOf(level.sets(), nearer),
                                             .start = start});
        start = levels.back().end();
        inner = outer[l] + share;
    }
    memory = layMemory(inner * unit, whole * unit, memorySlots, trace, partsOf(machine.levels.size()));
}

bool RingLayout::fits() const {
    const auto roomy = [&](float room) { return room >= kElementRoom * detail; };
    return roomy(memory.room) &&
           std::all_of(levels.begin(), levels.end(), [&](const LevelRing& level) { return roomy(level.room()); });
}

void RingLayout::chooseRadii() {
    const auto isLarge = [&](float room) { return tierFor(room / detail) == Tier::glyphs; };
    float least = memory.room > 0 ? std::max(memory.room, kMemoryRoom * detail) : 1e9f;
    float most = memory.room > 0 ? least : 0;
    for (const LevelRing& level : levels) {
        if (!isLarge(level.room())) continue;
        least = std::min(least, level.room());
        most = std::max(most, level.room());
    }
    const auto radius = [&](float room) {
        const float common = most < kOneSize * least ? least : std::min(room, 1.9f * least);
        return std::clamp(kGlyphShare * std::min(room, common), 0.9f * detail, kLargestGlyph * unit);
    };
    memoryRadius = radius(memory.room);
    radii.clear();
    for (const LevelRing& level : levels) {
        radii.push_back(isLarge(level.room()) ? radius(level.room()) : kGlyphShare * level.room());
    }
}

glm::vec2 RingLayout::cpuPlace(std::uint32_t cpu) const {
    if (cpus == 1) return {0, 0};
    const LevelRing& nearest = levels.front();
    // In the middle of its share of the nearest cache that it uses.
    const std::uint32_t perCache = cpus / nearest.caches();
    const Sector sector = nearest.sector(cpu / perCache, nearest.inner());
    const float share = (static_cast<float>(cpu % perCache) + 0.5f) / static_cast<float>(perCache);
    const float angle = sector.from + share * sector.span;
    return 0.66f * core * glm::vec2(std::cos(angle), std::sin(angle));
}

float RingLayout::cpuRadius() const {
    if (cpus == 1) return 0.72f * core;
    return std::min(0.3f * core, 0.82f * kPi * 0.66f * core / static_cast<float>(cpus));
}

}  // namespace whorl::scene
