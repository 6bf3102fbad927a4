#include "app/panels/tiles/life_tile.h"

#include <string>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_mouse.h"

namespace whorl::app {

namespace {

command::PickSource pickOfNode(const sim::ObjectLife& life, std::uint32_t node) {
    return {life.codes[life.nodes[node].code].site.value};
}

void act(const PanelContext& c, const Tile& tile, const LifeViews& views, const sim::ObjectLife& life,
         const scene::LifeFrame& frame, bool clicked) {
    if (!ImGui::IsItemHovered()) return;
    const glm::ivec2 at = mouseIn(tile);
    if (const auto node = scene::lifeNodeAt(frame, at)) {
        if (clicked) c.queue(pickOfNode(life, *node));
        tellOf(c, tile, frame.boxes[*node], views.describeNode(life, *node));
    } else if (const auto edge = scene::lifeEdgeAt(frame, at)) {
        drawTooltip(c, views.describeEdge(life, *edge));
    }
}

/// Records for tests where a click goes to.
void namePlaces(const PanelContext& c, const Tile& tile, const sim::ObjectLife& life, const scene::LifeFrame& frame) {
    if (c.places == nullptr || !c.places->scans()) return;
    c.places->scan(tile.where, [&](glm::vec2 at) {
        const auto node = scene::lifeNodeAt(frame, glm::ivec2(at));
        return node ? Command(pickOfNode(life, *node)).text() : std::string();
    });
}

void drawControls(const PanelContext& c, const Tile& tile, TileControls& controls) {
    const ViewId view = tile.view.withoutRun();
    const auto known = c.context.viewSettings.histories.find(view);
    const bool keeps = known != c.context.viewSettings.histories.end() && known->second.place;
    controls.toggle("keep", keeps, command::HistoryKeep{view, {}}, "keep this object, or follow what is picked");
    controls.toggle("+ life", false, command::PaneAdd{view, {}}, "a second life, which keeps this object");
    controls.toggle("history", false, command::HistoryShow{}, "show all accesses over time");
}

}  // namespace

void drawLifeTile(const PanelContext& c, const Tile& tile) {
    RunView* run = c.runs.at(tile.view.run);
    if (run == nullptr || !c.context.opened.run) return;
    LifeViews& views = run->lifeViews();
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const LifeViews::Picture& picture = views.picture(tile.view, c.context, size, c.scale);
    drawLabels(c, tile.where, picture.scene.labels, picture.scene.background, glm::vec2(size) / 2.0f);
    const sim::ObjectLife* const life = views.life(tile.view);
    if (life != nullptr && !picture.frame.area.isEmpty()) {
        const bool clicked = takeMouse(tile, "life", picture.frame.area, ImGuiButtonFlags_MouseButtonLeft);
        act(c, tile, views, *life, picture.frame, clicked);
        namePlaces(c, tile, *life, picture.frame);
    }
    if (!c.context.panels) return;
    TileControls::drawAll(c, tile, [&](TileControls& row) { drawControls(c, tile, row); });
}

}  // namespace whorl::app
