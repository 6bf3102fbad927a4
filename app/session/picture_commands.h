// Commands that change the appearance of the rings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct PictureCard {
    Switch on;
    static constexpr auto kForm =
        form("picture-card", "show or hide the display settings", argument("on", &PictureCard::on));
};
void apply(Session& session, const PictureCard& command);

struct Trails {
    std::uint32_t accesses = 0;
    static constexpr auto kForm =
        form("trails", "show the pathlines of this many accesses", argument("accesses", &Trails::accesses));
};
void apply(Session& session, const Trails& command);

struct TrailsLonger {
    static constexpr auto kForm = form("trails-longer", "longer pathlines");
};
void apply(Session& session, const TrailsLonger&);

struct TrailsShorter {
    static constexpr auto kForm = form("trails-shorter", "shorter pathlines");
};
void apply(Session& session, const TrailsShorter&);

struct Lapse {
    std::uint64_t accesses = 1;
    static constexpr auto kForm =
        form("lapse", "time-lapse: this many accesses per frame", argument("accesses", &Lapse::accesses));
};
void apply(Session& session, const Lapse& command);

struct LapseLonger {
    static constexpr auto kForm = form("lapse-longer", "time-lapse: more accesses per frame");
};
void apply(Session& session, const LapseLonger&);

struct LapseShorter {
    static constexpr auto kForm = form("lapse-shorter", "time-lapse: fewer accesses per frame");
};
void apply(Session& session, const LapseShorter&);

struct LapseFollows {
    static constexpr auto kForm = form("lapse-follows", "time-lapse follows the playback speed");
};
void apply(Session& session, const LapseFollows&);

struct ReducedMotion {
    Switch on;
    static constexpr auto kForm =
        form("reduced-motion", "reduced motion: glyphs fade instead of moving", argument("on", &ReducedMotion::on));
};
void apply(Session& session, const ReducedMotion& command);

struct Gauge {
    sim::GaugeSettings::What measure = sim::GaugeSettings::What::nothing;
    static constexpr auto kForm =
        form("gauge", "the measure of the level gauges", argument("measure", &Gauge::measure));
};
void apply(Session& session, const Gauge& command);

struct GaugeNext {
    static constexpr auto kForm = form("gauge-next", "the next measure of the level gauges");
};
void apply(Session& session, const GaugeNext&);

struct GaugePrevious {
    static constexpr auto kForm = form("gauge-previous", "the previous one");
};
void apply(Session& session, const GaugePrevious&);

/// Without an argument: the next one.
struct GaugeOver {
    std::optional<sim::GaugeSettings::Over> over;
    static constexpr auto kForm =
        form("gauge-over", "what the level gauges are taken over: the last accesses, the range or the run",
             argument("over", &GaugeOver::over));
};
void apply(Session& session, const GaugeOver& command);

struct GaugeWindow {
    std::uint32_t accesses = 1;
    static constexpr auto kForm = form("gauge-window", "the window of the level gauges, in accesses",
                                       argument("accesses", &GaugeWindow::accesses));
};
void apply(Session& session, const GaugeWindow& command);

struct GaugeWindowLonger {
    static constexpr auto kForm = form("gauge-window-longer", "a longer window of the level gauges");
};
void apply(Session& session, const GaugeWindowLonger&);

struct GaugeWindowShorter {
    static constexpr auto kForm = form("gauge-window-shorter", "a shorter window of the level gauges");
};
void apply(Session& session, const GaugeWindowShorter&);

struct GaugeScores {
    double nearestMiss = 0;
    double miss = 0;
    double hit = 0;
    static constexpr auto kForm =
        form("gauge-scores", "what a miss in the nearest level, another miss and a hit add to the temperature",
             argument("nearest-miss", &GaugeScores::nearestMiss), argument("miss", &GaugeScores::miss),
             argument("hit", &GaugeScores::hit));
};
void apply(Session& session, const GaugeScores& command);

