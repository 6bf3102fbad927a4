#include "render/scene/rings/scene_builder.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "render/scene/easing.h"
#include "render/scene/rings/frame_context.h"
#include "render/scene/rings/level_gauges.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// The state kept from frame to frame, as long as the layout suits the view.
struct SceneBuilder::Kept {
    Kept(const Subject& subject, const View& view)
        : layout(subject, view), occupancy(subject, layout), resting(subject, layout, occupancy) {}

    RingLayout layout;
    Occupancy occupancy;
    RestingGlyphs resting;
    Scene scene;
};

namespace {

/// Removes everything except the resting elements.
void clear(Scene& scene) {
    scene.annuli.clear();
    scene.ringSectors.clear();
    scene.ribbons.clear();
    scene.flows.clear();
    scene.trails.clear();
    scene.threads.clear();
    scene.leaders.clear();
    scene.moving.clear();
    scene.labels.clear();
    scene.numbered.clear();
    scene.flowTargets.clear();
    scene.trailTargets.clear();
    scene.movingTargets.clear();
    scene.labelTargets.clear();
    scene.legend = {};
}

/// Outlines around a block wherever it is drawn.
class Outlines {
  public:
    Outlines(Scene& scene, const FrameContext& frame, Rgba colour, float away)
        : scene_(scene), frame_(frame), colour_(colour), away_(away) {}

    void add(sim::ByteAddress byte) {
        for (std::size_t l = 0; l < frame_.layout.levels.size(); ++l) {
            const LevelRing& ring = frame_.layout.levels[l];
            for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) addInCache(l, shown, byte);
        }
        const std::uint32_t slot = frame_.subject.memorySlots.of(byte);
        if (slot == MemorySlots::kNone) return;
        const std::size_t arc = frame_.subject.memorySlots.spanOf(slot);
        const float radius = std::max(frame_.resting.slotRadius(frame_.lens), 0.5f * movingRadius(frame_, 0));
        for (std::uint32_t p = 0; p < frame_.layout.memory.parts; ++p) {
            ring(frame_.lens.at(frame_.layout.memory.place(arc, slot, p)), radius);
        }
    }

  private:
    void addInCache(std::size_t level, std::uint32_t shown, sim::ByteAddress byte) {
        BlockAt at{
            static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(frame_.layout.cacheShown(level, shown)), {}};
        const sim::Cache& cache = frame_.cache(at);
        at.block = cache.blockOf(byte);
        const std::uint32_t way = cache.find(at.block);
        if (way == sim::Cache::kNoWay) return;
        const SetAt set{at.level, at.cache, cache.setOf(at.block)};
        const Flight* entering = frame_.motions.entering(at);
        const float rank = frame_.motions.rank(at, way, cache.line(set.set, sim::WayIndex{way}));
        const bool cells = frame_.resting.tier(level, frame_.lens) == Tier::cells;
        const float radius = cells ? movingRadius(frame_, level) : frame_.resting.radius(level, frame_.lens);
        for (std::uint32_t p = 0; p < frame_.layout.levels[level].parts(); ++p) {
            const glm::vec2 place =
                entering != nullptr ? frame_.motions.point(*entering, p) : frame_.layout.linePlace(set, rank, p);
            ring(frame_.lens.at(place), radius);
        }
    }

    void ring(glm::vec2 pixel, float radius) {
        const float width = std::max(1.5f, frame_.layout.lineWidth(1.0f / 240));
        if (!frame_.lens.sees(pixel, 2 * radius)) return;
        scene_.moving.push_back(GlyphStyle::ring(colour_, pixel, std::max(radius, 3.0f) + away_ * width, width));
        scene_.movingTargets.push_back({});
    }

    Scene& scene_;
    const FrameContext& frame_;
    Rgba colour_;
    float away_;
};

