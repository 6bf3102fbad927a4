#include "app/panels/tiles/collisions_tile.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/labels.h"
#include "app/panels/tiles/tile_controls.h"
#include "app/panels/tiles/tile_frame.h"
#include "app/panels/tiles/tile_mouse.h"
#include "app/panels/widgets.h"

namespace whorl::app {

namespace {

class CollisionMouse {
  public:
    CollisionMouse(const PanelContext& c, const Tile& tile, CollisionView& view, const scene::CollisionFrame& frame)
        : c_(c), tile_(tile), view_(view), frame_(frame) {}

    void act(bool clicked) const {
        if (!ImGui::IsItemHovered()) return;
        const auto under = scene::collisionAt(frame_, mouseIn(tile_));
        if (!under) return;
        if (clicked) click(under->collision);
        std::vector<std::string> words = view_.describe(c_.context, under->collision);
        if (view_.regionsOf(c_.context, under->collision)) words.emplace_back("Shift+click to pick the pair");
        tellOf(c_, tile_, under->box, words);
    }

    /// Records for tests where a click goes to.
    void namePlaces() const {
        if (c_.places == nullptr || !c_.places->scans()) return;
        c_.places->scan(tile_.where, [&](glm::vec2 at) {
            const auto under = scene::collisionAt(frame_, glm::ivec2(at));
            return under ? Command(c_.ofOpenRun(seek(under->collision))).text() : std::string();
        });
    }

  private:
    command::Seek seek(const sim::Collision& pair) const {
        return {static_cast<double>(nextCollision(pair, c_.context.player.position()).value) + 1};
    }

    void click(const sim::Collision& pair) const {
        if (!ImGui::GetIO().KeyShift) return c_.queue(seek(pair));
        if (const auto regions = view_.regionsOf(c_.context, pair)) {
            c_.queue(command::PickPair{regions->evictor, regions->victim});
        }
    }

    const PanelContext& c_;
    const Tile& tile_;
    CollisionView& view_;
    const scene::CollisionFrame& frame_;
};

void drawControls(const PanelContext& c, TileControls& controls) {
    std::vector<std::string> levels;
    for (const auto& level : c.machine().levels) levels.push_back(level.name);
    controls.choose(
        "level", 70, levels, c.context.viewSettings.collisionLevel,
        [](std::size_t i) { return changeOf("collisions-level", static_cast<std::uint8_t>(i)); },
        "the level that blocks are evicted from");
    constexpr std::array<const char*, 3> kAmong = {"regions", "objects", "classes"};
    controls.choose(
        "among", 90, kAmong, static_cast<std::size_t>(c.context.viewSettings.collisionsOf),
        [](std::size_t i) { return changeOf("collisions-of", static_cast<sim::CollisionsOf>(i)); },
        "what the rows are");
}

}  // namespace

void drawCollisionsTile(const PanelContext& c, const Tile& tile) {
    const RunView* run = c.runs.at(tile.view.run);
    CollisionView* const view = run == nullptr ? nullptr : run->collisionView();
    if (view == nullptr) {
        drawHistoryPending(c, tile);
        return;
    }
    const glm::ivec2 size(tile.where.width, tile.where.height);
    const CollisionView::Picture& picture = view->picture(c.context, size, c.scale);
    drawLabels(c, tile.where, picture.scene.labels, picture.scene.background, glm::vec2(size) / 2.0f);
    if (!picture.frame.cells.isEmpty()) {
        const bool clicked = takeMouse(tile, "pairs", picture.frame.cells, ImGuiButtonFlags_MouseButtonLeft);
        const CollisionMouse mouse(c, tile, *view, picture.frame);
        mouse.act(clicked);
        mouse.namePlaces();
    }
    if (!c.context.panels) return;
    TileControls::drawAll(c, tile, [&](TileControls& row) { drawControls(c, row); });
}

}  // namespace whorl::app
