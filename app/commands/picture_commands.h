// Commands that change the appearance of the rings.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct PictureCard {
    Switch on;
    static constexpr auto kForm =
        form("picture-card", "show or hide the display settings", argument("on", &PictureCard::on));
};
void apply(Session& session, const PictureCard& command);

struct TrailsLonger {
    static constexpr auto kForm = form("trails-longer", "longer pathlines").joining();
};
void apply(Session& session, const TrailsLonger&);

struct TrailsShorter {
    static constexpr auto kForm = form("trails-shorter", "shorter pathlines").joining();
};
void apply(Session& session, const TrailsShorter&);

struct LapseLonger {
    static constexpr auto kForm = form("lapse-longer", "time-lapse: more accesses per frame").joining();
};
void apply(Session& session, const LapseLonger&);

struct LapseShorter {
    static constexpr auto kForm = form("lapse-shorter", "time-lapse: fewer accesses per frame").joining();
};
void apply(Session& session, const LapseShorter&);

struct LapseFollows {
    static constexpr auto kForm = form("lapse-follows", "time-lapse follows the playback speed");
};
void apply(Session& session, const LapseFollows&);

struct GaugeNext {
    static constexpr auto kForm = form("gauge-next", "the next measure of the level gauges");
};
void apply(Session& session, const GaugeNext&);

struct GaugePrevious {
    static constexpr auto kForm = form("gauge-previous", "the previous one");
};
void apply(Session& session, const GaugePrevious&);

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
        sceneForm("gauge-scores", "what a miss in the nearest level, another miss and a hit add to the temperature",
                  argument("nearest-miss", &GaugeScores::nearestMiss), argument("miss", &GaugeScores::miss),
                  argument("hit", &GaugeScores::hit))
            .joining();
};
void apply(Session& session, const GaugeScores& command);

struct ScaleUp {
    static constexpr auto kForm = form("scale-up", "everything larger").joining();
};
void apply(Session& session, const ScaleUp&);

struct ScaleDown {
    static constexpr auto kForm = form("scale-down", "everything smaller").joining();
};
void apply(Session& session, const ScaleDown&);

struct RegionColour {
    std::uint32_t region = 0;
    scene::Rgba colour;
    static constexpr auto kForm =
        sceneForm("region-colour", "set the colour of a region", argument("region", &RegionColour::region),
                  argument("colour", &RegionColour::colour))
            .joining();
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
    CommandList<PictureCard, TrailsLonger, TrailsShorter, LapseLonger, LapseShorter, LapseFollows, GaugeNext,
                GaugePrevious, GaugeWindowLonger, GaugeWindowShorter, GaugeScores, ScaleUp, ScaleDown, RegionColour,
                RegionColourReset, RegionColoursReset, RegionColourCard>;

}  // namespace command
}  // namespace whorl::app
