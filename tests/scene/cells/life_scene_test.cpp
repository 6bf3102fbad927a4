// The picture of a life: on random runs, all nodes and moves are where they can be told apart and found.
#include "render/scene/cells/life_scene.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/analysis/history_help.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

struct Life {
    explicit Life(std::uint64_t seed) : random(seed, 200 + seed % 5 * 200) {
        std::mt19937_64 dice(seed);
        sim::Progress progress;
        const CursorLoanOf first(random.run->trace());
        life = objectLifeOf(*random.run, {first.address, 1 + dice() % 5000, random.range}, progress, 4 + dice() % 60);
        look.size = {400 + static_cast<int>(dice() % 1200), 260 + static_cast<int>(dice() % 700)};
        look.ground = dice() % 2 == 0 ? Ground::dark : Ground::light;
        if (dice() % 2 == 0) look.chosen = 0;
    }
    sim::LifeWords words() const { return {*life, random.run->trace(), random.run->machine()}; }

    /// The address of an access in the middle, less a little.
    struct CursorLoanOf {
        explicit CursorLoanOf(const sim::Trace& trace) {
            const sim::CursorLoan loan(trace);
            const std::uint64_t middle = loan.cursor().at(sim::Tick{trace.size() / 2}).address.value;
            address.value = std::min(middle - std::min<std::uint64_t>(middle, 500), ~std::uint64_t{0} - 5000);
        }
        sim::ByteAddress address;
    };

    sim::test::RandomRun random;
    std::shared_ptr<const sim::ObjectLife> life;
    LifeLook look;
};

TEST(LifeScene, HasABoxForEachNodeAndAPathForEachFrequentMove) {
    std::size_t nodes = 0;
    std::size_t taken = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(200); ++seed) {
        SCOPED_TRACE(seed);
        const Life life(seed);
        const LifeFrame frame = lifeFrame(life.words(), life.look);
        ASSERT_EQ(frame.boxes.size(), life.life->nodes.size());
        EXPECT_EQ(frame.paths.size() + frame.hidden, life.life->edges.size());
        for (std::size_t n = 0; n < frame.boxes.size(); ++n) {
            const PixelBox& box = frame.boxes[n];
            ASSERT_FALSE(box.isEmpty());
            EXPECT_EQ(lifeNodeAt(frame, box.low), n) << "boxes cover each other";
            EXPECT_EQ(lifeNodeAt(frame, box.high - 1), n);
            EXPECT_GE(static_cast<float>(box.width()), 0.4f * frame.columnWidth - 1) << "they fill the picture";
            const bool isBusiest =
                std::none_of(life.life->nodes.begin(), life.life->nodes.end(),
                             [&](const auto& other) { return other.accesses > life.life->nodes[n].accesses; });
            EXPECT_GE(2 * box.height() + 2, isBusiest ? frame.rows.height : 0);
        }
        for (const LifePath& path : frame.paths) {
            const sim::LifeEdge& edge = life.life->edges[path.edge];
            EXPECT_EQ(path.isTaken, edge.taken.cycles > 0);
            taken += path.isTaken ? 1 : 0;
            const PixelBox& from = frame.boxes[edge.from];
            const PixelBox& to = frame.boxes[edge.to];
            const glm::vec2 a = path.points.front();
            const glm::vec2 b = path.points.back();
            EXPECT_TRUE(a.x == static_cast<float>(from.low.x) || a.x == static_cast<float>(from.high.x));
            EXPECT_TRUE(b.x == static_cast<float>(to.low.x) || b.x == static_cast<float>(to.high.x));
            EXPECT_TRUE(a.y >= static_cast<float>(from.low.y) && a.y <= static_cast<float>(from.high.y));
            EXPECT_TRUE(b.y >= static_cast<float>(to.low.y) && b.y <= static_cast<float>(to.high.y));
        }
        // The one that is painted last is found wherever it is inside.
        if (!frame.paths.empty()) {
            const glm::vec2 middle = frame.paths.back().points[frame.paths.back().points.size() / 2];
            if (frame.rows.box.contains(glm::ivec2(middle))) {
                EXPECT_EQ(lifeEdgeAt(frame, glm::ivec2(middle)), frame.paths.back().edge);
            }
        }
        nodes += frame.boxes.size();
    }
    EXPECT_GT(nodes, 200u);
    EXPECT_GT(taken, 20u);
}

