#include "app/tours/scene_sight.h"

#include <optional>

#include "render/scene/rings/ring_layout.h"

namespace whorl::app {

namespace {

scene::RingLayout layoutOf(const Opened& opened, const scene::View& view) {
    return {scene::Subject{opened.run->trace(), opened.run->machine(), *opened.memorySlots, *opened.regionLooks,
                           opened.usable},
            view};
}

/// The middle of a region's memory, relative to the centre of the rings, as a share of the unit.
std::optional<glm::vec2> middleOf(const std::string& region, const Opened& opened, const scene::View& view) {
    const scene::RingLayout layout = layoutOf(opened, view);
    const auto& arcs = layout.memory.arcs;
    for (std::size_t a = 0; a < arcs.size(); ++a) {
        const auto& regions = opened.run->trace().regions();
        if (arcs[a].region >= regions.size() || regions[arcs[a].region].name != region) continue;
        return layout.memory.place(a, arcs[a].firstSlot + arcs[a].slots / 2) / layout.unit;
    }
    return std::nullopt;
}

}  // namespace

std::vector<float> ringsOf(const Opened& opened, scene::View view) {
    view.growth = {};
    const scene::RingLayout layout = layoutOf(opened, view);
    std::vector<float> outer;
    // Where there is no cache, rings grow out of the core.
    if (layout.levels.empty()) outer.push_back(layout.core / layout.unit);
    for (const scene::LevelRing& level : layout.levels) outer.push_back(level.outer() / layout.unit);
    return outer;
}

Camera::Sight sightOf(const TourScene& scene, const Opened& opened, const scene::View& view) {
    if (!scene.camera) return {};
    const SceneCamera& camera = *scene.camera;
    if (camera.region.empty()) return Camera::kept({camera.zoom, camera.focus});
    const auto middle = middleOf(camera.region, opened, view);
    return middle ? Camera::kept({camera.zoom, *middle}) : Camera::Sight{};
}

}  // namespace whorl::app
