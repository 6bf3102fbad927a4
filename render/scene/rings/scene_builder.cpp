#include "render/scene/rings/scene_builder.h"

#include <algorithm>

#include "render/scene/rings/level_gauges.h"
#include "render/scene/rings/moving_glyphs.h"
#include "render/scene/rings/ring_decor.h"
#include "render/scene/rings/streams.h"
#include "render/scene/rings/trails.h"

namespace whorl::scene {

/// What is kept: all for one layout.
struct SceneBuilder::Kept {
    Kept(const Subject& subject, const View& view)
        : layout(subject.machine, subject.trace, subject.memorySlots, view),
          occupancy(subject, layout),
          resting(subject, layout, occupancy) {}

    RingLayout layout;
    Occupancy occupancy;
    RestingGlyphs resting;
    Scene scene;
};

namespace {

/// Everything but what rests.
void clear(Scene& scene) {
    scene.annuli.clear();
    scene.petals.clear();
    scene.ribbons.clear();
    scene.trails.clear();
    scene.moving.clear();
    scene.labels.clear();
    scene.trailTargets.clear();
    scene.movingTargets.clear();
    scene.labelTargets.clear();
    scene.legend = {};
}

/// A ring around a block wherever it is drawn.
class Marks {
  public:
    Marks(Scene& scene, const Shot& shot, Rgba colour, float away)
        : scene_(scene), shot_(shot), colour_(colour), away_(away) {}

    void add(sim::ByteAddress byte) {
        for (std::size_t l = 0; l < shot_.layout.levels.size(); ++l) {
            const LevelRing& ring = shot_.layout.levels[l];
            for (std::uint32_t shown = 0; shown < ring.caches(); ++shown) addInCache(l, shown, byte);
        }
        const std::uint32_t slot = shot_.subject.memorySlots.of(byte);
        if (slot == MemorySlots::kNone) return;
        const std::size_t arc = shot_.subject.memorySlots.spanOf(slot);
        const float radius = std::max(shot_.resting.slotRadius(shot_.lens), 0.5f * movingRadius(shot_, 0));
        for (std::uint32_t p = 0; p < shot_.layout.memory.parts; ++p) {
            ring(shot_.lens.at(shot_.layout.memory.place(arc, slot, p)), radius);
        }
    }

  private:
    void addInCache(std::size_t level, std::uint32_t shown, sim::ByteAddress byte) {
        BlockAt at{
            static_cast<std::uint8_t>(level), static_cast<std::uint8_t>(shot_.layout.cacheShown(level, shown)), {}};
        const sim::Cache& cache = shot_.cache(at);
        at.block = cache.blockOf(byte);
        const std::uint32_t way = cache.find(at.block);
        if (way == sim::Cache::kNoWay) return;
        const SetAt set{at.level, at.cache, cache.setOf(at.block)};
        const Flight* entering = shot_.motions.entering(at);
        const float rank = shot_.motions.rank(at, cache.line(set.set, sim::WayIndex{way}));
        const bool cells = shot_.resting.tier(level, shot_.lens) == Tier::cells;
        const float radius = cells ? movingRadius(shot_, level) : shot_.resting.radius(level, shot_.lens);
        for (std::uint32_t p = 0; p < shot_.layout.levels[level].parts(); ++p) {
            const glm::vec2 place =
                entering != nullptr ? shot_.motions.point(*entering, p) : shot_.layout.linePlace(set, rank, p);
            ring(shot_.lens.at(place), radius);
        }
    }

    void ring(glm::vec2 pixel, float radius) {
        const float width = std::max(1.5f, shot_.layout.unit / 240);
        if (!shot_.lens.sees(pixel, 2 * radius)) return;
        scene_.moving.push_back({.at = pixel,
                                 .radius = std::max(radius, 3.0f) + away_ * width,
                                 .fill = faded(colour_, 0),
                                 .rim = colour_,
                                 .rimWidth = width});
        scene_.movingTargets.push_back({});
    }

    Scene& scene_;
    const Shot& shot_;
    Rgba colour_;
    float away_;
};

void addMarks(Scene& scene, const Shot& shot) {
    const Palette& palette = shot.style.palette();
    scene.legend.watched = !shot.view.watched.empty();
    scene.legend.selected = shot.view.marked.has_value();
    Marks watched(scene, shot, palette.watch, 2.5f);
    for (const sim::ByteAddress byte : shot.view.watched) watched.add(byte);
    if (!shot.view.marked) return;
    // A double ring.
    Marks(scene, shot, palette.mark, 2.5f).add(*shot.view.marked);
    Marks(scene, shot, palette.mark, 5.0f).add(*shot.view.marked);
}

/// The signs that rest in the picture.
void fillLegend(Legend& legend, const Occupancy::Tally& tally, const RestingGlyphs& resting, const RingLayout& layout,
                const Lens& lens) {
    legend.ghost = tally.ghosts > 0;
    legend.dirty = tally.dirty > 0;
    legend.prefetched = tally.prefetched > 0;
    legend.access = true;
    bool arms = false;
    for (std::size_t l = 0; l < layout.levels.size(); ++l) {
        legend.shared |= resting.tier(l, lens) == Tier::cells;
        arms |= resting.tier(l, lens) == Tier::glyphs;
    }
    legend.shared |= layout.memory.sideFor(lens.zoom, RingLayout::kMemoryRoom * layout.detail) > 1;
    legend.empty = arms && tally.held < tally.places;
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
    kept.occupancy.follow(snapshot.now.hierarchy());

    Scene& scene = kept.scene;
    clear(scene);
    scene.size = view.size;
    scene.centre = lens.at({0, 0});
    scene.ground = view.ground;
    scene.background = paletteFor(view.ground).ground;
    kept.resting.update(scene, view, motions.movingSets());
    const Shot shot{snapshot,       subject_,     kept.layout,     view, lens, motions,
                    kept.occupancy, kept.resting, GlyphStyle(view)};
    fillLegend(scene.legend, kept.occupancy.tally(), kept.resting, kept.layout, lens);
    addLevelGauges(scene, shot);
    addRings(scene, shot);
    if (isFlow(snapshot, view)) {
        addStreams(scene, shot);
    } else {
        addTrails(scene, shot);
    }
    addMovingGlyphs(scene, shot);
    addMarks(scene, shot);
    addLabels(scene, shot);
    return scene;
}

}  // namespace whorl::scene
