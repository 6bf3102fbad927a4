#include "render/scene/space/folded_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/space/folded_tiles.h"
#include "render/scene/space/space_labels.h"
#include "render/scene/space/space_palette.h"
#include "render/scene/space/surface_pick.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kPeak = 0.5F;      ///< the height of the peak, of the square's side
constexpr float kNumbers = 0.88F;  ///< the size of the scale's numbers, of the text's size
constexpr float kSmallWidth = 18;  ///< a picture narrower than so many times the text's size is small
constexpr float kFrameDepth = 0.003F;
constexpr float kAbove = 0.01F;  ///< the surface slopes from node to node: so far it may rise above a line of sight
constexpr float kWorthAName = 0.15F;  ///< of the peak
constexpr float kAway = 0.05F;        ///< how far from the square the scale stands
constexpr float kPole = 2.2F;         ///< lines of text from what is picked up to its flag

/// The corners of the square, around it.
constexpr std::array<glm::vec2, 4> kCorners{{{-0.5F, -0.5F}, {0.5F, -0.5F}, {0.5F, 0.5F}, {-0.5F, 0.5F}}};

/// A small picture has no scale: the text above the peak must do.
bool hasScale(const FoldedLook& look) {
    return look.size.x >= kSmallWidth * look.textSize;
}

class FoldedPicture {
  public:
    FoldedPicture(const FoldedGraph& graph, const FoldedLook& look, SpaceScene& scene)
        : graph_(graph), look_(look), scene_(scene), labels_(scene, look), top_(heightOfPeak(graph, look)) {}

    void addAll() {
        labels_.title();
        addFrame();
        if (graph_.size() == 0) return;
        addFlag();
        addPeaks();
        addScale();
        addEnds();
        labels_.put(look_.key, labels_.besideTitle(), SpaceLabels::Side::right, labels_.muted());
    }

  private:
    Rgba frameColour() const { return spacePaletteFor(look_.ground).frame; }

    void addFrame() {
        for (std::size_t i = 0; i < kCorners.size(); ++i) {
            const glm::vec2 a = kCorners[i];
            const glm::vec2 b = kCorners[(i + 1) % kCorners.size()];
            // A little lower, where no surface lies.
            scene_.segments.push_back({{a.x, -kFrameDepth, a.y}, {b.x, -kFrameDepth, b.y}, frameColour()});
        }
    }

    /// The names and costs of the most expensive nodes: always the first, the others where they can be seen.
    void addPeaks() {
        for (const FoldedGraph::Peak& peak : graph_.peaks()) {
            const Cell cell = graph_.cellOf(peak.node);
            const float share = std::max(graph_.shareAt(cell), 0.0F);
            if (look_.picked == peak.node) continue;  // its flag has its name
            const bool isFirst = peak.node == graph_.peaks().front().node;
            if (!isFirst && (share < kWorthAName || !look_.nameOf)) continue;
            const glm::vec3 at = placeOf(cell);
            if (isFirst || isSeen(at)) addPeak(peak, at);
        }
    }

    /// The name and cost of what is picked, on a pole above it that nothing hides.
    void addFlag() {
        if (!look_.picked || *look_.picked >= graph_.size()) return;
        const Cell cell = graph_.cellOf(*look_.picked);
        const glm::vec3 at = placeOf(cell);
        const float pixel = 1 / look_.camera.pixelsPerUnit(look_.size);
        const glm::vec3 top = at + look_.camera.up() * (kPole * labels_.textSize() * pixel);
        const double share = static_cast<double>(std::max(graph_.shareAt(cell), 0.0F));
        const auto cycles = static_cast<sim::Cycles>(std::llround(share * static_cast<double>(graph_.peak())));
        const std::string name = look_.nameOf ? look_.nameOf(*look_.picked) : "picked";
        const Rgba colour = nameColour(look_.pickedColour, look_.ground);
        scene_.overlay.push_back({at, top, colour});
        const std::string text = fmt::format("{}: {} cycles", name, sim::grouped(cycles));
        for (const auto side : {SpaceLabels::Side::right, SpaceLabels::Side::left, SpaceLabels::Side::above}) {
            if (!labels_.putAt(text, top, side, colour, 0.3F * labels_.textSize())) continue;
            labels_.namesNode(*look_.picked);
            break;
        }
    }

    glm::vec3 placeOf(Cell cell) const {
        const auto cells = static_cast<float>(graph_.side());
        return {(static_cast<float>(cell.column) + 0.5F) / cells - 0.5F, top_ * std::max(graph_.shareAt(cell), 0.0F),
                (static_cast<float>(cell.row) + 0.5F) / cells - 0.5F};
    }