void addOutlines(Scene& scene, const FrameContext& frame) {
    const Palette& palette = frame.style.palette();
    scene.legend.watched = !frame.view.watched.empty();
    scene.legend.selected = frame.view.marked.has_value();
    Outlines watched(scene, frame, palette.watch, 2.5f);
    for (const sim::ByteAddress byte : frame.view.watched) watched.add(byte);
    if (!frame.view.marked) return;
    // A double ring.
    Outlines(scene, frame, palette.mark, 2.5f).add(*frame.view.marked);
    Outlines(scene, frame, palette.mark, 5.0f).add(*frame.view.marked);
}

/// Whether a set that is shown of a level has a place without a block.
bool hasRoom(const RingLayout& layout, const sim::Hierarchy& caches, std::size_t level) {
    for (std::uint32_t shown = 0; shown < layout.levels[level].caches(); ++shown) {
        const sim::Cache& cache = caches.cache(level, layout.cacheShown(level, shown));
        for (std::uint32_t set = 0; set < cache.sets(); ++set) {
            if (!cache.isFull(sim::SetIndex{set})) return true;
        }
    }
    return false;
}

/// While time runs, signs would come and go in the key too fast to read: list all that may come.
void keepSteady(Legend& legend, const FrameContext& frame) {
    const bool areSeveral = frame.subject.machine.cpus > 1;
    legend.miss = legend.inward = legend.outward = true;
    legend.writeback |= legend.dirty;
    for (const sim::LevelConfig& level : frame.subject.machine.levels) legend.through |= level.passesWrites();
    legend.tied |= moveTicksOf(frame.view) < 2;
    legend.taken |= areSeveral;
    legend.falseSharing |= areSeveral;
    legend.idle |= legend.temperature;
    legend.flows |= frame.view.lapse > 1;
}

/// Notes the signs of resting elements; those of moving ones are noted where these are drawn.
void fillLegend(Legend& legend, const Occupancy::Tally& tally, const RestingGlyphs& resting, const RingLayout& layout,
                const sim::Hierarchy& caches, const Lens& lens, bool isLarge) {
    legend.ghost = tally.ghosts > 0;
    legend.dirty = tally.dirty > 0;
    legend.prefetched = tally.prefetched > 0;
    legend.access = true;
    legend.used = tally.partlyUsed > 0;
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        legend.shared |= resting.shares(l);
        legend.empty |= resting.tier(l, lens) == Tier::glyphs && hasRoom(layout, caches, l);
    }
    legend.shared |= layout.memory.sideFor(lens.zoom, RingLayout::kMemoryRoom * layout.detail) > 1;
    legend.uncached = isLarge;
    legend.byWay = std::find(layout.isByWay.begin(), layout.isByWay.end(), true) != layout.isByWay.end();
}

/// How many times in a frame the blocks of a level are replaced.
double turnoverOf(const sim::Snapshot& snapshot, const RingLayout& layout, const View& view, std::size_t level) {
    std::uint64_t left = 0;
    for (const auto& [key, count] : snapshot.flows.counts()) {
        if (key.level == level && key.kind != sim::FlowKey::Kind::inward) left += count;
    }
    const double frames = static_cast<double>(flowTicksOf(view.lapse)) / static_cast<double>(view.lapse);
    return static_cast<double>(left) / frames / static_cast<double>(layout.levels[level].slots());
}

/// How plain the glyphs of each level are, 0 to 1: in a cache with other blocks in each frame, the marks of copies and
/// dirty blocks would only flicker, so that glyphs show only regions. In steps, so that resting glyphs need not be
/// rewritten in every frame.
std::vector<float> plainnessOf(const sim::Snapshot& snapshot, const RingLayout& layout, const View& view) {
    constexpr double kSteps = 8;
    std::vector<float> plain(layout.levels.size(), 0.0f);
    if (view.lapse <= 1) return plain;
    for (std::size_t l = 0; l < plain.size(); ++l) {
        const double share = std::clamp(2 * turnoverOf(snapshot, layout, view, l) - 1, 0.0, 1.0);
        plain[l] = static_cast<float>(std::round(kSteps * share) / kSteps);
    }
    return plain;
}

