#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>

#include "render/scene/furniture.h"
#include "render/scene/space/folded_graph.h"
#include "render/scene/space/folded_tiles.h"
#include "render/scene/space/space_words.h"
#include "sim/measure/sheet.h"

namespace whorl::scene {

namespace {

constexpr float kPeak = 0.5F;      ///< the height of the peak, of the square's side
constexpr float kNumbers = 0.85F;  ///< how large those of the scale are, of the text's size
constexpr float kSmall = 18;       ///< a picture narrower than so many times the text's size is small
constexpr float kBelow = 0.003F;
constexpr float kAway = 0.05F;  ///< how far from the square the scale stands

/// The corners of the square, around it.
constexpr std::array<glm::vec2, 4> kCorners{{{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.5F, 0.5F}, {-0.5F, 0.5F}}};

/// In a small picture the words above the peak must do.
bool hasScale(const FoldedLook& look) {
    return look.size.x >= kSmall * look.textSize;
}

class FoldedPicture {
  public:
    FoldedPicture(const FoldedGraph& graph, const FoldedLook& look, SpaceScene& scene)
        : graph_(graph), look_(look), scene_(scene), words_(scene, look), top_(extentOf(graph, look).high.y) {}

    void addAll() {
        words_.title();
        addFrame();
        if (graph_.size() == 0) return;
        addPeak();
        addScale();
        addEnds();
    }

  private:
    Rgba frameColour() const { return spacePaletteFor(look_.ground).frame; }

    void addFrame() {
        for (std::size_t i = 0; i < kCorners.size(); ++i) {
            const glm::vec2 a = kCorners[i];
            const glm::vec2 b = kCorners[(i + 1) % kCorners.size()];
            // A little lower, where no surface lies.
            scene_.segments.push_back({{a.x, -kBelow, a.y}, {b.x, -kBelow, b.y}, frameColour()});
        }
    }

    /// What the most expensive node cost, above it.
    void addPeak() {
        const Cell cell = graph_.cellOf(graph_.peakNode());
        const auto cells = static_cast<float>(graph_.side());
        const glm::vec3 at((static_cast<float>(cell.column) + 0.5F) / cells - 0.5F, top_,
                           (static_cast<float>(cell.row) + 0.5F) / cells - 0.5F);
        const std::string cycles = sim::grouped(graph_.peak()) + " cycles";
        for (const std::string& text : {"most expensive: " + cycles, cycles}) {
            for (const auto side : {SpaceWords::Side::above, SpaceWords::Side::right, SpaceWords::Side::left}) {
                if (words_.putAt(text, at, side, words_.text(), 0.35F * look_.textSize)) return;
            }
        }
    }

    /// A scale of cycles at the corner of the square that lies outermost on the left, behind or beside the surface.
    void addScale() {
        if (graph_.peak() == 0 || !hasScale(look_)) return;
        const glm::vec3 right = look_.camera.right();
        glm::vec2 corner = kCorners[0];
        const auto across = [&](glm::vec2 c) { return c.x * right.x + c.y * right.z; };
        for (const glm::vec2 c : kCorners) {
            if (across(c) < across(corner) - 1e-4F) corner = c;
        }
        const glm::vec3 foot = glm::vec3(corner.x, 0, corner.y) - right * kAway;
        const glm::vec3 tick = right * 0.012F;
        scene_.segments.push_back({foot, foot + glm::vec3(0, top_, 0), words_.muted()});
        const sim::Cycles step = niceStep(graph_.peak(), 5);
        for (sim::Cycles c = 0; c <= graph_.peak(); c += step) {
            const float share = static_cast<float>(static_cast<double>(c) / static_cast<double>(graph_.peak()));
            const glm::vec3 at = foot + glm::vec3(0, top_ * share, 0);
            scene_.segments.push_back({at - tick, at, words_.muted()});
            words_.putAt(sim::grouped(c), at - tick, SpaceWords::Side::left, words_.muted(), 4,
                         kNumbers * look_.textSize);
        }
    }

    /// What the first and the last corner are, where no surface hides them: in front.
    void addEnds() {
        const bool byCost = graph_.order() == NodeOrder::cost;
        addCorner(kCorners[0], byCost ? "most expensive" : "last");
        addCorner(kCorners[2], byCost ? "cheapest" : "first");
    }

    void addCorner(glm::vec2 corner, const char* text) {
        const glm::vec3 at(corner.x, 0, corner.y);
        if (pixelOf(scene_.toClip, at, look_.size).y <= pixelOf(scene_.toClip, {0, 0, 0}, look_.size).y) return;
        words_.putAt(text, at, SpaceWords::Side::below, words_.muted(), 0.5F * look_.textSize);
    }

    const FoldedGraph& graph_;
    const FoldedLook& look_;
    SpaceScene& scene_;
    SpaceWords words_;
    float top_;
};

}  // namespace

Extent extentOf(const FoldedGraph&, const FoldedLook& look) {
    return {{-0.5F, 0, -0.5F}, {0.5F, kPeak * look.height, 0.5F}};
}

SpaceCamera homeCamera(const FoldedGraph& graph, const FoldedLook& look, SpaceCamera from) {
    const float text = look.textSize;
    Margin margin{.left = text, .right = text, .top = 2.5F * text, .bottom = 2 * text};
    if (hasScale(look)) {
        // The world is about as wide as the picture: so far away the scale stands, and its numbers beside it.
        const float numbers = widthOf(sim::grouped(graph.peak()), kNumbers * text);
        margin.left = std::min(numbers + kAway * look.size.x, 0.3F * look.size.x) + 0.5F * text;
    }
    from.fit(extentOf(graph, look), look.size, margin);
    return from;
}

SpaceScene foldedScene(const FoldedGraph& graph, const FoldedLook& look) {
    SpaceScene scene;
    scene.size = look.size;
    scene.ground = look.ground;
    scene.background = paletteFor(look.ground).ground;
    // Room for the scale beside it.
    Extent around = extentOf(graph, look);
    around.low -= glm::vec3(0.2F);
    around.high += glm::vec3(0.2F);
    scene.toClip = look.camera.toClip(look.size, around);
    scene.ambient = spacePaletteFor(look.ground).ambient;
    scene.toEye = look.camera.toEye();
    scene.eye = look.camera.eye();
    scene.surface = tilesOf(graph, look, scene.toClip);
    FoldedPicture(graph, look, scene).addAll();
    return scene;
}

}  // namespace whorl::scene
