#include "app/session/session.h"

#include <cmath>

namespace whorl::app {

std::vector<const Opened*> Session::openRuns() const {
    std::vector<const Opened*> runs;
    if (opened.run) runs.push_back(&opened);
    if (opened.run && baseline) runs.push_back(&*baseline);
    return runs;
}

std::uint64_t Session::lapseNow() const {
    const bool fast = player.playing() && player.pace() > kLapsePace;
    const std::uint64_t ofPace = fast ? static_cast<std::uint64_t>(std::llround(player.pace() / 60)) : 1;
    return lapse.value_or(ofPace);
}

scene::View Session::view(glm::vec2 size, float scale) const {
    scene::View view = look;
    view.size = size;
    view.textScale = scale;
    view.ground = ground;
    view.moveTicks = player.moveTicks();
    view.pace = player.playing() ? player.pace() : look.pace;
    view.trails = trails;
    view.lapse = lapseNow();
    view.zoom = camera.now().zoom;
    view.focus = camera.now().focus;
    view.cpu = cpu;
    view.marked = marked();
    view.watched = watched;
    return view;
}

}  // namespace whorl::app