using sim::FlowKey;

constexpr float kBroadest = 0.11f;  ///< greatest width of a stream, as a share of the unit
/// Streams of fewer blocks are narrower than kBroadest: otherwise each single block that enters or leaves the count
/// would visibly change the width.
constexpr std::uint64_t kMinBroad = 400;
constexpr int kBandPieces = 18;
constexpr float kTaper = 0.35f;  ///< width of a stream at its end, as a share of that at its beginning
/// Streaks drift in a stream: their number on a path of one unit, their length, and the frames that a streak takes for
/// the path. In one frame a streak moves by less than its length, so that it does not flicker.
constexpr float kStreaks = 7;
constexpr float kStreakLength = 0.06f;  ///< as a share of the unit
constexpr double kStreakFrames = 150;
/// The flows of one region spread over at most this angle, radians.
constexpr float kWidestSpread = 0.7f;

/// Flows of blocks between the rings, drawn under the glyphs when too many blocks move to follow each: a tapering
/// stream for each region and each pair of places, as broad as the number of blocks that took that way, with streaks
/// that drift along it. What comes in and what leaves flow side by side along the region's spoke.
class FlowBands {
  public:
    FlowBands(Scene& scene, const FrameContext& frame)
        : scene_(scene),
          frame_(frame),
          palette_(frame.style.palette()),
          levels_(frame.layout.levels.size()),
          light_(flowShare(frame.snapshot, frame.view)) {
        for (const auto& [key, count] : frame.snapshot.flows.counts()) most_ = std::max(most_, count);
    }

    void add() {
        std::uint32_t index = 0;
        for (const auto& [key, count] : frame_.snapshot.flows.counts()) {
            if (shows(key)) draw(key, count, index);
            ++index;
        }
    }

  private:
    bool shows(const FlowKey& key) const {
        if (key.kind == FlowKey::Kind::inward) return frame_.layout.shows(0, key.cache);
        return key.level < levels_ && frame_.layout.shows(key.level, key.cache);
    }

    void draw(const FlowKey& key, std::uint64_t count, std::uint32_t index) {
        target_ = {
            .kind = Target::Kind::flow, .level = key.level, .cache = key.cache, .region = key.region, .flow = index};
        const float share = static_cast<float>(count) / static_cast<float>(most_);
        const float width = std::max(1.5f * frame_.layout.detail, kBroadest * frame_.layout.unit * share);
        const Rgba hue = frame_.style.hue(key.region);
        switch (key.kind) {
            case FlowKey::Kind::inward:
                stream(inwardPath(key), hue, width, 0.55f, palette_.flash);
                break;
            case FlowKey::Kind::outward:
                stream(outwardPath(key, 0.16f), hue, width, 0.38f, hue);
                break;
            case FlowKey::Kind::writeback:
                stream(outwardPath(key, 0.30f), hue, width, 0.38f, palette_.dirty);
                break;
            case FlowKey::Kind::through:
                stream(outwardPath(key, 0.30f), palette_.dirty, width, 0.3f, palette_.dirty);
                break;
            case FlowKey::Kind::taken:
                stream(takenPath(key), palette_.mark, 0.4f * width, 0.22f, std::nullopt);
                break;
        }
    }

    /// The angle at which a region's flows cross a ring: its arc's, so that they keep together, or that of a sector.
    float angleAt(std::size_t level, std::uint32_t cache, std::uint32_t region, float aside) const {
        const LevelRing& ring = frame_.layout.levels[level];
        if (ring.caches() == 1) return regionAngle(region, aside);
        const Sector sector = ring.sector(frame_.layout.shownAs(level, cache), (ring.inner() + ring.outer()) / 2);
        return sector.from + sector.span * (0.5f + 0.5f * aside);
    }

