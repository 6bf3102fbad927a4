// All that a person has chosen: what is open, where the playhead is, how things look. Plain data; only actions change
// it.
#pragma once

#include <optional>
#include <string>

#include "app/opening.h"
#include "app/player.h"
#include "render/scene/view.h"
#include "sim/types.h"

namespace whorl::app {

/// The sizes of the panels, in pixels at scale 1. The picture has the rest.
struct PanelSizes {
    float left = 256;
    float right = 364;
    float bottom = 142;
    float statistics = 0.375f;  ///< shares of the right column's height
    float source = 0.365f;
};

struct Session {
    Opened opened;                      ///< run is null until something is open
    std::optional<OpenRequest> wanted;  ///< to be opened next
    bool cancelWanted = false;          ///< what is being opened or built shall stop
    std::string notice;                 ///< an error to be read; empty when there is none

    Player player;
    scene::Ground ground = scene::Ground::dark;
    std::uint32_t history = 24;
    std::optional<sim::ByteAddress> selected;  ///< the block that holds it is ringed wherever it is

    bool panels = true;
    bool help = false;
    PanelSizes sizes;
    bool quit = false;

    /// As far as can be played now, and whether that is the whole trace.
    double end() const { return opened.run ? static_cast<double>(opened.run->built().value) : 0; }
    bool complete() const { return opened.run && opened.run->complete(); }

    scene::View view(glm::vec2 size, float scale) const {
        return {.size = size,
                .ground = ground,
                .textScale = scale,
                .moveTicks = player.moveTicks(),
                .history = history,
                .marked = selected};
    }
};

}  // namespace whorl::app
