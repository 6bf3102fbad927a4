// All that a person has chosen: what is open, where the playhead is, how things look. Plain data; only actions change
// it.
#pragma once

#include <optional>
#include <string>

#include "app/hunt.h"
#include "app/opening.h"
#include "app/player.h"
#include "app/range.h"
#include "render/scene/view.h"
#include "sim/types.h"

namespace whorl::app {

/// The sizes of the panels, in pixels at scale 1. The picture has the rest.
struct PanelSizes {
    float left = 256;
    float right = 364;
    float bottom = 142;
    float statistics = 0.48f;  ///< shares of the right column's height
    float source = 0.30f;
};

/// A text field that a key gives the keyboard to.
enum class Field : std::uint8_t { none, input, machine };

/// What the strip shows of each stretch.
enum class StripShows : std::uint8_t { hitRates, missKinds, regions };
inline constexpr int kStripShows = 3;

/// What makes a source line hot.
enum class Heat : std::uint8_t { misses, cycles };

struct Session {
    Opened opened;                      ///< run is null until something is open
    std::optional<OpenRequest> wanted;  ///< to be opened next
    bool cancelWanted = false;          ///< what is being opened or built shall stop
    std::string notice;                 ///< an error to be read; empty when there is none
    std::string remark;                 ///< what else there is to say, until it is read; or empty

    Player player;
    scene::Ground ground = scene::Ground::dark;
    std::uint32_t history = 24;
    scene::View look;  ///< what else the picture depends on; the members below and beside it decide over its own
    std::optional<std::uint32_t> cpu;          ///< the only one whose caches the rings show
    std::optional<sim::ByteAddress> selected;  ///< the block that holds it is ringed wherever it is
    std::optional<std::uint32_t> region;       ///< chosen in the list of regions
    std::optional<RegionPair> pair;            ///< chosen in the list of those that throw each other out
    std::optional<Range> range;                ///< what the panels measure, and where playing loops
    std::optional<Hunt> hunt;                  ///< to be looked for
    StripShows strip = StripShows::hitRates;
    Heat heat = Heat::misses;

    bool panels = true;
    bool help = false;
    Field focus = Field::none;  ///< the field that takes the keyboard in the next frame
    PanelSizes sizes;
    bool quit = false;

    /// As far as can be played now, and whether that is the whole trace.
    double end() const { return opened.run ? static_cast<double>(opened.run->built().value) : 0; }
    bool complete() const { return opened.run && opened.run->complete(); }

    scene::View view(glm::vec2 size, float scale) const {
        scene::View view = look;
        view.size = size;
        view.textScale = scale;
        view.ground = ground;
        view.moveTicks = player.moveTicks();
        view.pace = player.playing() ? player.pace() : 0;
        view.history = history;
        view.cpu = cpu;
        view.marked = selected;
        return view;
    }
};

}  // namespace whorl::app
