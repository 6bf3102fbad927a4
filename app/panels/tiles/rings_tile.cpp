// The rings in their tile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/panels/labels.h"
#include "app/panels/mouse.h"
#include "app/panels/panels.h"
#include "render/scene/palette.h"
#include "render/scene/rings/describe.h"
#include "render/scene/rings/event_numbers.h"

namespace whorl::app {

namespace {

/// Mouse actions on the picture.
class Mouse {
  public:
    Mouse(const PanelContext& c, const FrameComposer& composer, const Tile& tile)
        : c_(c), composer_(composer), tile_(tile), at_(mouseIn(tile)) {}

    void act() {
        if (!usesMouse()) return;
        const scene::Target target = under(at_);
        const auto hit = hitOn(target);
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
            const scene::Target target = under(at);
            return target.kind == scene::Target::Kind::none ? std::string() : selectCommand(target).text();
        });
    }

  private:
    scene::Target under(glm::vec2 at) const {
        return scene::pick(c_.picture()->scene(), composer_.layout(), c_.picture()->view, at);
    }

    glm::vec2 inUnits(glm::vec2 pixels) const { return pixels / composer_.layout().unit; }

    /// Nothing where there is nothing.
    std::optional<Hit> hitOn(const scene::Target& target) const {
        if (target.kind == scene::Target::Kind::none) return std::nullopt;
        const Command select = selectCommand(target);
        Hit hit{.click = {select}, .describe = [this, target] {
                    return scene::describe(target, c_.picture()->snapshot, composer_.subject());
                }};
        if (selectionOf(target).byte) hit.shift = Commands{select, command::HistoryShow{}};
        return hit;
    }

    static Command selectCommand(const scene::Target& target) {
        if (target.kind == scene::Target::Kind::line || target.kind == scene::Target::Kind::slot) {
            return command::Select{target.address};
        }
        return command::SelectPart{target};
    }

    const PanelContext& c_;
    const FrameComposer& composer_;
    const Tile& tile_;
    glm::vec2 at_{0};
};

/// The overlays on the rings of the open run, and the mouse actions there.
void drawOverRings(const PanelContext& c, const FrameComposer& composer, const Tile& tile) {
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
