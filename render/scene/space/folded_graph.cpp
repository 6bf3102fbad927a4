#include "render/scene/space/folded_graph.h"

#include <algorithm>
#include <cmath>
#include <glm/vec3.hpp>

namespace whorl::scene {

namespace {

/// The largest d with d (d + 1) / 2 <= rank.
std::size_t diagonalOf(std::size_t rank) {
    auto d = static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(rank) + 1) - 1) / 2);
    while (d * (d + 1) / 2 > rank) --d;
    while ((d + 1) * (d + 2) / 2 <= rank) ++d;
    return d;
}

std::vector<std::uint64_t> waits(std::span<const sim::CostNode> nodes, sim::Cycles lookUp) {
    std::vector<std::uint64_t> out(nodes.size());
    std::transform(nodes.begin(), nodes.end(), out.begin(),
                   [&](const sim::CostNode& node) { return node.waited(lookUp); });
    return out;
}

std::vector<std::uint32_t> sorted(std::span<const sim::CostNode> nodes, NodeOrder order,
                                  std::span<const std::uint64_t> values) {
    struct Key {
        std::uint64_t value;
        std::uint32_t node;
    };
    std::vector<Key> keys(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        keys[i] = {order == NodeOrder::cost ? values[i] : nodes[i].address.value, i};
    }
    std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
        if (a.value != b.value) return a.value > b.value;
        return order == NodeOrder::cost ? a.node < b.node : a.node > b.node;
    });
    std::vector<std::uint32_t> out(keys.size());
    std::transform(keys.begin(), keys.end(), out.begin(), [](const Key& k) { return k.node; });
    return out;
}

}  // namespace

std::uint32_t foldedSide(std::size_t nodes) {
    auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(nodes)));
    while (side * side < nodes) ++side;
    while (side > 0 && (side - 1) * (side - 1) >= nodes) --side;
    return static_cast<std::uint32_t>(side);
}

Cell foldedCell(std::size_t rank, std::uint32_t side) {
    const std::size_t cells = std::size_t{side} * side;
    const bool beyond = rank >= std::size_t{side} * (side + std::size_t{1}) / 2;
    // The second half is the first, turned about the middle.
    const std::size_t mirrored = beyond ? cells - 1 - rank : rank;
    const std::size_t diagonal = diagonalOf(mirrored);
    const auto column = static_cast<std::uint32_t>(mirrored - diagonal * (diagonal + 1) / 2);
    const auto row = static_cast<std::uint32_t>(diagonal) - column;
    return beyond ? Cell{side - 1 - row, side - 1 - column} : Cell{row, column};
}

std::size_t foldedRank(Cell cell, std::uint32_t side) {
    const std::size_t diagonal = std::size_t{cell.row} + cell.column;
    if (diagonal < side) return diagonal * (diagonal + 1) / 2 + cell.column;
    return std::size_t{side} * side - 1 - foldedRank({side - 1 - cell.row, side - 1 - cell.column}, side);
}

FoldedGraph::FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order, sim::Cycles lookUp)
    : FoldedGraph(nodes, order, waits(nodes, lookUp)) {}

FoldedGraph::FoldedGraph(std::span<const sim::CostNode> nodes, NodeOrder order, std::span<const std::uint64_t> values)
    : nodes_(nodes.size()),
      side_(foldedSide(nodes.size())),
      order_(order),
      shares_(std::size_t{side_} * side_, -1.0F),
      nodeAt_(std::size_t{side_} * side_, kNone),
      cellOf_(nodes.size()) {
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const std::uint64_t cost = values[i];
        const auto isLess = [&](const Peak& p) { return p.cost < cost; };
        if (peaks_.size() > kPeaks && !isLess(peaks_.back())) continue;
        if (peaks_.size() > kPeaks) peaks_.pop_back();
        peaks_.insert(std::find_if(peaks_.begin(), peaks_.end(), isLess), {i, cost});
    }
    if (!peaks_.empty()) peak_ = peaks_.front().cost;
    // Nodes of equal cost are all peaks or none; only the first node is always one.
    if (peaks_.size() > kPeaks) {
        const std::uint64_t next = peaks_.back().cost;
        while (peaks_.size() > 1 && peaks_.back().cost == next) peaks_.pop_back();
    }
    const double unit = peak_ == 0 ? 0 : 1 / static_cast<double>(peak_);
    std::size_t rank = 0;
    for (const std::uint32_t node : sorted(nodes, order, values)) {
        const Cell cell = foldedCell(rank++, side_);
        const std::uint32_t at = cell.row * side_ + cell.column;
        nodeAt_[at] = node;
        cellOf_[node] = at;
        shares_[at] = static_cast<float>(static_cast<double>(values[node]) * unit);
    }
}

namespace {

constexpr double kSlack = 1e-4;

/// Follows the line of sight over the surface, from vertex to vertex.
class SurfaceWalk {
  public:
    SurfaceWalk(const SpaceSurface& surface, const Ray& ray)
        : surface_(surface), from_(ray.from), way_(glm::dvec3(ray.to) - glm::dvec3(ray.from)) {}

    std::optional<std::uint32_t> run() {
        bool bySide = false;
        if (!clip(bySide)) return std::nullopt;
        i_ = cellOf(begin_, 0);
        j_ = cellOf(begin_, 2);
        double over = above(begin_);
        // From beside the surface, below its edge, the line meets a wall.
        if (bySide && over < 0 && point(begin_).y >= 0) return nodeAt(begin_);
        for (double at = begin_; at < end_;) {
            const double next = std::min(end_, nextCrossing(at));
            for (const double stop : {diagonalCrossing(at, next), next}) {
                const double there = above(stop);
                if ((over < 0) != (there < 0)) return nodeAt(at + (stop - at) * over / (over - there));
                over = there;
                at = stop;
            }
            if (next >= end_ || !step()) break;
            over = above(next);
        }
        return std::nullopt;
    }