    float regionAngle(std::uint32_t region, float aside) const {
        const auto& spans = frame_.subject.memorySlots.spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            if (spans[i].region != region) continue;
            const MemoryRing::Arc& arc = frame_.layout.memory.arcs[i];
            return (arc.from + arc.to) / 2 + aside * std::min(arc.to - arc.from, kWidestSpread);
        }
        return -kPi / 2;
    }

    glm::vec2 onRing(std::size_t level, std::uint32_t cache, std::uint32_t region, float aside, float depth) const {
        if (level == levels_) {
            const float angle = regionAngle(region, aside);
            const float r =
                frame_.layout.memory.inner + 0.1f * (frame_.layout.memory.outer - frame_.layout.memory.inner);
            return r * glm::vec2(std::cos(angle), std::sin(angle));
        }
        const LevelRing& ring = frame_.layout.levels[level];
        const float r = ring.inner() + depth * (ring.outer() - ring.inner());
        const float angle = angleAt(level, cache, region, aside);
        return r * glm::vec2(std::cos(angle), std::sin(angle));
    }

    std::vector<glm::vec2> inwardPath(const FlowKey& key) const {
        const std::uint32_t outer = key.level == levels_ ? 0 : frame_.subject.outerCache(key.level, 0, key.cache);
        const glm::vec2 from = onRing(key.level, outer, key.region, -0.18f, 0.5f);
        const glm::vec2 to = onRing(0, key.cache, key.region, -0.18f, 0.75f);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i)
            path.push_back(turning({0, 0}, from, to, static_cast<float>(i) / kBandPieces, 0));
        return path;
    }

    /// Blocks that leave flow along one side of their region's spoke, blocks that come in along the other.
    std::vector<glm::vec2> outwardPath(const FlowKey& key, float aside) const {
        const std::size_t next = key.level + std::size_t{1};
        const std::uint32_t outer = next == levels_ ? 0 : frame_.subject.outerCache(next, key.level, key.cache);
        const glm::vec2 from = onRing(key.level, key.cache, key.region, aside, 0.85f);
        const glm::vec2 to = onRing(next, outer, key.region, aside, 0.25f);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i)
            path.push_back(turning({0, 0}, from, to, static_cast<float>(i) / kBandPieces, 0));
        return path;
    }

    std::vector<glm::vec2> takenPath(const FlowKey& key) const {
        const LevelRing& ring = frame_.layout.levels[key.level];
        const float radius = ring.outer() + 0.25f * frame_.layout.channel;
        const std::uint32_t writer = frame_.subject.machine.cacheOf(key.level, key.other);
        const float from = angleAt(key.level, writer, key.region, 0);
        const float way = std::remainder(angleAt(key.level, key.cache, key.region, 0) - from, 2 * kPi);
        std::vector<glm::vec2> path;
        for (int i = 0; i <= kBandPieces; ++i) {
            const float angle = from + way * static_cast<float>(i) / kBandPieces;
            path.push_back(radius * glm::vec2(std::cos(angle), std::sin(angle)));
        }
        return path;
    }

    /// A band that tapers towards its end, and streaks that drift along it: where they are follows from the time. The
    /// many streams along one ring have none, as they would blur.
    void stream(const std::vector<glm::vec2>& path, Rgba colour, float width, float light,
                std::optional<Rgba> streaks) {
        const auto wide = [&](float along) { return width * (1 - (1 - kTaper) * along); };
        const auto bright = [&](float along) { return light_ * light * (0.45f + 0.55f * along); };
        const auto pieces = static_cast<float>(path.size() - 1);
        float length = 0;
        for (std::size_t i = 1; i < path.size(); ++i) {
            const float from = static_cast<float>(i - 1) / pieces;
            const float to = static_cast<float>(i) / pieces;
            push(path[i - 1], path[i], wide(to), faded(colour, bright(from)), faded(colour, bright(to)));
            length += glm::distance(path[i - 1], path[i]);
        }
        if (length <= 0 || !streaks) return;
        const auto count = static_cast<int>(std::ceil(kStreaks * length / frame_.layout.unit));
        const auto drift = static_cast<float>(
            std::fmod(frame_.snapshot.t / (static_cast<double>(frame_.view.lapse) * kStreakFrames), 1.0));
        const float half = 0.5f * kStreakLength * frame_.layout.unit / length;
        for (int i = 0; i < count; ++i) {
            const float middle = std::fmod((static_cast<float>(i) + 0.5f) / static_cast<float>(count) + drift, 1.0f);
            const float shown = std::min({1.0f, 6 * middle, 6 * (1 - middle)});  // fades in and out at the ends
            const Rgba tint = faded(*streaks, light_ * 0.9f * shown);
            push(along(path, std::max(0.0f, middle - half)), along(path, std::min(1.0f, middle + half)),
                 std::max(1.5f * frame_.layout.detail, 0.3f * wide(middle)), faded(tint, 0.15f), tint);
        }
    }

    static glm::vec2 along(const std::vector<glm::vec2>& path, float share) {
        const float at = share * static_cast<float>(path.size() - 1);
        const std::size_t i = std::min(static_cast<std::size_t>(at), path.size() - 2);
        return straight(path[i], path[i + 1], at - static_cast<float>(i));
    }

    void push(glm::vec2 from, glm::vec2 to, float width, Rgba colourFrom, Rgba colourTo) {
        scene_.flows.push_back({frame_.lens.at(from), frame_.lens.at(to), width, colourFrom, colourTo});
        scene_.flowTargets.push_back(target_);
    }

    Scene& scene_;
    const FrameContext& frame_;
    const Palette& palette_;
    std::size_t levels_;
    float light_;
    std::uint64_t most_ = kMinBroad;
    Target target_;
};

