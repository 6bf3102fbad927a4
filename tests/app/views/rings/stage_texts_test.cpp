// What is written in the rings on the stage, over all steps of all tours and all usual screens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <string>

#include "app/panels/caption.h"
#include "app/tasks/tour_player.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/views/run_views.h"
#include "render/scene/text_width.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// Middles of small pieces of a text.
std::vector<glm::vec2> piecesOf(const scene::Label& label, glm::vec2 centre) {
    const float width = scene::widthOf(label.text, label.size);
    const float half = width / 2;
    std::vector<glm::vec2> pieces;
    for (float x = -half + 0.2f * label.size; x <= half - 0.2f * label.size; x += 0.1f * label.size) {
        const float angle = label.at.y + x / label.at.x;
        if (label.kind == scene::Label::Kind::curved) {
            pieces.push_back(centre + label.at.x * glm::vec2(std::cos(angle), std::sin(angle)));
        } else {
            const bool isCorner = label.kind == scene::Label::Kind::corner;
            pieces.push_back(label.at + glm::vec2(x + (isCorner ? half : 0), isCorner ? 0.55f * label.size : 0));
        }
    }
    return pieces;
}

/// Whether a text may lie over a glyph: it names that glyph, which may be a memory slot that pulses, or goes with a
/// block on its way and the glyph only makes room for that; or it is the name of a level, which holds still.
bool mayCover(const scene::Label& label, const scene::Target& of, const scene::Glyph& glyph,
              const scene::Target& what) {
    if (of.kind == scene::Target::Kind::level || glyph.fill.a == 0) return true;
    if (of == scene::Target{}) return glyph.glow == 0 && what.kind == scene::Target::Kind::line;
    return (what.address == of.address && what.cpu == of.cpu) || glm::distance(label.at, glyph.at) < 1.5f;
}

/// The first text that lies over a glyph that moves, pulses or is selected.
std::string coveringText(const scene::Scene& scene) {
    for (std::size_t i = 0; i < scene.labels.size(); ++i) {
        const scene::Label& label = scene.labels[i];
        const auto pieces = piecesOf(label, scene.centre);
        for (std::size_t g = 0; g < scene.moving.size(); ++g) {
            const scene::Glyph& glyph = scene.moving[g];
            if (mayCover(label, scene.labelTargets[i], glyph, scene.movingTargets[g])) continue;
            const auto lies = [&](glm::vec2 at) {
                return glm::distance(at, glyph.at) < glyph.radius + 0.2f * label.size;
            };
            if (std::any_of(pieces.begin(), pieces.end(), lies)) return label.text;
        }
    }
    return {};
}

constexpr glm::ivec2 kScreens[]{{1024, 768}, {1280, 720}, {1920, 1080}, {1080, 1920}};

/// Looks at the rings of what a tour shows now, on a screen of some size.
template <class Look>
void lookAt(const Session& session, glm::ivec2 size, RunViews& views, Look&& look) {
    const float scale = session.scaleIn(size, 1);
    const gl::Rect canvas = stageLayout(session, size.x, size.y, scale).picture;
    const std::vector<Tile> tiles = tilesOn(session, canvas, scale);
    views.follow(session);
    views.update(session, tiles, canvas, scale, session.player.moveTicks());
    for (const Tile& tile : tiles) {
        if (tile.view.kind == ViewId::Kind::rings) look(views.at(tile.view.run)->composer().picture()->scene());
    }
}

TEST(StageTexts, CoverNothingThatMovesOrIsSelected) {
    ImmediateRunner runner;
    std::size_t looks = 0;
    for (const std::string& name : tourNames()) {
        Session session;
        session.panels = false;
        session.caption = session.lecture = true;
        RunViews views(runner);
        TourPlayer player(session, {tourFrom(name).value()}, {},
                          [](const OpenRequest& request, const std::shared_ptr<const sim::Trace>&) {
                              return sim::Expected<Opened>(openedFor(request));
                          });
        for (std::size_t i = 0; i < player.tour().scenes.size(); ++i) {
            ASSERT_TRUE(player.enter(i)) << name;
            const double arrival = player.time().arrival();
            for (const double seconds : {0.5 * arrival, arrival, arrival + 0.3, player.time().played()}) {
                player.passUntil(seconds);
                for (const glm::ivec2 size : kScreens) {
                    lookAt(player.session(), size, views, [&](const scene::Scene& scene) {
                        ++looks;
                        EXPECT_EQ(coveringText(scene), "") << name << ", step " << i + 1 << " after " << seconds
                                                           << " s at " << size.x << " x " << size.y;
                    });
                }
            }
        }
    }
    EXPECT_GT(looks, 500u);
}

}  // namespace
}  // namespace whorl::app
