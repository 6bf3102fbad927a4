// The actions that change how the picture looks.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "app/session/commands.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

using What = sim::GaugeSettings::What;

void toggleGround(Session& s) {
    s.ground = s.ground == scene::Ground::dark ? scene::Ground::light : scene::Ground::dark;
}

/// Goes through 1, 2, 5, 10, … accesses a frame; from what the pace makes of it, if nothing was chosen.
void changeLapse(Session& s, int by) {
    const auto now = static_cast<double>(s.lapseNow());
    std::uint64_t best = by > 0 ? Session::kMostLapse : 1;
    for (std::uint64_t ten = 1; ten <= Session::kMostLapse; ten *= 10) {
        for (const std::uint64_t step : {ten, 2 * ten, 5 * ten}) {
            const auto value = static_cast<double>(step);
            if (by > 0 && value > now) best = std::min(best, step);
            if (by < 0 && value < now) best = std::max(best, step);
        }
    }
    s.lapse = best;
}

void cycleGauge(Session& s, int by) {
    const int next = (static_cast<int>(s.look.gauge.what) + by + sim::kGaugeMeasures) % sim::kGaugeMeasures;
    s.look.gauge.what = static_cast<What>(next);
}

void chooseWindow(Session& s, double accesses) {
    const double most = sim::GaugeSettings::kMostWindow;
    s.look.gauge.window = static_cast<std::uint32_t>(std::clamp(std::round(accesses), 1.0, most));
}

void chooseScores(Session& s, const std::string& words) {
    std::array<double, 3> scores{};
    std::istringstream in(words);
    for (double& score : scores) {
        if (!(in >> score)) return;
        score = std::clamp(score, -100.0, 100.0);
    }
    s.look.gauge.scores = {.nearestMiss = scores[0], .miss = scores[1], .hit = scores[2]};
}

/// "2 f69518".
void colour(Session& s, const std::string& words) {
    std::istringstream in(words);
    std::size_t region = 0;
    std::uint32_t rgb = 0;
    if (in >> region >> std::hex >> rgb) s.look.hues[region] = scene::hex(rgb);
}

/// The region that is chosen, or the first.
void toggleColours(Session& s) {
    s.overlays.regionColour =
        s.overlays.regionColour || !s.opened.run ? std::nullopt : std::optional(s.region.value_or(0));
}

std::vector<Action> motion() {
    return {
        {"picture",
         "Picture",
         "all of this, to be chosen with the mouse",
         {"a"},
         [](Session& s, const Command&) { s.overlays.picture = !s.overlays.picture; }},
        {"longer-trails",
         "Picture",
         "longer pathlines, or shorter",
         {"]"},
         [](Session& s, const Command&) { s.history = std::min(256u, s.history == 0 ? 4 : s.history * 2); }},
        {"shorter-trails",
         "Picture",
         "… shorter",
         {"["},
         [](Session& s, const Command&) { s.history = s.history <= 4 ? 0 : s.history / 2; }},
        {"trails",
         "",
         "so many accesses leave their pathlines",
         {},
         [](Session& s, const Command& c) {
             s.history = static_cast<std::uint32_t>(std::clamp(c.number, 0.0, 256.0));
         }},
        {"longer-lapse",
         "Picture",
         "time-lapse: more accesses a frame, or fewer",
         {">"},
         [](Session& s, const Command&) { changeLapse(s, +1); }},
        {"shorter-lapse", "Picture", "… fewer", {"<"}, [](Session& s, const Command&) { changeLapse(s, -1); }},
        {"lapse-follows",
         "Picture",
         "time-lapse follows the pace",
         {"*"},
         [](Session& s, const Command&) { s.lapse.reset(); }},
        {"lapse",
         "",
         "so many accesses a frame",
         {},
         [](Session& s, const Command& c) {
             const double most = static_cast<double>(Session::kMostLapse);
             s.lapse = static_cast<std::uint64_t>(std::clamp(std::round(c.number), 1.0, most));
         }},
        {"reduced-motion",
         "Picture",
         "reduced motion: nothing travels",
         {"Shift+M"},
         [](Session& s, const Command&) { s.look.reducedMotion = !s.look.reducedMotion; }},
    };
}

