#include "app/commands/display_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "app/commands/prompt_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/settings.h"
#include "app/tours/presenting.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

/// Cycles by `by` steps through all CPUs together (0) and each CPU alone (its number from 1).
void turnCpu(Session& session, std::uint32_t by) {
    if (!session.opened.run || session.opened.run->machine().cpus == 1) return;
    const std::uint32_t choices = session.opened.run->machine().cpus + 1;
    const std::uint32_t next = ((session.cpu ? *session.cpu + 1 : 0) + by) % choices;
    session.cpu = next == 0 ? std::nullopt : std::optional(next - 1);
}

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

void apply(Session& session, const PanelSize& command) {
    const Setting& size = settingKept(fmt::format("panels/{}", wordOf(command.edge)));
    setTo(session, size, command.size);
}

void apply(Session& session, const Help& command) {
    turn(session.help, command.on);
}

void apply(Session& session, const Costs& command) {
    turn(session.overlays.costs, command.on);
}

void apply(Session& session, const CostsBy& command) {
    // What is not yet seen is seen first.
    if (session.overlays.costs || command.tab) chooseOrNext(session.overlays.costTab, command.tab);
    session.overlays.costs = true;
}

void apply(Session& session, const Sharing& command) {
    Overlays& overlays = session.overlays;
    bool isShown = overlays.showsCosts(sharingTab());
    const bool wasShown = isShown;
    turn(isShown, command.on);
    if (isShown == wasShown) return;
    overlays.costs = isShown;
    overlays.costTab = sharingTab();
}

void apply(Session& session, const Cpu& command) {
    session.cpu.reset();
    if (command.cpu) turnCpu(session, *command.cpu + 1);
}

void apply(Session& session, const CpuNext&) {
    turnCpu(session, 1);
}

void apply(Session& session, const CpuPrevious&) {
    turnCpu(session, session.opened.run ? session.opened.run->machine().cpus : 0);
}

void apply(Session& session, const Focus& command) {
    session.focus = command.field;
    if (command.field == Field::lookUp) session.lookUp.open = true;
    if (command.field == Field::input || command.field == Field::machine) session.panels = true;
    if (command.field == Field::menus) session.panels = session.menuBar = true;
}

void apply(Session& session, const Dismiss&) {
    session.error.clear();
    session.message.clear();
    session.welcome = false;
}

void apply(Session& session, const Close&) {
    if (session.prompt.isOpen()) {
        apply(session, AskClose{});
    } else if (session.help) {
        session.help = false;
    } else if (!session.changedOnDisk.empty()) {
        session.changedOnDisk.clear();
    } else if (!session.error.empty() || !session.message.empty() || session.welcome) {
        apply(session, Dismiss{});
    } else if (session.overlays.regionColour) {
        session.overlays.regionColour.reset();
    } else if (session.lookUp.open) {
        apply(session, LookUpClose{});
    } else if (session.overlays.picture) {
        session.overlays.picture = false;
    } else if (session.overlays.costs) {
        session.overlays.costs = false;
    } else if (session.prediction) {
        session.prediction.reset();
    } else if (session.talk.list) {
        session.talk.list = false;
    } else if (session.talk.on) {
        endTalk(session);
    } else if (session.selected || session.viewSettings.hasPicks()) {
        apply(session, SelectNone{});
    } else {
        session.range.reset();
    }
}

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

void apply(Session& session, const Colour& command) {
    session.ground = scene::withColour(session.ground, command.role.role, command.colour);
}

void apply(Session& session, const ColourReset& command) {
    session.ground = scene::withColour(session.ground, command.role.role, std::nullopt);
}

void apply(Session& session, const ColoursReset&) {
    session.ground = scene::plain(session.ground);
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