struct GaugeRegion {
    std::uint32_t region = 0;
    static constexpr auto kForm =
        form("gauge-region", "the region whose share the level gauges show", argument("region", &GaugeRegion::region));
};
void apply(Session& session, const GaugeRegion& command);

struct GaugeKind {
    sim::MissKind kind = sim::MissKind::conflict;
    static constexpr auto kForm =
        form("gauge-kind", "the kind of misses whose share the level gauges show", argument("kind", &GaugeKind::kind));
};
void apply(Session& session, const GaugeKind& command);

struct Grain {
    std::optional<scene::Grain> grain;
    static constexpr auto kForm =
        form("grain", "glyphs show blocks, elements, or what fits", argument("grain", &Grain::grain));
};
void apply(Session& session, const Grain& command);

struct Rings {
    std::optional<scene::RingSizes> sizes;
    static constexpr auto kForm = form("rings", "the room of the rings follows what can be in them, or their capacity",
                                       argument("sizes", &Rings::sizes));
};
void apply(Session& session, const Rings& command);

struct Lecture {
    Switch on;
    static constexpr auto kForm = form("lecture", "large text for a lecture hall", argument("on", &Lecture::on));
};
void apply(Session& session, const Lecture& command);

/// Without a factor: to 1.
struct Scale {
    std::optional<float> factor;
    static constexpr auto kForm =
        form("scale", "how much larger everything is than the display asks for", argument("factor", &Scale::factor));
};
void apply(Session& session, const Scale& command);

struct ScaleUp {
    static constexpr auto kForm = form("scale-up", "everything larger");
};
void apply(Session& session, const ScaleUp&);

struct ScaleDown {
    static constexpr auto kForm = form("scale-down", "everything smaller");
};
void apply(Session& session, const ScaleDown&);

struct FillByUse {
    Switch on;
    static constexpr auto kForm =
        form("fill-by-use", "glyphs fill up as the bytes of their blocks are used", argument("on", &FillByUse::on));
};
void apply(Session& session, const FillByUse& command);

struct Ground {
    std::optional<scene::Ground> ground;
    static constexpr auto kForm = form("ground", "dark or light ground", argument("ground", &Ground::ground));
};
void apply(Session& session, const Ground& command);

struct RegionColour {
    std::uint32_t region = 0;
    scene::Rgba colour;
    static constexpr auto kForm =
        form("region-colour", "set the colour of a region", argument("region", &RegionColour::region),
             argument("colour", &RegionColour::colour));
};
void apply(Session& session, const RegionColour& command);

struct RegionColourReset {
    std::uint32_t region = 0;
    static constexpr auto kForm =
        form("region-colour-reset", "reset the colour of a region", argument("region", &RegionColourReset::region));
};
void apply(Session& session, const RegionColourReset& command);

struct RegionColoursReset {
    static constexpr auto kForm = form("region-colours-reset", "reset the colours of all regions");
};
void apply(Session& session, const RegionColoursReset&);

/// Opens the card for choosing a region's colour. Without a region: closes the card if it is open, else opens it for
/// the selected region, or the first.
struct RegionColourCard {
    std::optional<std::uint32_t> region;
    static constexpr auto kForm =
        form("region-colour-card", "choose the colour of a region", argument("region", &RegionColourCard::region));
};
void apply(Session& session, const RegionColourCard& command);

using PictureCommands =
    CommandList<PictureCard, Trails, TrailsLonger, TrailsShorter, Lapse, LapseLonger, LapseShorter, LapseFollows,
                ReducedMotion, Gauge, GaugeNext, GaugePrevious, GaugeOver, GaugeWindow, GaugeWindowLonger,
                GaugeWindowShorter, GaugeScores, GaugeRegion, GaugeKind, Grain, Rings, Lecture, Scale, ScaleUp,
                ScaleDown, FillByUse, Ground, RegionColour, RegionColourReset, RegionColoursReset, RegionColourCard>;
std::vector<CommandType> typesOf(PictureCommands);

}  // namespace command
}  // namespace whorl::app
