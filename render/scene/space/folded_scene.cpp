#include "render/scene/space/folded_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/palette.h"
#include "render/scene/space/folded_graph.h"
#include "render/scene/space/space_camera.h"
#include "render/scene/space/space_scene.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"

namespace whorl::scene {

namespace {

constexpr float kPeak = 0.5F;      ///< height of the peak, as a share of the square's side
constexpr float kNumbers = 0.88F;  ///< size of the scale's numbers, as a share of the text's size
constexpr float kSmallWidth = 18;  ///< a picture narrower than this, in heights of the text, is small
constexpr float kFrameDepth = 0.003F;
constexpr float kAbove = 0.01F;  ///< how far the surface, which slopes between nodes, may rise above a line of sight
constexpr float kWorthAName = 0.15F;  ///< share of the peak from which on a node has a name
constexpr float kAway = 0.05F;        ///< how far from the square the scale stands
constexpr float kKeyLine = 2.6F;      ///< lines of text from the upper edge to the middle of the colours' key
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
        addColourKey();
    }

  private:
    Rgba frameColour() const { return paletteFor(look_.ground).axis; }

    void addColourKey() {
        glm::vec2 at(0.75F * look_.textSize, kKeyLine * look_.textSize);
        for (const FoldedLook::Piece& piece : look_.colourKey) {
            if (!labels_.put(piece.words, at, SpaceLabels::Side::right, piece.colour)) return;
            at.x += widthOf(piece.words, labels_.textSize()) + 0.3F * look_.textSize;
        }
    }

