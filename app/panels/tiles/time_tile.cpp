#include "app/panels/tiles/time_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/time_mouse.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

class HistoryMouse {
  public:
    HistoryMouse(const PanelContext& c, const Tile& tile, const TimeViews& views, const scene::HistorySubject& subject,
                 const scene::HistoryLook& look)
        : c_(c), tile_(tile), views_(views), subject_(subject), look_(look), at_(mouseIn(tile)) {}

    void act(const scene::HistoryFrame& frame) const {
        const bool isUsed = actOnTime(c_, frame.axis, static_cast<float>(at_.x), true);
        const auto bar = scene::barAt(subject_, look_, at_);
        const auto stay = scene::stayAt(subject_, look_, at_);
        if (isTimeClick(c_)) click(frame, bar, stay);
        if (isUsed && c_.edits.timeDrag.moved) return;
        if (!ImGui::IsItemHovered()) return;
        if (bar) {
            tellOf(c_, tile_, bar->box, views_.describeBar(subject_.history, *bar));
        } else if (stay) {
            drawTooltip(c_, views_.describeStay(subject_.history, *stay));
        }
    }

    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto bar = scene::barAt(subject_, look_, glm::ivec2(at));
            if (!bar || bar->last - bar->first > 1) return std::string();
            const double t = static_cast<double>(subject_.history.accesses[bar->first].tick.value) + 1;
            return Command(c_.ofOpenRun({t})).text();
        });
    }

  private:
    void click(const scene::HistoryFrame& frame, const std::optional<scene::HistoryBar>& bar,
               const std::optional<std::size_t>& stay) const {
        if (bar) {
            goTo(c_, subject_.history.accesses[bar->first].tick);
        } else if (stay) {
            const sim::PlaceStay& s = subject_.history.stays[*stay];
            if (s.in != sim::Stay::kNever) goTo(c_, s.in);
        } else {
            c_.queue(command::Seek{std::floor(frame.axis.at(static_cast<float>(at_.x)))});
        }
    }

    const PanelContext& c_;
    const Tile& tile_;
    const TimeViews& views_;
    scene::HistorySubject subject_;
    const scene::HistoryLook& look_;
    glm::ivec2 at_;
};

void drawHistoryControls(const PanelContext& c, const Tile& tile, TileControls& controls) {
    const ViewId view = tile.view.withoutRun();
    const auto known = c.context.viewSettings.histories.find(view);
    const bool keeps = known != c.context.viewSettings.histories.end() && known->second.place;
    controls.toggle("keep", keeps, command::HistoryKeep{view, {}}, "keep this place, or follow what is picked");
    controls.toggle("+ history", false, command::PaneAdd{view, {}}, "a second history, which keeps this place");
    if (c.context.range) {
        controls.toggle("memory of the range", false, command::PaneAdd{ViewId{ViewId::Kind::memory}, true},
                        "a view of memory that keeps to the chosen range");
    }
    if (c.context.seen) controls.toggle("all time", false, command::TimeAll{}, "show all of the time (double click)");
}

void drawPhaseControls(const PanelContext& c, TileControls& controls, std::uint64_t rowLength) {
    std::vector<std::string> levels;
    for (const auto& level : c.machine().levels) levels.push_back(level.name);
    controls.choose(
        "level", 70, levels, c.context.viewSettings.phases.level,
        [](std::size_t i) { return command::PhaseLevel{static_cast<std::uint8_t>(i)}; }, "the level");
    constexpr std::array<const char*, 2> kShows = {"miss rate", "misses"};
    controls.choose(
        "shows", 90, kShows, static_cast<std::size_t>(c.context.viewSettings.phases.shows),
        [](std::size_t i) { return changeOf("phase-shows", static_cast<scene::PhaseShows>(i)); },
        "what the intensity means");
    controls.slide(
        "row", 200, static_cast<float>(rowLength), 1, static_cast<float>(std::max<std::uint64_t>(2, c.trace().size())),
        "%.0f accesses a row", "the accesses of a row: adjust it until columns stand upright",
        [](float accesses) { return command::PhaseRow{static_cast<std::uint64_t>(std::max(1.0f, accesses))}; });
    controls.toggle("fit", c.context.viewSettings.phases.rowLength == 0, command::PhaseRow{0}, "rows that fit");
}

}  // namespace

void drawHistoryTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || !c.context.opened.run) return;
    TimeViews& views = run->timeViews();
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const scene::FlatScene& scene = views.scene(tile.view, c.context, size, c.scale);
    drawLabels(c, tile.where, scene.labels, scene.background, glm::vec2(size) / 2.0f);
    if (const sim::PlaceHistory* const history = views.history(tile.view)) {
        const scene::HistorySubject subject = views.subjectOf(*history);
        const scene::HistoryLook look = views.historyLook(tile.view, c.context, size, c.scale);
        const scene::HistoryFrame frame = historyFrame(subject, look);
        takeMouse(tile, "history", frame.all, kLeftAndRight);
        const HistoryMouse mouse(c, tile, views, subject, look);
        mouse.act(frame);
        mouse.namePlaces();
    }
    if (!c.context.panels) return;
    TileControls::drawAll(c, tile, [&](TileControls& row) { drawHistoryControls(c, tile, row); });
}

void drawPhasesTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || !c.context.opened.run) return;
    TimeViews& views = run->timeViews();
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const scene::FlatScene& scene = views.scene(tile.view, c.context, size, c.scale);
    drawLabels(c, tile.where, scene.labels, scene.background, glm::vec2(size) / 2.0f);
    const scene::PhaseSubject subject = views.phaseSubject();
    const scene::PhaseLook look = views.phaseLook(tile.view, c.context, size, c.scale);
    takeMouse(tile, "phases", phaseFrame(subject, look).cells, kLeftAndRight);
    const auto under = scene::phaseAt(subject, look, mouseIn(tile));
    TimeDrag& drag = c.edits.timeDrag;
    if (ImGui::IsItemActivated() && under) drag = {.kind = TimeDrag::Kind::range, .anchor = under->from};
    if (ImGui::IsItemActive() && under && drag.kind == TimeDrag::Kind::range &&
        (drag.moved || ImGui::IsMouseDragging(ImGuiMouseButton_Left, 3))) {
        drag.moved = true;
        const bool forward = under->from >= drag.anchor;
        c.queue(command::Range{drag.anchor, forward ? under->to : under->from});
    }
    if (ImGui::IsItemDeactivated()) {
        if (!drag.moved && under) c.queue(command::Seek{under->from});
        drag = {};
    }
    if (ImGui::IsItemHovered() && under && !drag.moved) drawTooltip(c, views.describePhase(*under));
    if (!c.context.panels) return;
    const std::uint64_t row = phaseFrame(subject, look).rowLength;
    TileControls::drawAll(c, tile, [&](TileControls& controls) { drawPhaseControls(c, controls, row); });
}

}  // namespace whorl::app
