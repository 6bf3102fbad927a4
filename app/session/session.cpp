#include "app/session/session.h"

#include <algorithm>
#include <cmath>

namespace whorl::app {

std::vector<const Opened*> Session::openRuns() const {
    std::vector<const Opened*> runs;
    if (opened.run) runs.push_back(&opened);
    for (const Beside& other : beside) {
        if (opened.run) runs.push_back(&other.opened);
    }
    return runs;
}

std::size_t Session::unchangedRun() const {
    const auto found = std::find_if(beside.begin(), beside.end(), [](const Beside& b) { return b.unchanged; });
    return found == beside.end() ? 0 : 1 + static_cast<std::size_t>(found - beside.begin());
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
