#include "app/views/space/space_views.h"

#include <utility>

#include "render/scene/palette.h"

namespace whorl::app {

ShownHistory::ShownHistory(std::shared_ptr<const sim::Trace> trace, std::shared_ptr<const sim::History> history)
    : trace_(std::move(trace)), history_(std::move(history)) {
    for (const sim::Object& o : trace_->objects()) placeOfClass_[o.className] = 0;
    for (const sim::CostClass& k : history_->classes) placeOfClass_[k.name] = 0;
    std::uint32_t place = 0;
    for (auto& [name, at] : placeOfClass_) at = place++;
}

std::vector<scene::Rgba> ShownHistory::hues(const ViewSettings& viewSettings, scene::Ground ground) const {
    std::vector<scene::Rgba> hues;
    hues.reserve(history_->classes.size());
    for (const sim::CostClass& k : history_->classes) {
        const auto given = viewSettings.hues.find(k.name);
        hues.push_back(given != viewSettings.hues.end() ? given->second
                                                        : scene::classColour(ground, placeOfClass_.at(k.name)));
    }
    return hues;
}

std::shared_ptr<const std::vector<scene::Rgba>> ShownHistory::classColours(const std::vector<sim::CostNode>& nodes,
                                                                           const ViewSettings& viewSettings,
                                                                           scene::Ground ground,
                                                                           scene::Rgba plain) const {
    std::vector<scene::Rgba> ofClass = hues(viewSettings, ground);
    for (std::size_t i = 0; i < ofClass.size(); ++i) {
        if (!viewSettings.colours(history_->classes[i].name)) ofClass[i] = plain;
    }
    std::vector<scene::Rgba> colours;
    colours.reserve(nodes.size());
    for (const sim::CostNode& n : nodes) {
        colours.push_back(n.classId == sim::CostNode::kNoClass ? plain : ofClass[n.classId]);
    }
    return std::make_shared<const std::vector<scene::Rgba>>(std::move(colours));
}

Picks picksOf(const RunContext& context) {
    const ViewSettings& viewSettings = context.viewSettings;
    Picks picks{.source = viewSettings.source,
                .object = viewSettings.object,
                .memory = {},
                .stay = viewSettings.stay,
                .byte = {},
                .sourceIsNewer = viewSettings.sourceIsNewer};
    if (picks.object && context.opened.run) picks.memory = memoryOf(*picks.object, context.opened.run->trace());
    if (!viewSettings.object && !viewSettings.stay) picks.byte = context.marked();
    return picks;
}

SpaceViews::Key SpaceViews::keyOf(const ViewQuery& query) const {
    const RunContext& context = query.context;
    Key key{.viewSettings = context.viewSettings,
            .picks = picksOf(context),
            .size = query.size,
            .scale = query.scale,
            .ground = context.ground};
    // Reset what does not affect pictures in space.
    key.viewSettings.shown.clear();
    key.viewSettings.aside.clear();
    key.viewSettings.arrangement.reset();
    key.viewSettings.active = {};
    key.viewSettings.wanted = {};
    key.viewSettings.lensWanted = false;
    key.viewSettings.wordsFit = false;
    key.viewSettings.cells.clear();
    key.viewSettings.histories.clear();
    key.viewSettings.phases = {};
    key.viewSettings.place.reset();
    key.viewSettings.collisionLevel = 0;
    key.viewSettings.collisionsOf = {};
    key.viewSettings.collisionsPicked = false;
    key.viewSettings.collisionSight.reset();
    std::erase_if(key.viewSettings.sights,
                  [&](const auto& s) { return s.first != query.view.withoutRun() || !s.second.byHand; });
    return key;
}

scene::SpaceCamera SpaceViews::cameraOf(const ViewQuery& query) {
    const ViewSettings& viewSettings = query.context.viewSettings;
    const auto sight = viewSettings.sights.find(query.view.withoutRun());
    if (sight != viewSettings.sights.end() && sight->second.byHand) return sight->second.camera;
    scene::SpaceCamera camera = firstCamera(query);
    if (viewSettings.direction) {
        camera.azimuth = viewSettings.direction->x;
        camera.elevation = viewSettings.direction->y;
    }
    camera.perspective = viewSettings.perspective.value_or(camera.perspective);
    return placed(query, keyOf(query), camera);
}

bool SpaceViews::isZoomed(const ViewQuery& query) {
    const scene::SpaceCamera camera = cameraOf(query);
    return camera.span < 0.98f * placed(query, keyOf(query), camera).span;
}

const scene::SpaceScene& SpaceViews::scene(const ViewQuery& query) {
    Key key = keyOf(query);
    Kept& kept = kept_[query.view];
    if (!(kept.key == key) || kept.scene.size != glm::vec2(query.size)) {
        kept.scene = make(query, key, cameraOf(query));
        kept.key = std::move(key);
    }
    moveTo(kept.scene, query);
    return kept.scene;
}

}  // namespace whorl::app
