// Commands that change the interface around and over the picture, and the appearance of the rings, and select the CPU
// whose caches are shown.
#pragma once

#include <cstdint>
#include <optional>

#include "app/commands/cost_tables.h"
#include "app/session/command.h"

namespace whorl::app {

namespace command {

struct PanelSize {
    PanelEdge edge = PanelEdge::left;
    float size = 0;  ///< as in PanelSizes
    static constexpr auto kForm = form("panel-size", "the size of a column or of a panel in it",
                                       argument("edge", &PanelSize::edge), argument("size", &PanelSize::size))
                                      .joining();
};
void apply(Session& session, const PanelSize& command);

struct Help {
    Switch on;
    static constexpr auto kForm = form("help", "show or hide the list of keys", argument("on", &Help::on));
};
void apply(Session& session, const Help& command);

struct Costs {
    Switch on;
    static constexpr auto kForm =
        form("costs", "show or hide what costs most: why, and tables of lines, regions, …", argument("on", &Costs::on));
};
void apply(Session& session, const Costs& command);

struct CostsBy {
    std::optional<CostTab> tab;
    static constexpr auto kForm =
        form("costs-by", "show what costs most: why, or one of the tables", argument("tab", &CostsBy::tab));
};
void apply(Session& session, const CostsBy& command);

/// Shows or hides the table of sharing in "What costs most".
struct Sharing {
    Switch on;
    static constexpr auto kForm =
        form("sharing", "show or hide the blocks that CPUs invalidate for each other, by offset, and what helps",
             argument("on", &Sharing::on));
};
void apply(Session& session, const Sharing& command);

/// Without a CPU: shows the caches of all CPUs.
struct Cpu {
    std::optional<std::uint32_t> cpu;
    static constexpr auto kForm = sceneForm("cpu", "show the caches of one CPU, or of all", argument("cpu", &Cpu::cpu));
};
void apply(Session& session, const Cpu& command);

/// Cycles through all CPUs together, then each CPU alone.
struct CpuNext {
    static constexpr auto kForm = form("cpu-next", "show the caches of the next CPU alone");
};
void apply(Session& session, const CpuNext&);

struct CpuPrevious {
    static constexpr auto kForm = form("cpu-previous", "show the caches of the previous CPU alone");
};
void apply(Session& session, const CpuPrevious&);

/// Requests keyboard focus for a text field; `none` clears the request once the field has the focus.
struct Focus {
    Field field = Field::none;
    static constexpr auto kForm = form("focus", "a text field takes the keyboard", argument("field", &Focus::field));
};
void apply(Session& session, const Focus& command);

struct Dismiss {
    static constexpr auto kForm = form("dismiss", "close the messages");
};
void apply(Session& session, const Dismiss&);

/// Closes one item per call, topmost first.
struct Close {
    static constexpr auto kForm = form("close", "close what is open, then deselect, then clear the range");
};
void apply(Session& session, const Close&);

using DisplayCommands =
    CommandList<PanelSize, Help, Costs, CostsBy, Sharing, Cpu, CpuNext, CpuPrevious, Focus, Dismiss, Close>;

// Commands that change the appearance of the rings.

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
    static constexpr auto kForm = form("gauge-previous", "the previous measure of the level gauges");
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

/// On both grounds.
struct Colour {
    RoleArgument role;
    scene::Rgba colour;
    static constexpr auto kForm = sceneForm("colour", "the colour of a role: of a CPU, of what is picked, of a state",
                                            argument("role", &Colour::role), argument("colour", &Colour::colour))
                                      .joining();
};
void apply(Session& session, const Colour& command);

struct ColourReset {
    RoleArgument role;
    static constexpr auto kForm =
        form("colour-reset", "the usual colour of a role", argument("role", &ColourReset::role));
};
void apply(Session& session, const ColourReset& command);

struct ColoursReset {
    static constexpr auto kForm = form("colours-reset", "the usual colours of all roles");
};
void apply(Session& session, const ColoursReset&);

using PictureCommands =
    CommandList<PictureCard, TrailsLonger, TrailsShorter, LapseLonger, LapseShorter, LapseFollows, GaugeNext,
                GaugePrevious, GaugeWindowLonger, GaugeWindowShorter, GaugeScores, ScaleUp, ScaleDown, RegionColour,
                RegionColourReset, RegionColoursReset, RegionColourCard, Colour, ColourReset, ColoursReset>;

}  // namespace command

}  // namespace whorl::app
