#include "app/panels/tiles/cycles_tile.h"

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/time_mouse.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

class CyclesMouse {
  public:
    CyclesMouse(const PanelContext& c, const Tile& tile, const CyclesView& view, const scene::CyclesSubject& subject,
                const scene::CyclesLook& look)
        : c_(c), tile_(tile), view_(view), subject_(subject), look_(look), at_(mouseIn(tile)) {}

    void act(const scene::CyclesFrame& frame) const {
        const auto x = static_cast<float>(at_.x);
        const scene::Interval shown{frame.axis.span().from, frame.axis.span().to};
        const scene::BlockTime time = view_.time();
        const TimePointer pointer{
            .here = view_.accessesAt(frame.axis.at(x)),
            .isWhole = !c_.context.seen,
            .zoomed = [&](double factor) { return time.zoomed(shown, frame.axis.at(x), factor); },
            .moved = [&](float pixels) { return time.moved(shown, -pixels * frame.axis.perPixel()); },
        };
        const bool isUsed = actOnTime(c_, pointer, true);
        if (isTimeClick(c_)) c_.queue(command::Seek{std::floor(pointer.here)});
        if ((isUsed && c_.edits.timeDrag.moved) || !ImGui::IsItemHovered()) return;
        const auto hit = cyclesAt(subject_, look_, at_);
        if (hit) tellOf(c_, tile_, hit->box, view_.describe(subject_, *hit));
    }

    /// Records for tests what can be clicked where.
    void namePlaces(const scene::CyclesFrame& frame) const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            if (!cyclesAt(subject_, look_, glm::ivec2(at))) return std::string();
            return Command(command::Seek{std::floor(view_.accessesAt(frame.axis.at(at.x)))}).text();
        });
    }

  private:
    const PanelContext& c_;
    const Tile& tile_;
    const CyclesView& view_;
    const scene::CyclesSubject& subject_;
    const scene::CyclesLook& look_;
    glm::ivec2 at_;
};

}  // namespace

void drawCyclesTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || !c.context.opened.run) return;
    TimeViews& views = run->timeViews();
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const scene::FlatScene& scene = views.scene(tile.view, c.context, size, c.scale);
    drawLabels(c, tile.where, scene.labels, scene.background, glm::vec2(size) / 2.0f);
    const CyclesView& view = views.cyclesView();
    if (const auto subject = view.subject(c.context)) {
        const scene::CyclesLook look = views.cyclesLook(tile.view, c.context, size, c.scale);
        const scene::CyclesFrame frame = cyclesFrame(*subject, look);
        takeMouse(tile, "cycles", frame.all, kLeftAndRight);
        const CyclesMouse mouse(c, tile, view, *subject, look);
        mouse.act(frame);
        mouse.namePlaces(frame);
    }
    if (!c.context.panels) return;
    TileControls::drawAll(c, tile, [&](TileControls& row) {
        row.toggle("critical path", c.context.viewSettings.path, changeOf("critical-path"),
                   "the chain of what the CPUs did that determined when the run ended");
        if (c.context.seen) row.toggle("all time", false, command::TimeAll{}, "show all of the time (double click)");
    });
}

}  // namespace whorl::app