  private:
    glm::dvec3 point(double at) const { return from_ + way_ * at; }

    /// Cuts the line to what is above the square and no higher than the surface.
    bool clip(bool& bySide) {
        const float top = *std::max_element(surface_.heights.begin(), surface_.heights.end());
        // A little lower than the ground, where much of the surface lies.
        const glm::dvec3 low(surface_.x.front(), -kSlack, surface_.z.front());
        const glm::dvec3 high(surface_.x.back(), top, surface_.z.back());
        for (int axis = 0; axis < 3; ++axis) {
            if (way_[axis] == 0) {
                if (from_[axis] < low[axis] || from_[axis] > high[axis]) return false;
                continue;
            }
            double a = (low[axis] - from_[axis]) / way_[axis];
            double b = (high[axis] - from_[axis]) / way_[axis];
            if (a > b) std::swap(a, b);
            if (a > begin_) bySide = axis != 1;
            begin_ = std::max(begin_, a);
            end_ = std::min(end_, b);
        }
        return begin_ <= end_;
    }

    /// The index of the vertex before a point of the line, along an axis.
    std::size_t cellOf(double at, int axis) const {
        const std::size_t count = axis == 0 ? surface_.verticesAcross() : surface_.verticesDeep();
        const double place = point(at)[axis];
        std::size_t low = 0;
        std::size_t high = count - 1;
        while (high - low > 1) {
            const std::size_t middle = (low + high) / 2;
            (edge(axis, middle) <= place ? low : high) = middle;
        }
        return low;
    }

    double edge(int axis, std::size_t i) const { return axis == 0 ? surface_.vertexX(i) : surface_.vertexZ(i); }

    /// Where the line leaves the quad of four vertices in which it is.
    double nextCrossing(double at) const { return std::max(at, std::min(crossing(0, i_), crossing(2, j_))); }
    double crossing(int axis, std::size_t i) const {
        if (way_[axis] == 0) return 2;
        return (edge(axis, way_[axis] > 0 ? i + 1 : i) - from_[axis]) / way_[axis];
    }

    /// Where the line passes from one triangle of the quad to the other; `to` if it does not.
    double diagonalCrossing(double from, double to) const {
        const glm::dvec2 a = inCell(from);
        const glm::dvec2 b = inCell(to);
        const double before = a.x + a.y - 1;
        const double after = b.x + b.y - 1;
        if ((before < 0) == (after < 0)) return to;
        return from + (to - from) * before / (before - after);
    }

    /// Where a point lies in the quad: 0 to 1 each way.
    glm::dvec2 inCell(double at) const {
        const glm::dvec3 p = point(at);
        const double x = (p.x - edge(0, i_)) / (edge(0, i_ + 1) - edge(0, i_));
        const double z = (p.z - edge(2, j_)) / (edge(2, j_ + 1) - edge(2, j_));
        return {x, z};
    }

    /// The height of a point of the line above the surface.
    double above(double at) const {
        const glm::dvec2 c = inCell(at);
        const double h00 = surface_.heightOf(i_, j_);
        const double h10 = surface_.heightOf(i_ + 1, j_);
        const double h01 = surface_.heightOf(i_, j_ + 1);
        const double h11 = surface_.heightOf(i_ + 1, j_ + 1);
        const double height = c.x + c.y < 1 ? h00 + (h10 - h00) * c.x + (h01 - h00) * c.y
                                            : h11 + (h01 - h11) * (1 - c.x) + (h10 - h11) * (1 - c.y);
        return point(at).y - height;
    }

    /// Moves to the next quad; false if there is none.
    bool step() {
        const bool x = crossing(0, i_) <= crossing(2, j_);
        std::size_t& index = x ? i_ : j_;
        const std::size_t last = (x ? surface_.verticesAcross() : surface_.verticesDeep()) - 2;
        const bool up = way_[x ? 0 : 2] > 0;
        if (up ? index == last : index == 0) return false;
        up ? ++index : --index;
        return true;
    }

    std::optional<std::uint32_t> nodeAt(double at) const {
        const glm::dvec3 p = point(at);
        const std::size_t tile = tileIn(surface_.z, p.z) * surface_.columns() + tileIn(surface_.x, p.x);
        const std::uint32_t node = surface_.nodes[tile];
        return node == SpaceSurface::kNone ? std::nullopt : std::optional(node);
    }

    static std::size_t tileIn(const std::vector<float>& edges, double at) {
        const auto after = std::upper_bound(edges.begin() + 1, edges.end() - 1, static_cast<float>(at));
        return static_cast<std::size_t>(after - edges.begin()) - 1;
    }

    const SpaceSurface& surface_;
    glm::dvec3 from_;
    glm::dvec3 way_;
    double begin_ = 0;  ///< shares of the way
    double end_ = 1;
    std::size_t i_ = 0;  ///< the vertex to the left and behind
    std::size_t j_ = 0;
};

}  // namespace

std::optional<std::uint32_t> pickTile(const SpaceScene& scene, glm::vec2 pixel) {
    if (scene.surface.nodes.empty()) return std::nullopt;
    return SurfaceWalk(scene.surface, rayAt(scene.toClip, pixel, scene.size)).run();
}

std::optional<std::uint32_t> pickNode(const SpaceScene& scene, glm::vec2 pixel) {
    for (const SpaceName& name : scene.names) {
        const bool isIn =
            name.low.x <= pixel.x && pixel.x < name.high.x && name.low.y <= pixel.y && pixel.y < name.high.y;
        if (isIn) return name.node;
    }
    return pickTile(scene, pixel);
}

}  // namespace whorl::scene
