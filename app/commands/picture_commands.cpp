#include "app/commands/picture_commands.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "app/session/settings.h"

namespace whorl::app {

namespace {

/// The factors that keys choose among.
constexpr std::array kScales{0.5f, 0.67f, 0.8f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f, 3.0f, 4.0f};

/// Steps through 1, 2, 5, 10, … accesses per frame, starting from the value derived from the pace if none was chosen.
void changeLapse(Session& session, int by) {
    const std::uint64_t now = session.lapseNow();
    std::uint64_t best = by > 0 ? Session::kMaxLapse : 1;
    for (std::uint64_t ten = 1; ten <= Session::kMaxLapse; ten *= 10) {
        for (const std::uint64_t step : {ten, 2 * ten, 5 * ten}) {
            if (by > 0 && step > now) best = std::min(best, step);
            if (by < 0 && step < now) best = std::max(best, step);
        }
    }
    session.lapse = best;
}

void cycleGauge(Session& session, int by) {
    const int next = (static_cast<int>(session.ringView.gauge.what) + by + sim::kGaugeMeasures) % sim::kGaugeMeasures;
    session.ringView.gauge.what = static_cast<sim::GaugeSettings::What>(next);
}

}  // namespace

namespace command {

void apply(Session& session, const PictureCard& command) {
    turn(session.overlays.picture, command.on);
}

void apply(Session& session, const TrailsLonger&) {
    session.trails = std::min(Session::kMaxTrails, session.trails == 0 ? 4 : session.trails * 2);
}

void apply(Session& session, const TrailsShorter&) {
    session.trails = session.trails <= 4 ? 0 : session.trails / 2;
}

void apply(Session& session, const LapseLonger&) {
    changeLapse(session, +1);
}

void apply(Session& session, const LapseShorter&) {
    changeLapse(session, -1);
}

void apply(Session& session, const LapseFollows&) {
    session.lapse.reset();
}

void apply(Session& session, const GaugeNext&) {
    cycleGauge(session, +1);
}

void apply(Session& session, const GaugePrevious&) {
    cycleGauge(session, -1);
}

void apply(Session& session, const GaugeWindowLonger&) {
    changeOf("gauge-window", 2 * session.ringView.gauge.window).applyTo(session);
}

void apply(Session& session, const GaugeWindowShorter&) {
    // Half of it, rounded up.
    changeOf("gauge-window", (session.ringView.gauge.window + 1) / 2).applyTo(session);
}

void apply(Session& session, const GaugeScores& command) {
    constexpr double kMax = 100;
    session.ringView.gauge.scores = {.nearestMiss = std::clamp(command.nearestMiss, -kMax, kMax),
                                     .miss = std::clamp(command.miss, -kMax, kMax),
                                     .hit = std::clamp(command.hit, -kMax, kMax)};
}

void apply(Session& session, const ScaleUp&) {
    const auto next = std::upper_bound(kScales.begin(), kScales.end(), 1.01f * session.uiScale);
    if (next != kScales.end()) session.uiScale = *next;
}

void apply(Session& session, const ScaleDown&) {
    const auto next = std::lower_bound(kScales.begin(), kScales.end(), 0.99f * session.uiScale);
    if (next != kScales.begin()) session.uiScale = *std::prev(next);
}

void apply(Session& session, const RegionColour& command) {
    session.ringView.hues[command.region] = command.colour;
}

void apply(Session& session, const RegionColourReset& command) {
    session.ringView.hues.erase(command.region);
}

void apply(Session& session, const RegionColoursReset&) {
    session.ringView.hues.clear();
}

void apply(Session& session, const RegionColourCard& command) {
    std::optional<std::uint32_t>& shown = session.overlays.regionColour;
    if (command.region) {
        shown = command.region;
    } else {
        shown = shown || !session.opened.run ? std::nullopt : std::optional(session.region.value_or(0));
    }
}

}  // namespace command
}  // namespace whorl::app