    /// The cost of a node in words: `cost` is what the surface shows of it.
    std::string costOf(std::uint32_t node, std::uint64_t cost) const {
        return look_.costOf ? look_.costOf(node) : sim::grouped(cost) + " cycles";
    }

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
            if (look_.picked == peak.node) continue;  // the flag of a picked node has its name
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
        const auto cost = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(graph_.peak())));
        const std::string name = look_.nameOf ? look_.nameOf(*look_.picked) : "picked";
        const Rgba colour = nameColour(look_.pickedColour, look_.ground);
        scene_.overlay.push_back({at, top, colour});
        const std::string text = fmt::format("{}: {}", name, costOf(*look_.picked, cost));
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
        const std::string cost = costOf(peak.node, peak.cost);
        const std::string name = look_.nameOf ? look_.nameOf(peak.node) : "most expensive";
        const std::string text = name + ": " + cost;
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
        for (const std::string& shorter : {text, name, cost}) {
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

    /// A scale of costs at the corner of the square that lies outermost on the left, behind or beside the surface.
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

    /// Names the first and the last corner, if they are in front, where no surface hides them.
    void addEnds() {
        const bool byCost = graph_.order() == NodeOrder::cost;
        addCorner(kCorners[0], byCost ? look_.ends[0] : "last");
        addCorner(kCorners[2], byCost ? look_.ends[1] : "first");
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

constexpr float kTilePixels = 2.2F;  ///< nodes smaller than this are gathered into tiles, pixels
constexpr std::size_t kMaxTiles = 60'000;
constexpr float kEdgePixels = 9;    ///< nodes at least this large have lines between them, pixels
constexpr float kMinSlant = 0.35F;  ///< least slant for the size of tiles: limits it when the square is seen edge on

/// Rows or columns of nodes, gathered: the first of each band, and one past the last.
using Bands = std::vector<std::uint32_t>;

/// How large nodes are seen along one axis of the square.
class AxisScale {
  public:
    AxisScale(const FoldedGraph& graph, const FoldedLook& look, const glm::mat4& toClip, const Extent& seen, int axis)
        : toClip_(toClip), seen_(seen), axis_(axis), side_(graph.side()) {
        glm::vec3 along(0);
        along[axis] = 1;
        const float cosine = glm::dot(along, look.camera.toEye());
        const float slant = std::max(kMinSlant, std::sqrt(std::max(0.0F, 1 - cosine * cosine)));
        pixels_ = look.camera.pixelsPerUnit(look.size) * slant / static_cast<float>(side_);
    }

    /// The size in pixels of the largest node, of those in one row or column that can be seen.
    float largest(std::uint32_t index) const {
        const float at = (static_cast<float>(index) + 0.5F) / static_cast<float>(side_) - 0.5F;
        float nearest = 1e9F;
        for (int i = 0; i < 4; ++i) {
            glm::vec3 p = (i & 1) != 0 ? seen_.high : seen_.low;
            p.y = (i & 2) != 0 ? seen_.high.y : seen_.low.y;
            p[axis_] = at;
            nearest = std::min(nearest, (toClip_ * glm::vec4(p, 1)).w);
        }
        return pixels_ / std::max(nearest, 0.02F);
    }

    /// Bands of rows or columns that are at least about `wanted` pixels wide.
    Bands bands(float wanted) const {
        const auto nodes = static_cast<float>(side_);
        const auto clamped = [&](float at) { return static_cast<std::uint32_t>(std::clamp(at, 0.0F, nodes)); };
        const std::uint32_t last = clamped(std::ceil((seen_.high[axis_] + 0.5F) * nodes) + 2);
        std::uint32_t at = clamped(std::floor((seen_.low[axis_] + 0.5F) * nodes) - 2);
        Bands out;
        out.reserve(1024);
        // Each band begins at a multiple of its width: a tile keeps its nodes while the scene turns.
        std::uint32_t widest = 1;
        for (; widest < side_ && static_cast<float>(widest) * smallestWidth() < wanted;) widest *= 2;
        at = at / widest * widest;
        while (at < last) {
            out.push_back(at);
            std::uint32_t width = 1;
            while (static_cast<float>(width) * largest(at) < wanted && at % (2 * width) == 0 && width < widest) {
                width *= 2;
            }
            at = std::min(at + width, side_);
        }
        out.push_back(at);
        return out;
    }

  private:
    float smallestWidth() const {
        const auto first =
            static_cast<std::uint32_t>(std::max(0.0F, (seen_.low[axis_] + 0.5F) * static_cast<float>(side_)));
        const auto end = static_cast<std::uint32_t>((seen_.high[axis_] + 0.5F) * static_cast<float>(side_));
        return std::min(largest(std::min(first, side_ - 1)), largest(std::min(end, side_ - 1)));
    }

    const glm::mat4& toClip_;
    Extent seen_;
    int axis_;
    std::uint32_t side_;
    float pixels_;
};

std::vector<float> edgesOf(const Bands& bands, std::uint32_t side) {
    std::vector<float> edges;
    edges.reserve(bands.size());
    for (const std::uint32_t first : bands) {
        edges.push_back(static_cast<float>(first) / static_cast<float>(side) - 0.5F);
    }
    return edges;
}

/// Which band each row or column is in; -1: none.
std::vector<std::int32_t> bandOf(const Bands& bands, std::uint32_t side) {
    std::vector<std::int32_t> of(side, -1);
    for (std::size_t b = 0; b + 1 < bands.size(); ++b) {
        for (std::uint32_t i = bands[b]; i < bands[b + 1]; ++i) of[i] = static_cast<std::int32_t>(b);
    }
    return of;
}

/// The highest node of a tile, given how high it is.
std::uint32_t highestIn(const FoldedGraph& graph, std::uint32_t row, std::uint32_t rowEnd, std::uint32_t column,
                        std::uint32_t columnEnd, float share) {
    if (share < 0) return SpaceSurface::kNone;
    for (; row < rowEnd; ++row) {
        const std::size_t first = std::size_t{row} * graph.side();
        for (std::uint32_t i = column; i < columnEnd; ++i) {
            if (graph.shares()[first + i] == share) return graph.nodesByCell()[first + i];
        }
    }
    return SpaceSurface::kNone;
}

/// Finds the highest node of each tile: first over the rows of a band, which goes many columns at a time.
void gather(const FoldedGraph& graph, const Bands& columns, const Bands& rows, SpaceSurface& surface) {
    std::vector<float> line(graph.side());
    const std::uint32_t end = columns.back();
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
        const float* shares = graph.shares().data() + std::size_t{rows[r]} * graph.side();
        std::copy(shares, shares + end, line.begin());
        for (std::uint32_t row = rows[r] + 1; row < rows[r + 1]; ++row) {
            shares += graph.side();
            for (std::uint32_t i = columns.front(); i < end; ++i) line[i] = std::max(line[i], shares[i]);
        }
        for (std::size_t c = 0; c + 1 < columns.size(); ++c) {
            const float most = *std::max_element(line.begin() + columns[c], line.begin() + columns[c + 1]);
            surface.heights.push_back(std::max(0.0F, most));
            surface.nodes.push_back(highestIn(graph, rows[r], rows[r + 1], columns[c], columns[c + 1], most));
        }
    }
}

/// The colour of every tile that has no highlighted node.
void paintPlain(const FoldedLook& look, SpaceSurface& surface) {
    const Palette& palette = paletteFor(look.ground);
    surface.colours.reserve(surface.nodes.size());
    for (const std::uint32_t node : surface.nodes) {
        Rgba colour = node == SpaceSurface::kNone ? palette.plate : palette.node;
        if (node != SpaceSurface::kNone && look.colours != nullptr && node < look.colours->size() &&
            (*look.colours)[node].a != 0) {
            colour = (*look.colours)[node];
        }
        surface.colours.push_back(colour);
    }
}

/// The part of the surface that is in the picture, its nodes gathered into tiles that are large enough to be seen.
/// Whole columns and rows are gathered, so that tiles of different sizes meet without cracks.
SpaceSurface tilesOf(const FoldedGraph& graph, const FoldedLook& look, const glm::mat4& toClip) {
    SpaceSurface surface;
    if (graph.size() == 0) return surface;
    const std::optional<Extent> seen = visiblePart(toClip, extentOf(graph, look));
    if (!seen) return surface;
    const AxisScale columnScale(graph, look, toClip, *seen, 0);
    const AxisScale rowScale(graph, look, toClip, *seen, 2);
    Bands columns = columnScale.bands(kTilePixels);
    Bands rows = rowScale.bands(kTilePixels);
    // From close by, much of the surface can lie far off in thin strips: then the far part is shown more coarsely.
    for (float wanted = kTilePixels; columns.size() * rows.size() > kMaxTiles && wanted < 64;) {
        wanted *= 1.4F;
        columns = columnScale.bands(wanted);
        rows = rowScale.bands(wanted);
    }
    surface.x = edgesOf(columns, graph.side());
    surface.z = edgesOf(rows, graph.side());
    surface.heights.reserve(surface.rows() * surface.columns());
    surface.nodes.reserve(surface.rows() * surface.columns());
    gather(graph, columns, rows, surface);
    const float peak = heightOfPeak(graph, look);
    for (float& height : surface.heights) height *= peak;
    paintPlain(look, surface);

    const std::vector<std::int32_t> columnOf = bandOf(columns, graph.side());
    const std::vector<std::int32_t> rowOf = bandOf(rows, graph.side());
    // Which highlight a tile shows: later ones lie over earlier ones, and of one it shows the most expensive node.
    std::vector<std::size_t> shown(surface.nodes.size(), 0);
    const auto mark = [&](std::uint32_t node, Rgba colour, std::size_t highlight) {
        if (node >= graph.size()) return;
        const Cell cell = graph.cellOf(node);
        if (rowOf[cell.row] < 0 || columnOf[cell.column] < 0) return;
        const std::size_t tile = static_cast<std::size_t>(rowOf[cell.row]) * surface.columns() +
                                 static_cast<std::size_t>(columnOf[cell.column]);
        if (shown[tile] == highlight && graph.shareAt(graph.cellOf(surface.nodes[tile])) >= graph.shareAt(cell)) return;
        shown[tile] = highlight;
        surface.colours[tile] = colour;
        surface.nodes[tile] = node;
    };
    for (std::size_t h = 0; h < look.highlights.size(); ++h) {
        for (const std::uint32_t node : look.highlights[h].nodes) mark(node, look.highlights[h].colour, h + 1);
    }
    if (look.picked) mark(*look.picked, look.pickedColour, look.highlights.size() + 1);
    const std::uint32_t middle = graph.side() / 2;
    surface.edged = std::min(columnScale.largest(middle), rowScale.largest(middle)) >= kEdgePixels;
    return surface;
}

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
    Margin margin{
        .left = text, .right = text, .top = (look.colourKey.empty() ? 2.5F : 3.8F) * text, .bottom = 2 * text};
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
    scene.ambient = paletteFor(look.ground).ambient;
    scene.toEye = look.camera.toEye();
    scene.eye = look.camera.eye();
    scene.surface = tilesOf(graph, look, scene.toClip);
    FoldedPicture(graph, look, scene).addAll();
    return scene;
}

}  // namespace whorl::scene