TEST(LifeScene, TheReachAroundAMoveGrowsWithTheText) {
    std::size_t moves = 0;
    const std::uint64_t rounds = testRounds(60);
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) {
        SCOPED_TRACE(seed);
        Life life(seed);
        life.look.text *= 2;
        const LifeFrame frame = lifeFrame(life.words(), life.look);
        if (frame.paths.empty()) continue;
        const LifePath& path = frame.paths.back();
        const glm::vec2 end = path.points.back();
        const glm::ivec2 near(end + glm::vec2(0, path.width / 2 + 0.35f * life.look.text));
        if (!frame.rows.box.contains(near)) continue;
        EXPECT_TRUE(lifeEdgeAt(frame, near));
        ++moves;
    }
    EXPECT_GE(2 * moves, rounds);
}

TEST(LifeScene, HasItsWordsInThePicture) {
    for (std::uint64_t seed = 1; seed <= testRounds(60); ++seed) {
        SCOPED_TRACE(seed);
        const Life life(seed);
        const LifeFrame frame = lifeFrame(life.words(), life.look);
        const FlatScene scene = lifeScene(life.words(), life.look, frame);
        ASSERT_FALSE(scene.labels.empty());
        for (const Label& label : scene.labels) {
            const float half = label.kind == Label::Kind::corner ? 0 : widthOf(label.text, label.size) / 2;
            EXPECT_GE(label.at.x - half, -1) << label.text;
            EXPECT_LE(label.at.x - half + widthOf(label.text, label.size), static_cast<float>(life.look.size.x) + 1)
                << label.text;
        }
        // Nothing is red but misses, of which there are none here.
        for (const Stroke& stroke : scene.strokes) EXPECT_NE(stroke.colourA, paletteFor(life.look.ground).flash);
    }
}

/// Also where there is little room, as in half a tile.
TEST(LifeScene, NamesOfColumnsCanBeRead) {
    std::size_t readable = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(60); ++seed) {
        SCOPED_TRACE(seed);
        Life life(seed);
        sim::ObjectLife named = *life.life;
        for (std::size_t i = 0; i < named.codes.size(); ++i) named.codes[i].name = fmt::format("function_{}", i);
        const sim::LifeWords words{named, life.random.run->trace(), life.random.run->machine()};
        life.look.size = {480, 600};
        const LifeFrame frame = lifeFrame(words, life.look);
        const FlatScene scene = lifeScene(words, life.look, frame);
        std::vector<const Label*> heads;
        for (const Label& label : scene.labels) {
            if (label.text.starts_with("function_") && label.at.y < static_cast<float>(frame.rows.box.low.y)) {
                heads.push_back(&label);
            }
        }
        // Up to where they would take more than a quarter of the picture.
        if (named.codes.size() > 20 || named.nodes.empty()) continue;
        EXPECT_EQ(heads.size(), named.codes.size());
        readable += heads.size();
        for (const Label* a : heads) {
            EXPECT_LE(a->at.x + widthOf(a->text, a->size), 480);
            for (const Label* b : heads) {
                if (a == b || a->at.y != b->at.y || a->at.x > b->at.x) continue;
                EXPECT_LT(a->at.x + widthOf(a->text, a->size), b->at.x) << a->text << " lies on " << b->text;
            }
        }
    }
    EXPECT_GT(readable, 50u);
}

/// Taken blocks are told in words and by a colour; both are there only where blocks were taken.
TEST(LifeScene, TellsTheCyclesOfWhatWasTaken) {
    std::size_t told = 0;
    for (std::uint64_t seed = 1; seed <= testRounds(60); ++seed) {
        const Life life(seed);
        const LifeFrame frame = lifeFrame(life.words(), life.look);
        const FlatScene scene = lifeScene(life.words(), life.look, frame);
        const Rgba amber = paletteFor(life.look.ground).temperatureRim.high;
        const bool isTaken =
            std::any_of(frame.paths.begin(), frame.paths.end(), [](const LifePath& p) { return p.isTaken; });
        EXPECT_EQ(std::any_of(scene.strokes.begin(), scene.strokes.end(),
                              [&](const Stroke& s) { return s.colourA == amber; }),
                  isTaken);
        told += static_cast<std::size_t>(std::count_if(scene.labels.begin(), scene.labels.end(), [](const Label& l) {
            return l.text.ends_with(" cycles") && l.text.find(" taken, ") != std::string::npos;
        }));
    }
    EXPECT_GT(told, 0u);
}

}  // namespace
}  // namespace whorl::scene
