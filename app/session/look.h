// What is looked at, and how: every setting of the pictures, which views are shown, what is selected. A value: undoing
// gives one back, a tour keeps the one that it found, the file of settings holds a part of it. The settings that have a
// command of their own are the rows of settings.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "app/session/player.h"
#include "app/session/selection.h"
#include "app/session/view_settings.h"
#include "render/scene/rings/view.h"
#include "render/scene/time_axis.h"
#include "sim/base/types.h"

namespace whorl::app {

/// The value of a setting: nothing where it has none, on or off, the index of a word, a whole number, a number.
struct WordIndex {
    std::size_t index = 0;
    bool operator==(const WordIndex&) const = default;
};
using SettingValue = std::variant<std::monostate, bool, WordIndex, std::uint64_t, float, double>;

/// Panel sizes, in pixels at scale 1 or as fractions of the height of their column. The picture fills the rest.
struct PanelSizes {
    static constexpr float kMinColumn = 120;
    static constexpr float kMaxColumn = 900;
    static constexpr float kMinBottom = 96;
    static constexpr float kMaxBottom = 400;
    static constexpr float kMinShare = 0.05f;
    static constexpr float kMaxShare = 0.9f;

    float left = 300;
    float right = 364;
    float bottom = 142;
    float statistics = 0.48f;  ///< a fraction, as is `source`
    float source = 0.30f;
    float picked = 0.42f;  ///< of the left column
    bool operator==(const PanelSizes&) const = default;
};

/// Which sections of the left column are open; the others are folded to their headings.
struct Sections {
    bool watched = true;
    bool trace = true;
    bool machine = true;
    bool views = true;
    bool regions = true;
    bool evictions = true;
    bool classes = true;
    bool whatIf = true;
    bool tour = true;
    bool operator==(const Sections&) const = default;
};

/// What the strip shows for each interval.
enum class StripShows : std::uint8_t { hitRates, missKinds, regions, traffic, cycles };
inline constexpr int kStripShows = 5;

/// The measure of the heat in the source listing.
enum class Heat : std::uint8_t { misses, cycles };

/// What the scenes of a tour arrange: each begins with that of a new session.
struct SceneLook {
    ViewSettings viewSettings;           ///< which views are shown, and the settings of the history views
    scene::View ringView;                ///< the rings' other settings; Session::view() overrides some
    std::uint32_t trails = 24;           ///< accesses whose pathlines are shown
    std::optional<std::uint64_t> lapse;  ///< accesses per frame; none: follows the playback speed
    std::optional<std::uint32_t> cpu;    ///< the rings show only this CPU's caches; none: all
    bool legend = true;
    bool explain = false;  ///< the address of the current access, and why it missed

    static constexpr std::uint32_t kMaxTrails = 256;  ///< accesses
    static constexpr std::uint64_t kMaxLapse = 1'000'000;
    bool operator==(const SceneLook&) const = default;
};

/// Two are equal if they look the same, but for cameras on their way.
struct Look : SceneLook {
    scene::Ground ground = scene::Ground::dark;
    std::optional<Selection> selected;      ///< if it is a block, the block is ringed everywhere
    std::vector<sim::ByteAddress> watched;  ///< the blocks that contain them are ringed, too, and listed
    std::optional<SourceLine> line;         ///< made visible in the listing
    std::optional<std::uint32_t> region;    ///< selected in the list of regions
    std::optional<RegionPair> pair;         ///< selected in the list of conflicting pairs
    std::optional<scene::TimeSpan> seen;    ///< what pictures over time show; none: all
    std::optional<sim::Range> range;        ///< what the panels measure, and what is played
    StripShows strip = StripShows::hitRates;
    Heat heat = Heat::misses;
    TimeLock lock = TimeLock::access;  ///< how the playheads of compared runs follow that of the open run
    bool reducedMotion = false;        ///< glyphs fade instead of moving

    /// How much larger the interface is than the display asks for: 0.5 to 4.
    static constexpr float kMinUiScale = 0.5f;
    static constexpr float kMaxUiScale = 4;
    float uiScale = 1;
    bool lecture = false;  ///< text that can be read from the last row of a lecture hall
    bool panels = true;
    bool menuBar = true;   ///< above the panels
    bool caption = false;  ///< what the picture shows, in words; a scene's words do not fade
    PanelSizes sizes;
    Sections sections;

    /// The part that scenes arrange.
    SceneLook& sceneLook() { return *this; }
    const SceneLook& sceneLook() const { return *this; }

    bool operator==(const Look&) const = default;
};

}  // namespace whorl::app