void addFlowBands(Scene& scene, const FrameContext& frame) {
    scene.legend.flows = true;
    FlowBands(scene, frame).add();
}

}  // namespace

SceneBuilder::SceneBuilder(const Subject& subject) : subject_(subject) {}
SceneBuilder::~SceneBuilder() = default;
SceneBuilder::SceneBuilder(SceneBuilder&&) noexcept = default;

const RingLayout& SceneBuilder::layout() const {
    return kept_->layout;
}

const Scene& SceneBuilder::scene(const sim::Snapshot& snapshot, const View& view) {
    if (!kept_ || !kept_->layout.suits(view)) kept_ = std::make_unique<Kept>(subject_, view);
    Kept& kept = *kept_;
    const Lens lens = kept.layout.lensOf(view);
    const Motions motions(snapshot, subject_, kept.layout, view);
    kept.occupancy.follow(snapshot.now.hierarchy(), snapshot.used);

    Scene& scene = kept.scene;
    clear(scene);
    scene.size = view.size;
    scene.centre = lens.at({0, 0});
    scene.ground = view.ground;
    scene.background = paletteFor(view.ground).ground;
    kept.resting.update(scene, view, motions.movingSets(), plainnessOf(snapshot, kept.layout, view));
    const FrameContext frame{snapshot,       subject_,     kept.layout,
                             view,           lens,         motions,
                             kept.occupancy, kept.resting, GlyphStyle(view, subject_.looks)};
    fillLegend(scene.legend, kept.occupancy.tally(), kept.resting, kept.layout, snapshot.now.hierarchy(), lens,
               subject_.isLarge());
    addLevelGauges(scene, frame);
    addRings(scene, frame);
    const float flows = flowShare(snapshot, view);
    if (flows > 0) addFlowBands(scene, frame);
    if (flows < 1) addTrails(scene, frame);
    // A block passes over the only CPU, and under several, whose numbers would be taken for others if they were
    // covered.
    const bool areSeveral = kept.layout.cpus > 1;
    if (!areSeveral) addCpus(scene, frame);
    addMovingGlyphs(scene, frame);
    addOutlines(scene, frame);
    if (areSeveral) addCpus(scene, frame);
    if (view.pace > 0) keepSteady(scene.legend, frame);
    addLabels(scene, frame);
    return scene;
}

}  // namespace whorl::scene
