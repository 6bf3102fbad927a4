#include "render/scene/space/folded_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "render/scene/space/space_palette.h"
#include "render/scene/space/visible_part.h"

namespace whorl::scene {

namespace {

constexpr float kTilePixels = 2.2F;  ///< nodes smaller than this are gathered
constexpr std::size_t kMostTiles = 60'000;
constexpr float kEdgePixels = 9;      ///< from this size on there are lines between nodes
constexpr float kLeastSlant = 0.35F;  ///< seen edge on, tiles are not made larger than this asks for

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
        const float slant = std::max(kLeastSlant, std::sqrt(std::max(0.0F, 1 - cosine * cosine)));
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

    /// Rows or columns that are at least about so many pixels wide.
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
    const SpacePalette& palette = spacePaletteFor(look.ground);
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

}  // namespace

SpaceSurface tilesOf(const FoldedGraph& graph, const FoldedLook& look, const glm::mat4& toClip) {
    SpaceSurface surface;
    if (graph.size() == 0) return surface;
    const std::optional<Extent> seen = visiblePart(toClip, extentOf(graph, look));
    if (!seen) return surface;
    const AxisScale columnScale(graph, look, toClip, *seen, 0);
    const AxisScale rowScale(graph, look, toClip, *seen, 2);
    Bands columns = columnScale.bands(kTilePixels);
    Bands rows = rowScale.bands(kTilePixels);
    // From close by, much of the surface can lie far off in thin strips: then what is far is shown more coarsely.
    for (float wanted = kTilePixels; columns.size() * rows.size() > kMostTiles && wanted < 64;) {
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

}  // namespace whorl::scene
