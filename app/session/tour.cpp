#include "app/session/tour.h"

#include <fmt/format.h>

#include <utility>

#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// Fills in the values that a scene leaves out from the scene before.
void follow(TourScene& scene, const TourScene& before) {
    const auto keep = [](auto& value, const auto& known) {
        if (value == std::decay_t<decltype(value)>{}) value = known;
    };
    keep(scene.title, before.title);
    keep(scene.words, before.words);
    scene.input = before.input;
    scene.order = before.order;
    // Settings apply to a machine, so both come from the same scene.
    if (scene.machine.empty()) {
        scene.machine = before.machine;
        keep(scene.settings, before.settings);
    }
    if (!scene.isPair()) {
        scene.with = before.with;
        scene.withMachine = before.withMachine;
        scene.withSettings = before.withSettings;
        scene.lock = before.lock;
    }
    if (!scene.at) scene.at = before.end();
    keep(scene.camera, before.camera);
    scene.fields.insert(before.fields.begin(), before.fields.end());
    scene.commands.insert(scene.commands.begin(), before.commands.begin(), before.commands.end());
}

}  // namespace

std::string adviceAfter(const Tour& tour) {
    return tour.next.empty() ? "Open a file or program of your own: Ctrl+O." : tour.next;
}

TourScene resolvedScene(const Tour& tour, std::size_t index) {
    std::size_t first = index;
    while (first > 0 && tour.scenes[first].continues) --first;
    TourScene scene = tour.scenes[first];
    for (std::size_t i = first + 1; i <= index; ++i) {
        TourScene next = tour.scenes[i];
        follow(next, scene);
        scene = std::move(next);
    }
    scene.continues = false;
    return scene;
}

void standAlone(Tour& tour, std::size_t scene) {
    if (scene < tour.scenes.size() && tour.scenes[scene].continues) tour.scenes[scene] = resolvedScene(tour, scene);
}

sim::Expected<std::size_t> sceneIndex(const Tour& tour, const std::string& id) {
    constexpr std::size_t kNamed = 30;
    std::vector<std::string> ids;
    ids.reserve(tour.scenes.size());
    for (const TourScene& scene : tour.scenes) {
        if (scene.id == id) return ids.size();
        ids.push_back(scene.id);
    }
    const std::string near = sim::didYouMean(id, ids);
    if (ids.size() > kNamed) {
        const std::size_t others = ids.size() - kNamed;
        ids.resize(kNamed);
        ids.push_back(fmt::format("{} others", others));
    }
    return sim::fail({}, fmt::format("there is no scene {}", sim::quotedText(id)),
                     fmt::format("{}the scenes are {}", near, sim::joinNames(ids)));
}

sim::Expected<TourScene> sceneNamed(const Tour& tour, const std::string& id) {
    return sceneIndex(tour, id).map([&](std::size_t index) { return resolvedScene(tour, index); });
}

}  // namespace whorl::app
