#include "app/tasks/scene_telling.h"

namespace whorl::app {

void SceneTelling::update(Session& session) {
    auto untold = untoldScene(session);
    if (!untold) {
        telling_.reset();
        return;
    }
    const std::size_t index = untold->index;
    const Key key{untold->scene, index, untold->runs.first, untold->runs.second};
    telling_.ask(key, [untold = *std::move(untold)](sim::Progress& progress) { return told(untold, progress); });
    if (telling_.update() && telling_.answer()) takeTold(session, index, *telling_.answer());
}

}  // namespace whorl::app
