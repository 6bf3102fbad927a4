// The rings in their tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "render/scene/palette.h"
#include "render/scene/rings/event_numbers.h"

namespace whorl::app {

namespace {

/// Mouse actions on the picture.
class Mouse {
  public:
    Mouse(const PanelContext& c, FrameComposer& composer, const Tile& tile)
        : c_(c), composer_(composer), tile_(tile), at_(mouseIn(tile)) {}

    void act() {
        if (!usesMouse()) return;
        const auto hit = hitAt(at_);
        Gestures gestures;
        gestures.zoom = [&](float notches) {
            c_.queue(command::ZoomAt{static_cast<float>(zoomFactor(notches)),
                                     inUnits(at_ - c_.picture()->scene().size / 2.0f)});
        };
        if (c_.context.camera.zoomed()) {
            gestures.move = [&](glm::vec2 pixels) { c_.queue(command::Drag{inUnits(pixels)}); };
            gestures.showAll = [&] { c_.queue(command::ZoomReset{}); };
        }
        gestures.click = [&] { pickOrNone(c_, hit); };
        gestures.ask = [&] { return subjectAt(c_, tile_, hit); };
        if (hit) gestures.tell = [&] { drawTooltip(c_, wordsOf(*hit)); };
        app::act(c_, gestures);
    }

    /// Records for tests what can be selected where.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto hit = hitAt(at);
            return hit ? hit->click.front().text() : std::string();
        });
    }

  private:
    std::optional<Hit> hitAt(glm::vec2 at) const { return composer_.hitAt({tile_.view, c_.context}, at); }
    glm::vec2 inUnits(glm::vec2 pixels) const { return pixels / composer_.layout().unit; }

    const PanelContext& c_;
    FrameComposer& composer_;
    const Tile& tile_;
    glm::vec2 at_{0};
};

/// The overlays on the rings of the open run, and the mouse actions there.
void drawOverRings(const PanelContext& c, FrameComposer& composer, const Tile& tile) {
    const gl::Rect& canvas = tile.where;
    drawSelectionMark(c, composer, canvas);
    // In a small tile the legend would hide the rings.
    const bool hasRoom =
        c.context.viewSettings.shown.size() == 1 || std::min(canvas.width, canvas.height) > 480 * c.scale;
    if (c.context.panels && c.context.legend && hasRoom) drawLegend(c, canvas);
    drawMinimap(c, composer, canvas);
    takeMouse(tile, {{0, 0}, {canvas.width, canvas.height}});
    Mouse mouse(c, composer, tile);
    mouse.act();
    mouse.namePlaces();
}

}  // namespace

void drawRingsTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || run->composer().picture() == nullptr) return;
    const scene::Scene& scene = run->composer().picture()->scene();
    if (c.edits.numbersAreExplained) {
        drawLabels(c, tile.where, scene.labels, scene.background, scene.centre);
    } else {
        std::vector<scene::Label> labels = scene.labels;
        std::erase_if(labels, scene::isEventNumber);
        drawLabels(c, tile.where, labels, scene.background, scene.centre);
    }
    // The selection belongs to the open run; the others are view-only.
    if (tile.view.run == 0) drawOverRings(c, run->composer(), tile);
}

}  // namespace whorl::app