std::vector<Action> gauges() {
    return {
        {"next-disk",
         "Picture",
         "what the disks behind the levels show: the next, or the one before",
         {"d"},
         [](Session& s, const Command&) { cycleGauge(s, +1); }},
        {"previous-disk", "Picture", "… before", {"Shift+D"}, [](Session& s, const Command&) { cycleGauge(s, -1); }},
        {"disk",
         "",
         "one of those",
         {},
         [](Session& s, const Command& c) {
             s.look.gauge.what = static_cast<What>(std::clamp(static_cast<int>(c.number), 0, sim::kGaugeMeasures - 1));
         }},
        {"longer-window",
         "Picture",
         "the disks look back over more accesses, or fewer",
         {")"},
         [](Session& s, const Command&) { chooseWindow(s, 2.0 * s.look.gauge.window); }},
        {"shorter-window",
         "Picture",
         "… fewer",
         {"("},
         [](Session& s, const Command&) { chooseWindow(s, s.look.gauge.window / 2.0); }},
        {"disk-window",
         "",
         "over so many accesses",
         {},
         [](Session& s, const Command& c) { chooseWindow(s, c.number); }},
        {"disk-scores",
         "",
         "what a miss in the nearest level, another miss and a hit add to the temperature",
         {},
         [](Session& s, const Command& c) { chooseScores(s, c.text); }},
        {"disk-region",
         "",
         "whose share the disks show",
         {},
         [](Session& s, const Command& c) { s.look.gauge.region = static_cast<std::size_t>(std::max(0.0, c.number)); }},
        {"disk-kind",
         "",
         "the share of which kind of misses the disks show",
         {},
         [](Session& s, const Command& c) {
             const int last = static_cast<int>(sim::kMissKinds) - 1;
             s.look.gauge.kind = static_cast<sim::MissKind>(std::clamp(static_cast<int>(c.number), 0, last));
         }},
    };
}

std::vector<Action> dress() {
    return {
        {"grain",
         "Picture",
         "a glyph is a block, an element, or whatever fits",
         {"f"},
         [](Session& s, const Command&) {
             s.look.grain = static_cast<scene::Grain>((static_cast<int>(s.look.grain) + 1) % 3);
         }},
        {"grain-is",
         "",
         "one of those",
         {},
         [](Session& s, const Command& c) {
             s.look.grain = static_cast<scene::Grain>(std::clamp(static_cast<int>(c.number), 0, 2));
         }},
        {"lecture",
         "Picture",
         "text for the last row of a lecture hall",
         {"Shift+L"},
         [](Session& s, const Command&) { s.look.lecture = !s.look.lecture; }},
        {"ground", "Picture", "dark or light ground", {"b"}, [](Session& s, const Command&) { toggleGround(s); }},
        {"colours",
         "Picture",
         "choose the colour of the region that is chosen",
         {"y"},
         [](Session& s, const Command&) { toggleColours(s); }},
        {"colours-of",
         "",
         "choose the colour of a region",
         {},
         [](Session& s, const Command& c) {
             s.overlays.regionColour = static_cast<std::uint32_t>(std::max(0.0, c.number));
         }},
        {"colours-done",
         "",
         "the colour is chosen",
         {},
         [](Session& s, const Command&) { s.overlays.regionColour.reset(); }},
        {"colour", "", "a region wears a colour", {}, [](Session& s, const Command& c) { colour(s, c.text); }},
        {"colour-reset",
         "",
         "a region wears its own colour again",
         {},
         [](Session& s, const Command& c) { s.look.hues.erase(static_cast<std::size_t>(std::max(0.0, c.number))); }},
        {"colours-reset",
         "Picture",
         "all regions wear their own colours again",
         {"Shift+Y"},
         [](Session& s, const Command&) { s.look.hues.clear(); }},
    };
}

}  // namespace

std::vector<Action> pictureActions() {
    std::vector<Action> out = motion();
    for (auto&& part : {gauges(), dress()}) out.insert(out.end(), part.begin(), part.end());
    return out;
}

}  // namespace whorl::app
