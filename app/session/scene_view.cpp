#include "app/session/scene_view.h"

#include <algorithm>

namespace whorl::app {

void takeView(const TourScene& scene, Session& session) {
    if (scene.history) session.history = std::min(*scene.history, 256u);
    if (scene.lapse) session.lapse = std::clamp<std::uint64_t>(*scene.lapse, 1, Session::kMostLapse);
    if (scene.elements) session.look.grain = *scene.elements ? scene::Grain::elements : scene::Grain::blocks;
}

}  // namespace whorl::app
