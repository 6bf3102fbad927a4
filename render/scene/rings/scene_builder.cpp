#include "render/scene/rings/scene_builder.h"

#include <algorithm>

#include "render/scene/rings/flow_bands.h"
#include "render/scene/rings/labels.h"
#include "render/scene/rings/level_gauges.h"
#include "render/scene/rings/moving_glyphs.h"
#include "render/scene/rings/plainness.h"
#include "render/scene/rings/ring_decor.h"
#include "render/scene/rings/trails.h"

namespace whorl::scene {

/// What is kept from frame to frame, as long as the layout suits.
struct SceneBuilder::Kept {
    Kept(const Subject& subject, const View& view)
        : layout(subject, view), occupancy(subject, layout), resting(subject, layout, occupancy) {}

    RingLayout layout;
    Occupancy occupancy;
    RestingGlyphs resting;
    Scene scene;
};

namespace {

/// Removes everything but what rests.
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

/// While time flows, signs would come and go in the key faster than it can be read: it lists all that may come.
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

/// The signs of what rests; those of what moves are noted where it is drawn.
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
