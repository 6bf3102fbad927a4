#include "app/session/session.h"

#include <algorithm>

namespace whorl::app {

std::vector<const Opened*> Session::openRuns() const {
    std::vector<const Opened*> runs;
    if (opened.run) runs.push_back(&opened);
    if (opened.run && baseline) runs.push_back(&*baseline);
    return runs;
}

std::uint64_t Session::lapseNow() const {
    const double pace = player.playing() ? player.pace() : 0;
    return std::min(scene::lapseAt(pace, kFramesPerSecond, lapse), kMostLapse);
}

scene::View Session::view(glm::vec2 size, float scale) const {
    scene::View view = look;
    view.size = size;
    view.textScale = scale;
    view.ground = ground;
    view.moveTicks = player.moveTicks();
    view.pace = player.playing() ? player.pace() : look.pace;
    view.numbered = view.pace == 0;
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
