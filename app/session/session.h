// All that a person has chosen: what is open, where the playhead is, how things look. Plain data; only commands
// (commands.h) and transitions (transitions.h) change it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/session/camera.h"
#include "app/session/opened.h"
#include "app/session/player.h"
#include "app/session/range.h"
#include "app/session/search.h"
#include "app/session/selection.h"
#include "app/session/tour.h"
#include "app/session/view_settings.h"
#include "render/scene/rings/view.h"
#include "sim/base/types.h"

namespace whorl::app {

/// The sizes of the panels, in pixels at scale 1, and as shares of the right column's height. The picture has the rest.
struct PanelSizes {
    static constexpr float kLeastColumn = 120;
    static constexpr float kMostColumn = 900;
    static constexpr float kLeastBottom = 96;
    static constexpr float kMostBottom = 400;
    static constexpr float kLeastShare = 0.05f;
    static constexpr float kMostShare = 0.9f;

    float left = 256;
    float right = 364;
    float bottom = 142;
    float statistics = 0.48f;  ///< a share, likewise
    float source = 0.30f;
};

/// What is dragged to change one of them: the width of a column, the height of the bottom or of a panel.
enum class PanelEdge : std::uint8_t { left, right, bottom, statistics, source };

/// A text field that a key gives the keyboard to.
enum class Field : std::uint8_t { none, input, machine, lookUp };

/// What the strip shows of each stretch.
enum class StripShows : std::uint8_t { hitRates, missKinds, regions };
inline constexpr int kStripShows = 3;

/// What makes a source line hot.
enum class Heat : std::uint8_t { misses, cycles };

/// The field that looks things up, and what it answered last.
struct LookUpField {
    bool open = false;
    std::string text;    ///< what was looked up
    std::string answer;  ///< how it was understood, or why it was not found; empty before the first
    bool found = false;
};

/// What lies over the picture.
struct Overlays {
    bool legend = true;
    bool explain = false;                       ///< the address of the access in motion, and why it missed
    bool picture = false;                       ///< how the picture looks, to be changed
    std::optional<std::uint32_t> regionColour;  ///< the region whose colour is being chosen
};

struct Session {
    Opened opened;                        ///< run is null until something is open
    std::optional<Opened> baseline;       ///< what it was before its layout was changed, to be compared with
    std::optional<OpenRequest> openNext;  ///< taken by the main loop, which opens it
    bool cancelRequested = false;         ///< likewise: background work shall stop
    std::string error;                    ///< shown until it is closed; empty when there is none
    std::string message;                  ///< likewise, what is no error

    std::optional<TourScene> scene;   ///< shown as soon as its run is open
    bool playWhenOpen = false;        ///< the next run that is opened plays at once
    std::optional<double> resumeAt;   ///< the playhead goes there as soon as the run is built that far
    std::optional<sim::Error> fatal;  ///< why there is nothing to show, so that the program ends

    Player player;
    scene::Ground ground = scene::Ground::dark;
    std::uint32_t history = 24;
    std::optional<std::uint64_t> lapse;  ///< accesses a frame; none: follows the playback speed
    Camera camera;
    ViewSettings viewSettings;  ///< which pictures are shown, and how the run's history is looked at
    scene::View look;  ///< what else the picture depends on; the members below and beside it decide over its own
    std::optional<std::uint32_t> cpu;       ///< the only one whose caches the rings show
    std::optional<Selection> selected;      ///< its block, if it is one, is ringed wherever it is
    std::vector<sim::ByteAddress> watched;  ///< the blocks that hold them are ringed, too, and listed
    std::optional<SourceLine> line;         ///< the one to be seen in the listing
    std::optional<std::uint32_t> region;    ///< chosen in the list of regions
    std::optional<RegionPair> pair;         ///< chosen in the list of those that conflict
    std::optional<sim::Range> range;        ///< what the panels measure, and where playing loops
    std::optional<Search> search;           ///< to be looked for
    StripShows strip = StripShows::hitRates;
    Heat heat = Heat::misses;

    bool panels = true;
    bool help = false;
    Overlays overlays;
    LookUpField lookUp;
    Field focus = Field::none;  ///< the field that takes the keyboard in the next frame
    PanelSizes sizes;
    bool quit = false;

    /// What is open, in the order of ViewId::run: the run that the panels measure, then those that it is compared with.
    std::vector<const Opened*> openRuns() const;

    /// As far as can be played now, and whether that is the whole trace.
    double end() const { return opened.run ? static_cast<double>(opened.run->built().value) : 0; }
    bool complete() const { return opened.run && opened.run->complete(); }

    /// The byte of the block that is selected, if one is.
    std::optional<sim::ByteAddress> marked() const { return selected ? selected->byte : std::nullopt; }

    /// Playing faster than this, in accesses a second, a frame shows all since the one before, unless a person has
    /// chosen otherwise.
    static constexpr double kLapsePace = 120;
    static constexpr std::uint64_t kMostLapse = 1'000'000;
    static constexpr std::uint32_t kMostTrails = 256;  ///< accesses
    std::uint64_t lapseNow() const;

    /// The view of a picture of so many pixels.
    scene::View view(glm::vec2 size, float scale) const;
};

}  // namespace whorl::app
