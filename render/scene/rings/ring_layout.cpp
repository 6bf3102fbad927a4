#include "render/scene/rings/ring_layout.h"

#include <algorithm>
#include <cmath>

#include "render/scene/scene.h"

namespace whorl::scene {

namespace {

std::vector<float> radiiAt(float scale, const std::vector<RingRoom>& rings, float inner, float channel) {
    std::vector<float> out;
    out.reserve(rings.size());
    for (const RingRoom& ring : rings) {
        out.push_back(ring.breadth > 0 ? inner + ring.breadth : std::sqrt(inner * inner + scale * ring.weight));
        inner = out.back() + channel;
    }
    return out;
}

/// The radii grow with the scale of the areas, so the scale that just fills the room is found by halving.
std::vector<float> filling(const std::vector<RingRoom>& rings, float inner, float channel, float whole) {
    float low = 0;
    float high = whole * whole;
    for (int i = 0; i < 60; ++i) {
        const float middle = (low + high) / 2;
        (radiiAt(middle, rings, inner, channel).back() < whole ? low : high) = middle;
    }
    return radiiAt(low, rings, inner, channel);
}

// Shares of the unit.
constexpr float kCore = 0.045f;
constexpr float kCorePerCpu = 0.0105f;  ///< growth for each of several CPUs, up to kMaxCore
constexpr float kMaxCore = 0.14f;
constexpr float kCoreOnStage = 1.35f;  ///< factor for several CPUs: an audience must read their numbers from afar
constexpr float kGap = 0.022f;         ///< gap between the CPU and the nearest level
constexpr float kMinChannel = 0.022f;
constexpr float kStageChannel = 1.7f;  ///< in heights of the text: large glyphs reach into the channel
constexpr float kNames = 0.965f;       ///< the circle on which names stand, where they are small enough
constexpr float kOuter = 0.925f;       ///< outer radius of the memory ring, where names are small enough
constexpr float kFarMemory = 0.62f;    ///< where there is no cache, the memory ring begins at this share of its end
constexpr float kLargestGlyph = 0.0208f;
constexpr float kLargestOnStage = 0.045f;
constexpr float kText = 16.0f / 360.0f;
constexpr float kStageText = 0.054f;  ///< read from afar; the rings keep 92 % of the height
constexpr float kMaxText = 0.18f;
constexpr float kMinText = 16.0f;  ///< pixels at text scale 1

// A ring's area grows with its blocks to these powers, by RingSizes.
constexpr float kContentPower = 0.35f;
constexpr float kCapacityPower = 0.55f;
constexpr float kMinNearest = 0.18f;   ///< the breadth of the nearest level's ring
constexpr float kSlim = 0.045f;        ///< breadth of a slim ring: the trace can use next to none of its blocks
constexpr double kSlimUse = 0.01;      ///< a ring is slim if the trace can use less than this share of its blocks
constexpr float kGlyphShare = 0.40f;   ///< a glyph's radius, as a share of its room
constexpr float kFoldedShare = 0.32f;  ///< … where arms are folded, as neighbours belong to other sets
constexpr float kOneSize = 2.2f;       ///< rooms that differ by less than this get glyphs of one size
constexpr float kMaxApart = 1.9f;      ///< else the largest room counts as at most this many times the smallest
constexpr float kMinCommon = 5.0f;     ///< pixels of room: smaller glyphs do not make others small
constexpr float kMaxCoarse = 2.7f;
constexpr float kElementRoom = 6.0f;  ///< pixels: with less for each, elements do not fit
constexpr std::uint64_t kMaxParts = 16;
constexpr float kFirstArm = -kPi / 2;

float coreOf(std::uint32_t cpus, bool isStage) {
    if (cpus == 1) return kCore;
    return (isStage ? kCoreOnStage : 1) * std::min(kMaxCore, kCore + kCorePerCpu * static_cast<float>(cpus));
}

/// The coarseness of a level's cells: larger with more ways for each block of the trace.
float coarsenessOf(const Subject& subject, std::size_t level) {
    if (subject.usable.empty()) return 1;
    const std::uint64_t ways = subject.machine.levels[level].blocks() * subject.machine.caches(level);
    const std::uint64_t usable = std::max<std::uint64_t>(subject.usable[level], 1);
    return std::clamp(std::sqrt(static_cast<float>(ways) / static_cast<float>(usable)), 1.0f, kMaxCoarse);
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

/// Whether the sets of a level are drawn so small that their blocks cannot be followed.
bool isSmall(const LevelRing& level, float detail) {
    const bool isOfFew = level.ways() * level.parts() <= kFewPlaces;
    return isOfFew || tierFor(level.room() / detail) == Tier::cells;
}

/// Radii on their way from those of another machine. A ring that the other machine lacks grows from nothing at its
/// outer edge; if that machine has more levels, the outermost ring takes their room.
std::vector<float> grown(std::vector<float> outer, const Growth& growth, float inner, float channel) {
    if (growth.share >= 1) return outer;
    constexpr float kThin = 0.012f;
    const std::size_t levels = outer.size() - 1;  // the last ring is memory
    float least = inner;
    for (std::size_t l = 0; l < levels; ++l) {
        const bool isLast = l + 1 == levels;
        float from = l == 0 ? inner : outer[l - 1] + channel;
        if (l < growth.outer.size()) from = isLast ? growth.outer.back() : growth.outer[l];
        outer[l] = std::max(least + kThin, from + (outer[l] - from) * growth.share);
        least = outer[l] + channel;
    }
    return outer;
}

}  // namespace

std::vector<float> outerRadii(std::vector<RingRoom> rings, float inner, float channel, float whole) {
    std::vector<float> outer = filling(rings, inner, channel, whole);
    // A ring that comes out too slim gets its least breadth, and the others share what is left.
    float from = inner;
    for (std::size_t i = 0; i < rings.size(); ++i) {
        if (rings[i].breadth == 0 && outer[i] - from < rings[i].least) {
            rings[i].breadth = rings[i].least;
            outer = filling(rings, inner, channel, whole);
        }
        from = outer[i] + channel;
    }
    return outer;
}

RingLayout::RingLayout(const Subject& subject, const View& view)
    : size(view.size),
      unit(std::min(size.x, size.y) / 2),
      detail(detailOf(size)),
      grain_(view.grain),
      rings_(view.rings),
      growth_(view.growth),
      textScale_(view.textScale),
      stage_(view.stage),
      leastLine_(leastLine(view)),
      lapses_(view.lapse > 1),
      cpu_(view.cpu) {
    const sim::MachineConfig& machine = subject.machine;
    text = stage_ ? kStageText * unit : std::min(std::max(kMinText * textScale_, kText * unit), mostText(size));
    chooseShown(subject);
    for (const sim::LevelConfig& level : machine.levels) blockSizes.push_back(level.block);
    blockSizes.push_back(subject.memorySlots.blockSize());
    core = coreOf(cpus, stage_) * unit;
    const std::uint32_t element = elementSizeOf(subject.trace);
    const auto smallest = *std::min_element(blockSizes.begin(), blockSizes.end());
    const bool divides = element != 0 && smallest % element == 0 && blockSizes.back() / element <= kMaxParts;
    if (grain_ != Grain::blocks && divides && smallest > element) elementSize = element;
    layRings(subject);
    if (elementSize != 0 && grain_ == Grain::fitting && !fits()) {
        elementSize = 0;
        layRings(subject);
    }
    chooseRadii();
    for (const LevelRing& level : levels) isByWay.push_back(lapses_ && isSmall(level, detail));
}

/// The CPU of the view, else those that make accesses, and their caches.
void RingLayout::chooseShown(const Subject& subject) {
    const sim::MachineConfig& machine = subject.machine;
    for (std::uint32_t cpu = 0; cpu < machine.cpus; ++cpu) {
        const bool isIdle = (subject.idleCpus >> cpu & 1) != 0;
        if (cpu_ ? cpu == std::min(*cpu_, machine.cpus - 1) : !isIdle) shownCpus_.push_back(cpu);
    }
    if (shownCpus_.empty()) shownCpus_.push_back(0);  // there is no access at all
    cpus = static_cast<std::uint32_t>(shownCpus_.size());
    idle = cpu_ ? 0 : machine.cpus - cpus;
    shownCaches_.resize(machine.levels.size());
    for (std::size_t l = 0; l < machine.levels.size(); ++l) {
        for (const std::uint32_t cpu : shownCpus_) shownCaches_[l].push_back(machine.cacheOf(l, cpu));
        shownCaches_[l].erase(std::unique(shownCaches_[l].begin(), shownCaches_[l].end()), shownCaches_[l].end());
    }
    for (std::uint32_t i = 0; i < cpus && !machine.levels.empty(); ++i) {
        const auto isBeside = [&](std::uint32_t cpu) {
            return machine.cacheOf(0, cpu) == machine.cacheOf(0, shownCpus_[i]);
        };
        const auto before = std::count_if(shownCpus_.begin(), shownCpus_.begin() + i, isBeside);
        const auto all = std::count_if(shownCpus_.begin(), shownCpus_.end(), isBeside);
        sectorOf_.push_back(shownAs(0, machine.cacheOf(0, shownCpus_[i])));
        inSector_.push_back((static_cast<float>(before) + 0.5f) / static_cast<float>(all));
    }
}

/// What each shown cache of a level has of the full turn: as many parts as it has busy CPUs. Empty where all have the
/// same.
std::vector<float> RingLayout::sharesOf(const sim::MachineConfig& machine, std::size_t level) const {
    std::vector<float> shares(shownCaches_[level].size());
    for (const std::uint32_t cpu : shownCpus_) {
        shares[shownAs(level, machine.cacheOf(level, cpu))] += 1 / static_cast<float>(cpus);
    }
    const bool areAlike = std::all_of(shares.begin(), shares.end(), [&](float s) { return s == shares.front(); });
    return areAlike ? std::vector<float>() : shares;
}

float RingLayout::mostText(glm::vec2 size) {
    return std::max(kMinText, kMaxText * std::min(size.x, size.y) / 2);
}

float RingLayout::detailOf(glm::vec2 size) {
    return std::max(1.0f, std::min(size.x, size.y) / 720);
}

float RingLayout::leastLine(const View& view) {
    return view.stage ? 4.0f / 3 * detailOf(view.size) : 1;
}

bool RingLayout::suits(const View& view) const {
    return view.size == size && view.textScale == textScale_ && view.stage == stage_ && view.grain == grain_ &&
           view.rings == rings_ && view.growth == growth_ && view.cpu == cpu_ && (view.lapse > 1) == lapses_;
}

std::vector<RingRoom> RingLayout::roomsOf(const Subject& subject) const {
    const bool byContent = rings_ == RingSizes::content && !subject.usable.empty();
    const auto weight = [&](std::uint64_t blocks) {
        return std::pow(static_cast<float>(std::max<std::uint64_t>(blocks, 1)),
                        byContent ? kContentPower : kCapacityPower);
    };
    std::vector<RingRoom> rooms;
    for (std::size_t l = 0; l < subject.machine.levels.size(); ++l) {
        const std::uint64_t all = subject.machine.levels[l].blocks() * subject.machine.caches(l);
        const std::uint64_t shown = subject.machine.levels[l].blocks() * shownCaches_[l].size();
        // With one of several caches shown, its room is limited to its own blocks.
        const std::uint64_t usable = byContent ? std::min(subject.usable[l], shown) : shown;
        rooms.push_back({.weight = weight(usable)});
        if (!byContent) continue;
        const bool slim = l > 0 && static_cast<double>(subject.usable[l]) < kSlimUse * static_cast<double>(all);
        if (slim) rooms.back().breadth = kSlim;
        if (l == 0) rooms.back().least = kMinNearest;
    }
    rooms.push_back({.weight = weight(subject.memorySlots.count())});
    return rooms;
}

void RingLayout::layRings(const Subject& subject) {
    const sim::MachineConfig& machine = subject.machine;
    levels.clear();
    isSlim.clear();
    coarseness.clear();
    // In a picture too small for text, leave out the names: the rings keep their room.
    const float share = std::clamp((stage_ ? kStageChannel : 1.3f) * text / unit, kMinChannel,
                                   0.5f / static_cast<float>(machine.levels.size() + 2));
    channel = share * unit;
    const auto partsOf = [&](std::size_t l) {
        return elementSize == 0 ? 1 : static_cast<std::uint32_t>(blockSizes[l] / elementSize);
    };
    const auto cachesOf = [&](std::size_t l) { return static_cast<std::uint32_t>(shownCaches_[l].size()); };
    // Names stand outside the rings and inside the picture; where it is too small for them, they go first.
    const float height = std::min(text / unit, kMaxText);
    names = std::min(kNames, 1 - 0.6f * height) * unit;
    const float whole = std::min(kOuter, names / unit - 0.68f * height);
    const std::vector<RingRoom> rooms = roomsOf(subject);
    float inner = core / unit + kGap;
    const std::vector<float> outer = grown(outerRadii(rooms, inner, share, whole), growth_, inner, share);

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
                                             .start = start,
                                             .shares = sharesOf(machine, l)});
        isSlim.push_back(rooms[l].breadth > 0);
        coarseness.push_back(coarsenessOf(subject, l));
        start = levels.back().end();
        inner = outer[l] + share;
    }
    // Memory is far away, also where nothing stands before it.
    if (levels.empty()) inner = std::max(inner, kFarMemory * whole);
    memory = layMemory(inner * unit, whole * unit, subject.memorySlots, subject.trace, partsOf(machine.levels.size()));
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
        const bool alike = most < kOneSize * least && isLarge(least);
        const float common = alike ? least : std::min(room, kMaxApart * std::max(least, kMinCommon * detail));
        // On the stage each glyph fills its room, so that names fit into it.
        const float used = stage_ ? room : std::min(room, common);
        return std::clamp(kGlyphShare * used, 0.9f * detail, (stage_ ? kLargestOnStage : kLargestGlyph) * unit);
    };
    memoryRadius = radius(memory.room);
    radii.clear();
    for (const LevelRing& level : levels) {
        const float usual = isLarge(level.room()) ? radius(level.room()) : kGlyphShare * level.room();
        radii.push_back(level.bands().size() > 1 ? std::min(usual, kFoldedShare * level.room()) : usual);
    }
}

float RingLayout::cpuAngle(std::uint32_t index, float r) const {
    if (levels.empty()) {
        const float share = (static_cast<float>(index) + 0.5f) / static_cast<float>(cpus);
        return kFirstArm + 2 * kPi * share;
    }
    // The middle of the CPU's share of the nearest cache that it uses.
    const Sector sector = levels.front().sector(sectorOf_[index], r);
    return sector.from + inSector_[index] * sector.span;
}

glm::vec2 RingLayout::cpuPlace(std::uint32_t index) const {
    if (cpus == 1) return {0, 0};
    const float angle = cpuAngle(index, levels.empty() ? 0 : levels.front().inner());
    return 0.66f * core * glm::vec2(std::cos(angle), std::sin(angle));
}

float RingLayout::cpuRadius() const {
    if (cpus == 1) return 0.72f * core;
    return std::min((stage_ ? 0.34f : 0.3f) * core, 0.82f * kPi * 0.66f * core / static_cast<float>(cpus));
}

}  // namespace whorl::scene
