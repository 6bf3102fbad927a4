// Commands that change how the rings look.
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
        form("picture-card", "how the picture looks, to be chosen with the mouse", argument("on", &PictureCard::on));
};
void apply(Session& session, const PictureCard& command);

struct Trails {
    std::uint32_t accesses = 0;
    static constexpr auto kForm =
        form("trails", "so many accesses leave their pathlines", argument("accesses", &Trails::accesses));
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
        form("lapse", "time-lapse: so many accesses a frame", argument("accesses", &Lapse::accesses));
};
void apply(Session& session, const Lapse& command);

struct LapseLonger {
    static constexpr auto kForm = form("lapse-longer", "time-lapse: more accesses a frame");
};
void apply(Session& session, const LapseLonger&);

struct LapseShorter {
    static constexpr auto kForm = form("lapse-shorter", "time-lapse: fewer accesses a frame");
};
void apply(Session& session, const LapseShorter&);

struct LapseFollows {
    static constexpr auto kForm = form("lapse-follows", "time-lapse follows the pace");
};
void apply(Session& session, const LapseFollows&);

struct ReducedMotion {
    Switch on;
    static constexpr auto kForm =
        form("reduced-motion", "reduced motion: nothing travels", argument("on", &ReducedMotion::on));
};
void apply(Session& session, const ReducedMotion& command);

struct Gauge {
    sim::GaugeSettings::What measure = sim::GaugeSettings::What::nothing;
    static constexpr auto kForm =
        form("gauge", "what the disks behind the levels show", argument("measure", &Gauge::measure));
};
void apply(Session& session, const Gauge& command);

struct GaugeNext {
    static constexpr auto kForm = form("gauge-next", "the next that the disks behind the levels can show");
};
void apply(Session& session, const GaugeNext&);

struct GaugePrevious {
    static constexpr auto kForm = form("gauge-previous", "the one before");
};
void apply(Session& session, const GaugePrevious&);

struct GaugeWindow {
    std::uint32_t accesses = 1;
    static constexpr auto kForm =
        form("gauge-window", "the disks look back over so many accesses", argument("accesses", &GaugeWindow::accesses));
};
void apply(Session& session, const GaugeWindow& command);

struct GaugeWindowLonger {
    static constexpr auto kForm = form("gauge-window-longer", "the disks look back over more accesses");
};
void apply(Session& session, const GaugeWindowLonger&);

struct GaugeWindowShorter {
    static constexpr auto kForm = form("gauge-window-shorter", "the disks look back over fewer accesses");
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
        form("gauge-region", "whose share the disks show", argument("region", &GaugeRegion::region));
};
void apply(Session& session, const GaugeRegion& command);

struct GaugeKind {
    sim::MissKind kind = sim::MissKind::conflict;
    static constexpr auto kForm =
        form("gauge-kind", "the share of which kind of misses the disks show", argument("kind", &GaugeKind::kind));
};
void apply(Session& session, const GaugeKind& command);

struct Grain {
    std::optional<scene::Grain> grain;
    static constexpr auto kForm =
        form("grain", "a glyph is a block, an element, or whatever fits", argument("grain", &Grain::grain));
};
void apply(Session& session, const Grain& command);

struct Lecture {
    Switch on;
    static constexpr auto kForm =
        form("lecture", "text for the last row of a lecture hall", argument("on", &Lecture::on));
};
void apply(Session& session, const Lecture& command);

struct Ground {
    std::optional<scene::Ground> ground;
    static constexpr auto kForm = form("ground", "dark or light ground", argument("ground", &Ground::ground));
};
void apply(Session& session, const Ground& command);

struct RegionColour {
    std::uint32_t region = 0;
    scene::Rgba colour;
    static constexpr auto kForm =
        form("region-colour", "a region wears a colour", argument("region", &RegionColour::region),
             argument("colour", &RegionColour::colour));
};
void apply(Session& session, const RegionColour& command);

struct RegionColourReset {
    std::uint32_t region = 0;
    static constexpr auto kForm = form("region-colour-reset", "a region wears its own colour again",
                                       argument("region", &RegionColourReset::region));
};
void apply(Session& session, const RegionColourReset& command);

struct RegionColoursReset {
    static constexpr auto kForm = form("region-colours-reset", "all regions wear their own colours again");
};
void apply(Session& session, const RegionColoursReset&);

/// Opens the card on which the colour is chosen; without a region for the one that is chosen, or the first, unless the
/// card is open: then it is closed.
struct RegionColourCard {
    std::optional<std::uint32_t> region;
    static constexpr auto kForm =
        form("region-colour-card", "choose the colour of a region", argument("region", &RegionColourCard::region));
};
void apply(Session& session, const RegionColourCard& command);

using PictureCommands =
    CommandList<PictureCard, Trails, TrailsLonger, TrailsShorter, Lapse, LapseLonger, LapseShorter, LapseFollows,
                ReducedMotion, Gauge, GaugeNext, GaugePrevious, GaugeWindow, GaugeWindowLonger, GaugeWindowShorter,
                GaugeScores, GaugeRegion, GaugeKind, Grain, Lecture, Ground, RegionColour, RegionColourReset,
                RegionColoursReset, RegionColourCard>;
std::vector<CommandType> typesOf(PictureCommands);

}  // namespace command
}  // namespace whorl::app
