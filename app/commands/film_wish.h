// "Record this": a stretch that the window shows, as a tour of one scene, which `whorl record` films.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/session/session.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

struct FilmWish {
    Tour tour;                         ///< of one scene; files in it have absolute paths
    std::vector<std::string> sources;  ///< the folders of these files
    std::string name;                  ///< of the film, without an ending
    glm::ivec2 size;                   ///< of its pictures in pixels, even as videos need it
    scene::Ground ground = scene::Ground::dark;
    float scale = 1;  ///< of texts
};

/// The selected range, or without one the next 20 seconds, as it plays now. The error says why it cannot be recorded
/// from the window.
sim::Expected<FilmWish> filmOfMoment(const Session& session);

}  // namespace whorl::app
