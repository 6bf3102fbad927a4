#include "render/scene/space/folded_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <random>
#include <set>

#include "render/scene/palette.h"
#include "render/scene/space/folded_scene.h"

namespace whorl::scene {
namespace {

std::vector<sim::CostNode> nodesOf(const std::vector<sim::Cycles>& costs) {
    std::vector<sim::CostNode> nodes(costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i) {
        nodes[i].cycles = costs[i];
        nodes[i].address = sim::ByteAddress{0x1000 + 8 * i};
    }
    return nodes;
}

std::vector<sim::CostNode> randomNodes(std::size_t count, unsigned seed, unsigned kinds = 10007) {
    std::mt19937 random(seed);
    std::vector<sim::Cycles> costs(count);
    for (sim::Cycles& c : costs) c = random() % kinds;
    return nodesOf(costs);
}

// By hand: the ranks in squares of side 1 to 4, row by row.
TEST(FoldedGraph, LaysNodesAlongDiagonals) {
    const std::vector<std::vector<std::size_t>> ranks{
        {0}, {0, 2, 1, 3}, {0, 2, 5, 1, 4, 7, 3, 6, 8}, {0, 2, 5, 9, 1, 4, 8, 12, 3, 7, 11, 14, 6, 10, 13, 15}};
    for (std::uint32_t side = 1; side <= 4; ++side) {
        for (std::uint32_t i = 0; i < side * side; ++i) {
            const std::size_t rank = ranks[side - 1][i];
            EXPECT_EQ(foldedCell(rank, side), (Cell{i / side, i % side})) << side << ": " << rank;
            EXPECT_EQ(foldedRank({i / side, i % side}, side), rank);
        }
    }
}

TEST(FoldedGraph, TakesTheSmallestSquare) {
    const std::vector<std::uint32_t> sides{0, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5};
    for (std::size_t n = 0; n < sides.size(); ++n) EXPECT_EQ(foldedSide(n), sides[n]) << n;
    EXPECT_EQ(foldedSide(1'000'000), 1000U);
    EXPECT_EQ(foldedSide(1'000'001), 1001U);
}

TEST(FoldedGraph, RanksAndCellsAreEachOthersInverse) {
    for (const std::uint32_t side : {5U, 64U, 333U}) {
        for (std::size_t rank = 0; rank < std::size_t{side} * side; ++rank) {
            ASSERT_EQ(foldedRank(foldedCell(rank, side), side), rank);
        }
    }
}

TEST(FoldedGraph, SortsByCostOrAddress) {
    const std::vector<sim::CostNode> nodes = nodesOf({5, 9, 0, 9, 7});
    const FoldedGraph byCost(nodes, NodeOrder::cost);
    const std::vector<std::uint32_t> costly{1, 3, 4, 0, 2};
    for (std::size_t rank = 0; rank < 5; ++rank) EXPECT_EQ(byCost.nodeOfRank(rank), costly[rank]);
    const FoldedGraph byAddress(nodes, NodeOrder::address);
    for (std::size_t rank = 0; rank < 5; ++rank) {
        EXPECT_EQ(byAddress.nodeOfRank(rank), 4 - rank);
        EXPECT_EQ(byAddress.rankOf(static_cast<std::uint32_t>(rank)), 4 - rank);
    }
    EXPECT_EQ(byCost.peak(), 9U);
    ASSERT_EQ(byCost.peaks().size(), FoldedGraph::kPeaks);
    for (std::size_t rank = 0; rank < FoldedGraph::kPeaks; ++rank) {
        EXPECT_EQ(byCost.peaks()[rank].node, costly[rank]);
        EXPECT_EQ(byCost.peaks()[rank].cost, nodes[costly[rank]].cycles);
        EXPECT_EQ(byAddress.peaks()[rank].node, costly[rank]);
    }
    EXPECT_FLOAT_EQ(byCost.shareAt(byCost.cellOf(4)), 7.0F / 9);
    // The four unused cells of the 3 x 3 square have no node.
    for (std::size_t rank = 5; rank < 9; ++rank) EXPECT_EQ(byCost.nodeOfRank(rank), FoldedGraph::kNone);
}

TEST(FoldedGraph, TheCostIsWhatCpusWaitedForBlocks) {
    std::vector<sim::CostNode> nodes = nodesOf({1000, 120});
    nodes[0].accesses = 500;  // all of them found at once
    nodes[1].accesses = 10;
    const FoldedGraph graph(nodes, NodeOrder::cost, 2);
    EXPECT_EQ(graph.nodeOfRank(0), 1U);
    EXPECT_EQ(graph.peak(), 100U);
    EXPECT_EQ(graph.shareAt(graph.cellOf(0)), 0.0F);
}

TEST(FoldedGraph, NamesNoneOfManyThatCostTheSame) {
    const auto peaksOf = [](std::vector<sim::Cycles> cycles) {
        const std::vector<sim::CostNode> nodes = nodesOf({cycles.begin(), cycles.end()});
        const FoldedGraph graph(nodes, NodeOrder::cost);
        std::vector<std::uint32_t> out;
        for (const FoldedGraph::Peak& p : graph.peaks()) out.push_back(p.node);
        return out;
    };
    using Nodes = std::vector<std::uint32_t>;
    EXPECT_EQ(peaksOf({9, 4, 4, 4, 4, 4}), Nodes{0});
    EXPECT_EQ(peaksOf({4, 9, 8, 4, 4}), (Nodes{1, 2}));
    EXPECT_EQ(peaksOf({4, 4, 4, 4, 4}), Nodes{0}) << "the first, though it is not alone";
    EXPECT_EQ(peaksOf({4, 4, 4, 4, 3}), (Nodes{0, 1, 2, 3}));
    EXPECT_EQ(peaksOf({}), Nodes{});
}

TEST(FoldedScene, DrawsEachNodeThatHasRoom) {
    const std::vector<sim::CostNode> nodes = nodesOf({40, 30, 20, 10, 5});
    const FoldedGraph graph(nodes, NodeOrder::cost);
    FoldedLook look;
    look.height = 2;
    look.camera = homeCamera(graph, look);
    const SpaceSurface s = foldedScene(graph, look).surface;
    ASSERT_EQ(s.columns(), 3U);
    ASSERT_EQ(s.rows(), 3U);
    EXPECT_FLOAT_EQ(s.x.front(), -0.5F);
    EXPECT_FLOAT_EQ(s.x.back(), 0.5F);
    // The peak is half as high as the square is wide, times two; rank 0 lies at the low corner.
    const std::vector<float> heights{1, 0.5F, 0, 0.75F, 0.125F, 0, 0.25F, 0, 0};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_FLOAT_EQ(s.heights[i], heights[i]) << i;
    const Palette& palette = paletteFor(look.ground);
    EXPECT_EQ(s.colours[0], palette.node);
    EXPECT_EQ(s.colours[8], palette.plate);
    EXPECT_EQ(s.nodes[3], 1U);
    EXPECT_EQ(s.nodes[8], SpaceSurface::kNone);
}

/// The nodes of a tile, by brute force.
std::vector<std::uint32_t> nodesIn(const FoldedGraph& graph, const SpaceSurface& s, std::size_t row,
                                   std::size_t column) {
    std::vector<std::uint32_t> out;
    const auto side = static_cast<float>(graph.side());
    for (std::uint32_t node = 0; node < graph.size(); ++node) {
        const Cell cell = graph.cellOf(node);
        const float x = (static_cast<float>(cell.column) + 0.5F) / side - 0.5F;
        const float z = (static_cast<float>(cell.row) + 0.5F) / side - 0.5F;
        if (x > s.x[column] && x < s.x[column + 1] && z > s.z[row] && z < s.z[row + 1]) out.push_back(node);
    }
    return out;
}

TEST(FoldedScene, TilesShowTheHighestOfTheirNodes) {
    const std::vector<sim::CostNode> nodes = randomNodes(9900, 5);
    const FoldedGraph graph(nodes, NodeOrder::address);
    FoldedLook look;
    look.size = {120, 90};
    look.textSize = 2;
    look.camera = homeCamera(graph, look);
    const SpaceSurface s = foldedScene(graph, look).surface;
    ASSERT_LT(s.nodes.size(), 3000U);
    ASSERT_GT(s.nodes.size(), 100U);
    std::size_t held = 0;
    for (std::size_t row = 0; row < s.rows(); ++row) {
        for (std::size_t column = 0; column < s.columns(); ++column) {
            const auto in = nodesIn(graph, s, row, column);
            held += in.size();
            const std::size_t tile = row * s.columns() + column;
            if (in.empty()) {
                EXPECT_EQ(s.nodes[tile], SpaceSurface::kNone);
                continue;
            }
            const auto highest = *std::max_element(in.begin(), in.end(), [&](std::uint32_t a, std::uint32_t b) {
                return nodes[a].cycles < nodes[b].cycles;
            });
            EXPECT_EQ(nodes[s.nodes[tile]].cycles, nodes[highest].cycles);
            EXPECT_FLOAT_EQ(s.heights[tile],
                            0.5F * static_cast<float>(nodes[highest].cycles) / static_cast<float>(graph.peak()));
        }
    }
    EXPECT_EQ(held, nodes.size());
}

TEST(FoldedScene, NeverHidesThePeakNorWhatStandsOut) {
    const std::vector<sim::CostNode> nodes = randomNodes(200'000, 6, 1000);
    const FoldedGraph graph(nodes, NodeOrder::cost);
    std::mt19937 random(7);
    for (int i = 0; i < 12; ++i) {
        FoldedLook look;
        look.size = {400, 300};
        look.camera = homeCamera(graph, look);
        look.camera.turn({static_cast<float>(random() % 600), static_cast<float>(random() % 200)}, look.size);
        look.camera.perspective = static_cast<float>(i) / 12;
        const Rgba red = hex(0xFF0000);
        const Rgba yellow = hex(0xFFFF00);
        look.highlights = {{{static_cast<std::uint32_t>(random() % 200'000), 77, 78}, red}};
        look.picked = static_cast<std::uint32_t>(random() % 200'000);
        look.pickedColour = yellow;
        look.camera.fit(extentOf(graph, look), look.size, glm::vec2(10, 10));
        const SpaceSurface s = foldedScene(graph, look).surface;
        EXPECT_LT(s.nodes.size(), 70'000U);
        EXPECT_FLOAT_EQ(*std::max_element(s.heights.begin(), s.heights.end()), 0.5F);
        EXPECT_EQ(std::count(s.colours.begin(), s.colours.end(), yellow), 1);
        EXPECT_GE(std::count(s.colours.begin(), s.colours.end(), red), 1);
        const auto picked = std::find(s.colours.begin(), s.colours.end(), yellow) - s.colours.begin();
        EXPECT_EQ(s.nodes[static_cast<std::size_t>(picked)], *look.picked);
    }
}

TEST(FoldedScene, ShowsSingleNodesFromNearBy) {
    const std::vector<sim::CostNode> nodes = randomNodes(1'000'000, 8, 50);
    const FoldedGraph graph(nodes, NodeOrder::address);
    FoldedLook look;
    look.camera = {.elevation = 1.2F, .span = 0.05F, .perspective = 0};
    const SpaceSurface s = foldedScene(graph, look).surface;
    // 720 pixels are 50 nodes: 14 pixels each; only what is visible is drawn.
    EXPECT_LT(s.nodes.size(), 100'000U);
    for (std::size_t i = 0; i < s.columns(); ++i) EXPECT_NEAR(s.x[i + 1] - s.x[i], 0.001F, 1e-5F);
    EXPECT_TRUE(s.edged);
    look.camera.perspective = 1;
    look.camera.elevation = 0.3F;
    EXPECT_LT(foldedScene(graph, look).surface.nodes.size(), 70'000U);
}

TEST(FoldedScene, IsAFunctionOfItsArguments) {
    const std::vector<sim::CostNode> nodes = randomNodes(5000, 9);
    const FoldedGraph graph(nodes, NodeOrder::cost);
    FoldedLook look;
    look.title = "Objects";
    look.camera = homeCamera(graph, look);
    const SpaceScene first = foldedScene(graph, look);
    FoldedLook other = look;
    other.camera.turn({50, 60}, other.size);
    other.picked = 3;
    EXPECT_FALSE(samePicture(foldedScene(graph, other), first));
    const SpaceScene again = foldedScene(graph, look);
    EXPECT_TRUE(samePicture(again, first));
    ASSERT_EQ(again.labels.size(), first.labels.size());
    for (std::size_t i = 0; i < first.labels.size(); ++i) {
        EXPECT_EQ(again.labels[i].text, first.labels[i].text);
        EXPECT_EQ(again.labels[i].at, first.labels[i].at);
    }
}

TEST(FoldedScene, HasNothingToShowOfNothing) {
    const FoldedGraph graph(std::vector<sim::CostNode>{}, NodeOrder::cost);
    FoldedLook look;
    look.camera = homeCamera(graph, look);
    const SpaceScene scene = foldedScene(graph, look);
    EXPECT_TRUE(scene.surface.nodes.empty());
    EXPECT_FALSE(pickNode(scene, look.size / 2.0F).has_value());
    // All without cost: a flat surface.
    const std::vector<sim::CostNode> free = nodesOf({0, 0, 0});
    const FoldedGraph flat(free, NodeOrder::cost);
    look.camera = homeCamera(flat, look);
    EXPECT_EQ(foldedScene(flat, look).surface.heights, std::vector<float>(4, 0.0F));
}

// --- picking
// ---------------------------------------------------------------------------------------------------------------

/// Where a line intersects a triangle, as a fraction of its length (Möller and Trumbore 1997); 2: it does not.
double meets(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c) {
    const glm::dvec3 from(ray.from);
    const glm::dvec3 way = glm::dvec3(ray.to) - from;
    const glm::dvec3 p = glm::cross(way, c - a);
    const double det = glm::dot(b - a, p);
    if (std::abs(det) < 1e-14) return 2;
    const glm::dvec3 t = from - a;
    const double u = glm::dot(t, p) / det;
    const glm::dvec3 q = glm::cross(t, b - a);
    const double v = glm::dot(way, q) / det;
    const double at = glm::dot(c - a, q) / det;
    return u < 0 || v < 0 || u + v > 1 || at < 0 || at > 1 ? 2 : at;
}

/// The first point of the surface or its walls on a line, by brute force over all triangles.
double meetsByBruteForce(const SpaceSurface& s, const Ray& ray) {
    double best = 2;
    const auto vertex = [&](std::size_t i, std::size_t j) {
        return glm::dvec3(s.vertexX(i), s.heightOf(i, j), s.vertexZ(j));
    };
    const auto floor = [](glm::dvec3 p) { return glm::dvec3(p.x, 0, p.z); };
    const auto wall = [&](glm::dvec3 a, glm::dvec3 b) {
        best = std::min({best, meets(ray, a, b, floor(a)), meets(ray, b, floor(b), floor(a))});
    };
    const std::size_t lastI = s.verticesAcross() - 1;
    const std::size_t lastJ = s.verticesDeep() - 1;
    for (std::size_t j = 0; j < lastJ; ++j) {
        for (std::size_t i = 0; i < lastI; ++i) {
            best = std::min(best, meets(ray, vertex(i, j), vertex(i + 1, j), vertex(i, j + 1)));
            best = std::min(best, meets(ray, vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)));
        }
    }
    for (std::size_t i = 0; i < lastI; ++i) {
        wall(vertex(i, 0), vertex(i + 1, 0));
        wall(vertex(i, lastJ), vertex(i + 1, lastJ));
    }
    for (std::size_t j = 0; j < lastJ; ++j) {
        wall(vertex(0, j), vertex(0, j + 1));
        wall(vertex(lastI, j), vertex(lastI, j + 1));
    }
    return best;
}

/// The tiles within a tiny distance of a position.
std::set<std::uint32_t> nodesAround(const SpaceSurface& s, glm::dvec3 at) {
    std::set<std::uint32_t> out;
    for (std::size_t row = 0; row < s.rows(); ++row) {
        for (std::size_t column = 0; column < s.columns(); ++column) {
            constexpr double kHair = 1e-5;
            if (at.x < s.x[column] - kHair || at.x > s.x[column + 1] + kHair) continue;
            if (at.z < s.z[row] - kHair || at.z > s.z[row + 1] + kHair) continue;
            out.insert(s.nodes[row * s.columns() + column]);
        }
    }
    return out;
}

TEST(FoldedPick, FindsWhatAllTrianglesTriedWouldFind) {
    std::mt19937 random(10);
    int hits = 0;
    int misses = 0;
    for (int i = 0; i < 60; ++i) {
        const std::vector<sim::CostNode> nodes = randomNodes(1 + random() % 400, 100 + static_cast<unsigned>(i), 20);
        const FoldedGraph graph(nodes, i % 2 == 0 ? NodeOrder::cost : NodeOrder::address);
        FoldedLook look;
        look.size = {300, 200};
        look.camera = homeCamera(graph, look);
        look.camera.turn({static_cast<float>(random() % 400), static_cast<float>(random() % 60)}, look.size);
        look.camera.perspective = static_cast<float>(random() % 11) / 10;
        look.camera.span *= i % 3 == 0 ? 0.3F : 1;
        const SpaceScene scene = foldedScene(graph, look);
        for (int k = 0; k < 40; ++k) {
            const glm::vec2 pixel(static_cast<float>(random() % 300) + 0.37F,
                                  static_cast<float>(random() % 200) + 0.41F);
            const Ray ray = rayAt(scene.toClip, pixel, scene.size);
            const double at = meetsByBruteForce(scene.surface, ray);
            const auto picked = pickTile(scene, pixel);
            if (at > 1) {
                EXPECT_FALSE(picked.has_value()) << i << ", " << k;
                ++misses;
                continue;
            }
            const glm::dvec3 place = glm::dvec3(ray.from) + (glm::dvec3(ray.to) - glm::dvec3(ray.from)) * at;
            EXPECT_TRUE(nodesAround(scene.surface, place).contains(picked.value_or(SpaceSurface::kNone)))
                << i << ", " << k << ": " << picked.value_or(SpaceSurface::kNone);
            ++hits;
        }
    }
    EXPECT_GT(hits, 600);
    EXPECT_GT(misses, 200);
}

TEST(FoldedPick, FindsTheNodeThatATileShows) {
    std::vector<sim::CostNode> nodes = nodesOf(std::vector<sim::Cycles>(100'000, 1));
    nodes[4321].cycles = 1000;
    const FoldedGraph graph(nodes, NodeOrder::address);
    FoldedLook look;
    look.size = {320, 240};
    look.camera = homeCamera(graph, look);
    look.camera.elevation = 1.5707F;
    look.camera.perspective = 0;
    const SpaceScene scene = foldedScene(graph, look);
    const SpaceSurface& s = scene.surface;
    ASSERT_LT(s.nodes.size(), 50'000U);
    const auto tile = static_cast<std::size_t>(std::find(s.nodes.begin(), s.nodes.end(), 4321U) - s.nodes.begin());
    ASSERT_LT(tile, s.nodes.size());
    const glm::vec3 peak(s.vertexX(tile % s.columns() + 1), 0.5F, s.vertexZ(tile / s.columns() + 1));
    EXPECT_EQ(pickNode(scene, pixelOf(scene.toClip, peak, look.size)), 4321U);
}

/// A name is larger than a peak, and says more: who wants the one clicks on the other.
TEST(FoldedPick, FindsANodeByItsName) {
    std::vector<sim::CostNode> nodes = nodesOf(std::vector<sim::Cycles>(400, 1));
    nodes[17].cycles = 1000;
    nodes[230].cycles = 900;
    const FoldedGraph graph(nodes, NodeOrder::address);
    FoldedLook look;
    look.size = {900, 600};
    look.nameOf = [](std::uint32_t node) { return "node " + std::to_string(node); };
    look.camera = homeCamera(graph, look);
    look.picked = 230;
    const SpaceScene scene = foldedScene(graph, look);
    for (const std::uint32_t node : {17U, 230U}) {
        const auto words = look.nameOf(node) + ": ";
        const auto label = std::find_if(scene.labels.begin(), scene.labels.end(),
                                        [&](const Label& l) { return l.text.starts_with(words); });
        ASSERT_NE(label, scene.labels.end()) << node;
        const auto name =
            std::find_if(scene.names.begin(), scene.names.end(), [&](const SpaceName& n) { return n.node == node; });
        ASSERT_NE(name, scene.names.end()) << node;
        const glm::vec2 at = label->at;
        EXPECT_TRUE(name->low.x <= at.x && at.x <= name->high.x && name->low.y <= at.y && at.y <= name->high.y);
        EXPECT_EQ(pickNode(scene, (name->low + name->high) / 2.0F), node);
    }
}

}  // namespace
}  // namespace whorl::scene