    /// Names stand one below the other beside the peak, where the surface is low, each with a line to its node; in a
    /// small picture only the first is named.
    void addPeak(const FoldedGraph::Peak& peak, glm::vec3 at) {
        const std::string cycles = sim::grouped(peak.cycles) + " cycles";
        const std::string name = look_.nameOf ? look_.nameOf(peak.node) : "most expensive";
        const std::string text = name + ": " + cycles;
        if (hasScale(look_)) {
            const float pixel = 1 / look_.camera.pixelsPerUnit(look_.size);
            if (peaksNamed_ == 0) column_ = at + look_.camera.right() * (3 * labels_.textSize() * pixel);
            const glm::vec3 down = look_.camera.up() * (-1.5F * labels_.textSize() * pixel);
            const glm::vec3 end = column_ + down * static_cast<float>(peaksNamed_);
            const float gap = 0.3F * labels_.textSize();
            if (isFree(text, end, gap) && labels_.putAt(text, end, SpaceLabels::Side::right, labels_.text(), gap)) {
                labels_.namesNode(peak.node);
                scene_.segments.push_back({at, end, labels_.muted()});
                ++peaksNamed_;
                return;
            }
        }
        if (peaksNamed_ > 0 || peak.node != graph_.peaks().front().node) return;
        for (const std::string& shorter : {text, name, cycles}) {
            if (!labels_.putAt(shorter, at, SpaceLabels::Side::above, labels_.text(), 0.35F * look_.textSize)) continue;
            labels_.namesNode(peak.node);
            break;
        }
        ++peaksNamed_;
    }

    /// Whether a text on the right of a place lies beside the surface, where it can be read.
    bool isFree(const std::string& text, glm::vec3 at, float gap) const {
        const glm::vec2 from = pixelOf(scene_.toClip, at, look_.size) + glm::vec2(gap, 0);
        const glm::vec2 to = from + glm::vec2(widthOf(text, labels_.textSize()), 0);
        return !pickTile(scene_, from) && !pickTile(scene_, (from + to) / 2.0F) && !pickTile(scene_, to);
    }

    /// Whether no node that is higher stands between a place and the eye.
    bool isSeen(glm::vec3 at) const {
        const glm::vec4 eye = look_.camera.eye();
        glm::vec3 way = eye.w == 0 ? glm::vec3(eye) : glm::vec3(eye) / eye.w - at;
        const float across = std::max(std::abs(way.x), std::abs(way.z));
        if (across <= 0) return true;
        const auto cells = static_cast<float>(graph_.side());
        way *= 0.5F / cells / across;
        for (glm::vec3 on = at + way; std::max(std::abs(on.x), std::abs(on.z)) < 0.5F && on.y < top_; on += way) {
            const Cell cell{static_cast<std::uint32_t>((on.z + 0.5F) * cells),
                            static_cast<std::uint32_t>((on.x + 0.5F) * cells)};
            if (graph_.shareAt(cell) * top_ > on.y + kAbove) return false;
        }
        return true;
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
        scene_.segments.push_back({foot, foot + glm::vec3(0, top_, 0), labels_.muted()});
        const sim::Cycles step = niceStep(graph_.peak(), 5);
        for (sim::Cycles c = 0; c <= graph_.peak(); c += step) {
            const float share = static_cast<float>(static_cast<double>(c) / static_cast<double>(graph_.peak()));
            const glm::vec3 at = foot + glm::vec3(0, top_ * share, 0);
            scene_.segments.push_back({at - tick, at, labels_.muted()});
            labels_.putAt(sim::grouped(c), at - tick, SpaceLabels::Side::left, labels_.muted(), 4,
                          kNumbers * look_.textSize);
        }
    }

    /// What the first and the last corner stand for, if they are in front, where no surface hides them.
    void addEnds() {
        const bool byCost = graph_.order() == NodeOrder::cost;
        addCorner(kCorners[0], byCost ? "most expensive" : "last");
        addCorner(kCorners[2], byCost ? "cheapest" : "first");
    }

    void addCorner(glm::vec2 corner, const char* text) {
        const glm::vec3 at(corner.x, 0, corner.y);
        if (pixelOf(scene_.toClip, at, look_.size).y <= pixelOf(scene_.toClip, {0, 0, 0}, look_.size).y) return;
        labels_.putAt(text, at, SpaceLabels::Side::below, labels_.muted(), 0.5F * look_.textSize);
    }

    const FoldedGraph& graph_;
    const FoldedLook& look_;
    SpaceScene& scene_;
    SpaceLabels labels_;
    float top_;
    std::uint32_t peaksNamed_ = 0;
    glm::vec3 column_{0};  ///< where the first of their names stands
};

}  // namespace

Extent extentOf(const FoldedGraph&, const FoldedLook& look) {
    return {{-0.5F, 0, -0.5F}, {0.5F, kPeak * look.height, 0.5F}};
}

float heightOfPeak(const FoldedGraph& graph, const FoldedLook& look) {
    const float all = extentOf(graph, look).high.y;
    if (look.full <= graph.peak()) return all;
    return all * static_cast<float>(static_cast<double>(graph.peak()) / static_cast<double>(look.full));
}

SpaceCamera homeCamera(const FoldedGraph& graph, const FoldedLook& look, SpaceCamera from) {
    const float text = look.textSize;
    Margin margin{.left = text, .right = text, .top = 2.5F * text, .bottom = 2 * text};
    if (hasScale(look)) {
        // The world is about as wide as the picture, so kAway of its width is left for the scale, and room for its
        // numbers.
        const float numbers = widthOf(sim::grouped(std::max(graph.peak(), look.full)), kNumbers * text);
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
