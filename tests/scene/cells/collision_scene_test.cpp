// The matrix of collisions: each count is where it should be, for a matrix made by hand and for random ones of any
// size.
#include "render/scene/cells/collision_scene.h"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/report/table.h"
#include "support/rounds.h"
#include "support/scene_texts.h"

namespace whorl::scene {
namespace {

sim::Collision pairOf(std::size_t level, std::uint32_t evictor, std::uint32_t victim, std::uint64_t count) {
    sim::Collision pair{.level = level, .evictor = evictor, .victim = victim, .moments = {}};
    for (std::uint64_t t = 0; t < count; ++t) pair.moments.emplace_back(t);
    return pair;
}

/// In level 0, A evicts B 100 times and itself once, B evicts A 30 times, C evicts B 7 times; in level 1, C evicts C.
sim::Collisions byHand() {
    sim::Collisions c;
    c.names = {"A", "B", "C"};
    c.cells = {pairOf(0, 0, 1, 100), pairOf(0, 1, 0, 30), pairOf(0, 2, 1, 7), pairOf(0, 0, 0, 1), pairOf(1, 2, 2, 5)};
    return c;
}

const Label* labelIn(const FlatScene& scene, const PixelBox& box) {
    for (const Label& label : scene.labels) {
        if (label.kind == Label::Kind::plain && box.contains(glm::ivec2(label.at))) return &label;
    }
    return nullptr;
}

TEST(CollisionScene, HasEachCountInItsPlace) {
    const sim::Collisions collisions = byHand();
    const CollisionSubject subject{collisions, 0, "L1"};
    for (const Ground ground : {Ground::dark, Ground::light}) {
        const CollisionLook look{{.size = {480, 320}, .ground = ground}, {}};
        const CollisionFrame frame = collisionFrame(subject, look);
        const FlatScene scene = collisionScene(subject, look, frame);
        ASSERT_EQ(frame.rows.size(), 3u);
        ASSERT_EQ(frame.columns.size(), 2u);
        EXPECT_EQ(frame.rows[0].words, "A") << "evicts 101 times";
        EXPECT_EQ(frame.rows[1].words, "B");
        EXPECT_EQ(frame.rows[2].words, "C");
        EXPECT_EQ(frame.columns[0].words, "B") << "is evicted 107 times";
        EXPECT_EQ(frame.columns[1].words, "A");
        EXPECT_EQ(frame.total, 138u);
        EXPECT_EQ(frame.most, 100u);
        EXPECT_EQ(frame.hidden, 0u);
        const std::vector<std::vector<std::string>> wanted = {{"100", "1"}, {"", "30"}, {"7", ""}};
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 2; ++column) {
                const PixelBox box = frame.boxOf(row, column);
                const Label* const label = labelIn(scene, box);
                ASSERT_EQ(label == nullptr ? "" : label->text, wanted[row][column]) << row << ", " << column;
                const Rgba colour = scene.raster.at(box.low);
                if (label == nullptr) {
                    EXPECT_EQ(colour, paletteFor(ground).untouched);
                    EXPECT_FALSE(collisionAt(frame, box.low));
                    continue;
                }
                EXPECT_GE(contrast(label->colour, colour), 4.5f);
                const auto under = collisionAt(frame, box.low);
                ASSERT_TRUE(under);
                EXPECT_EQ(std::to_string(under->collision.count()), label->text);
                EXPECT_EQ(under->box, box);
            }
        }
        EXPECT_EQ(scene.raster.at(frame.boxOf(0, 0).low), rampColour(ground, CellRamp::neutral, 1));
        for (const char* words : {"Collisions in L1: 138 evictions", "evicts", "is evicted", "100 evictions"}) {
            EXPECT_TRUE(hasLabel(scene, words)) << words;
        }
        EXPECT_FALSE(collisionAt(frame, frame.cells.low - 1));
        EXPECT_FALSE(collisionAt(frame, frame.cells.high));
    }
}

/// Of B alone: A and C evict it, and it evicts A, each with its number, the most frequent first.
TEST(CollisionScene, OfOneIsTwoLists) {
    const sim::Collisions collisions = byHand();
    CollisionSubject subject{collisions, 0, "L1"};
    subject.only = 1;
    const CollisionLook look{{.size = {700, 320}}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    const FlatScene scene = collisionScene(subject, look, frame);
    ASSERT_EQ(frame.pairs.size(), 4u);
    EXPECT_EQ(frame.pairs[0], &collisions.cells[0]);
    EXPECT_EQ(frame.pairs[1], &collisions.cells[1]);
    EXPECT_EQ(frame.pairs[2], &collisions.cells[2]);
    EXPECT_EQ(frame.pairs[3], nullptr);
    EXPECT_EQ(frame.total, 137u);
    EXPECT_EQ(frame.hidden, 0u);
    for (const char* words : {"Collisions of B in L1: 137 evictions", "B evicted by 2 regions: 107 times",
                              "B evicts 1 region: 30 times", "100  A", "7  C", "30  A"}) {
        EXPECT_TRUE(hasLabel(scene, words)) << words;
    }
    EXPECT_EQ(&collisionAt(frame, frame.boxOf(1, 0).low)->collision, &collisions.cells[2]);
    EXPECT_FALSE(collisionAt(frame, frame.boxOf(1, 1).low));
    // What evicts itself is in both lists, and counts once.
    subject.only = 0;
    const CollisionFrame ofA = collisionFrame(subject, look);
    EXPECT_EQ(ofA.total, 131u);
    EXPECT_EQ(ofA.shown, 3u);
    EXPECT_EQ(ofA.hidden, 0u);
}

TEST(CollisionScene, SaysHowManyOfAllPairsHaveRoom) {
    sim::Collisions collisions;
    for (std::uint32_t i = 0; i < 100; ++i) collisions.names.push_back(fmt::format("T{}", i));
    for (std::uint32_t i = 1; i < 100; ++i) collisions.cells.push_back(pairOf(0, i, 0, 200 - i));
    CollisionSubject subject{collisions, 0, "L1"};
    subject.only = 0;
    const CollisionLook look{{.size = {700, 320}}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    EXPECT_GT(frame.shown, 5u);
    EXPECT_EQ(frame.shown + frame.hidden, 99u);
    EXPECT_LE(frame.cells.high.y, frame.body.high.y);
    EXPECT_TRUE(says(collisionScene(subject, look, frame), fmt::format("{} of 99 pairs are shown", frame.shown)));
}

TEST(CollisionScene, FillsThePicture) {
    const sim::Collisions collisions = byHand();
    for (const float text : {14.0f, 30.0f}) {
        const CollisionLook look{{.size = {1920, 850}, .text = text}, {}};
        const CollisionFrame frame = collisionFrame({collisions, 0, "L1"}, look);
        EXPECT_GE(frame.cells.width() * frame.cells.height(), 1920 * 850 / 2) << text;
        EXPECT_LE(frame.cells.high.x, 1920);
        EXPECT_LE(frame.cells.high.y, frame.key.low.y);
    }
}

TEST(CollisionScene, OutlinesTheChosenPair) {
    const sim::Collisions collisions = byHand();
    const CollisionSubject subject{collisions, 0, "L1"};
    CollisionLook look{{.size = {480, 320}}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    const FlatScene before = collisionScene(subject, look, frame);
    look.chosen = CollisionPair{1, 0};
    const FlatScene after = collisionScene(subject, look, frame);
    const PixelBox box = frame.boxOf(1, 1);
    EXPECT_EQ(after.raster.at(box.low - 1), paletteFor(look.ground).mark);
    EXPECT_NE(before.raster.at(box.low - 1), paletteFor(look.ground).mark);
    EXPECT_EQ(after.raster.at(box.low), before.raster.at(box.low));
    look.chosen = CollisionPair{2, 0};
    EXPECT_EQ(collisionScene(subject, look, frame).raster, before.raster) << "nothing collides there";
}

TEST(CollisionScene, OfALevelWithoutEvictionsSaysSo) {
    const sim::Collisions collisions = byHand();
    const CollisionSubject subject{collisions, 2, "L3"};
    const CollisionLook look{{.size = {480, 320}}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    const FlatScene scene = collisionScene(subject, look, frame);
    EXPECT_TRUE(frame.cells.isEmpty());
    ASSERT_EQ(scene.labels.size(), 2u);
    EXPECT_EQ(scene.labels[0].text, "Collisions in L3: 0 evictions");
    EXPECT_EQ(scene.labels[1].text, "No block was evicted from L3.");
    // Of a range it is said of which.
    const CollisionSubject part{collisions, 2, "L3", ", accesses 10 – 20 (10)"};
    const FlatScene ofPart = collisionScene(part, look, frame);
    EXPECT_EQ(ofPart.labels[0].text, "Collisions in L3: 0 evictions, accesses 10 – 20 (10)");
    EXPECT_EQ(ofPart.labels[1].text, "No block was evicted from L3 in these accesses.");
}

TEST(CollisionScene, WithoutRoomForAPairSaysSo) {
    const sim::Collisions collisions = byHand();
    const CollisionSubject subject{collisions, 0, "L1"};
    const CollisionLook look{{.size = {400, 70}}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    ASSERT_TRUE(frame.pairs.empty());
    EXPECT_TRUE(hasLabel(collisionScene(subject, look, frame), "No room to show the pairs."));
}

/// Random collisions among up to 60 things, and a random look at them.
struct RandomMatrix {
    explicit RandomMatrix(std::uint64_t seed) : dice(seed) {
        const std::uint32_t names = 1 + static_cast<std::uint32_t>(dice() % 60);
        for (std::uint32_t n = 0; n < names; ++n) {
            collisions.names.push_back(fmt::format("{}{}", std::string(dice() % 18, 'x'), n));
        }
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
        for (std::uint64_t i = dice() % 200; i > 0; --i) {
            counts[{static_cast<std::uint32_t>(dice() % names), static_cast<std::uint32_t>(dice() % names)}] =
                1 + (dice() % 300 >> dice() % 9);
        }
        for (const auto& [pair, count] : counts) collisions.cells.push_back(pairOf(1, pair.first, pair.second, count));
        std::stable_sort(collisions.cells.begin(), collisions.cells.end(),
                         [](const auto& a, const auto& b) { return a.count() > b.count(); });
        collisions.leftOut = dice() % 4 == 0 ? dice() % 1000 : 0;
        look.size = {static_cast<int>(dice() % 1300), static_cast<int>(dice() % 800)};
        look.text = dice() % 3 == 0 ? 26 : 14;
        look.controls = dice() % 2 == 0 ? 26 : 0;
    }
    CollisionSubject subject() const { return {collisions, 1, "L2"}; }

    std::mt19937_64 dice;
    sim::Collisions collisions;
    CollisionLook look;
};

TEST(CollisionScene, ShowsOrCountsEachPair) {
    std::size_t hidden = 0;
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const RandomMatrix matrix(seed);
        const CollisionFrame frame = collisionFrame(matrix.subject(), matrix.look);
        const FlatScene scene = collisionScene(matrix.subject(), matrix.look, frame);
        std::set<const sim::Collision*> shown;
        for (std::size_t i = 0; i < frame.pairs.size(); ++i) {
            const PixelBox box = frame.boxOf(i / frame.columns.size(), i % frame.columns.size());
            ASSERT_EQ(commonOf(box, {{0, 0}, matrix.look.size}), box) << "seed " << seed;
            const auto under = collisionAt(frame, box.low);
            ASSERT_EQ(under ? &under->collision : nullptr, frame.pairs[i]) << "seed " << seed;
            if (under) shown.insert(&under->collision);
            // Every number is legible.
            const Label* const label = labelIn(scene, box);
            if (label == nullptr) continue;
            ASSERT_EQ(label->text, sim::roughCount(frame.pairs[i]->count()));
            ASSERT_GE(contrast(label->colour, scene.raster.at(box.low)), 4.5f);
        }
        ASSERT_EQ(shown.size() + frame.hidden, matrix.collisions.cells.size()) << "seed " << seed;
        if (frame.hidden == 0) continue;
        ++hidden;
        ASSERT_TRUE(shown.empty() || shown.contains(&matrix.collisions.cells[0])) << "the most frequent one";
    }
    EXPECT_GT(hidden, 10u);
}

TEST(CollisionScene, HasNamesThatCoverNothing) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const RandomMatrix matrix(seed);
        const float text = matrix.look.text;
        const CollisionFrame frame = collisionFrame(matrix.subject(), matrix.look);
        const FlatScene scene = collisionScene(matrix.subject(), matrix.look, frame);
        if (frame.pairs.empty()) continue;
        // The corner labels above the key, as boxes: a letter at most so broad.
        std::vector<PixelBox> boxes;
        for (const Label& label : scene.labels) {
            if (label.kind != Label::Kind::corner || label.text.empty()) continue;
            const glm::ivec2 at(label.at);
            boxes.push_back({at, at + glm::ivec2(static_cast<int>(widthOf(label.text, text)), static_cast<int>(text))});
            if (at.y < frame.key.low.y) {
                ASSERT_TRUE(commonOf(boxes.back(), frame.cells).isEmpty()) << label.text << ", seed " << seed;
                ASSERT_LE(boxes.back().high.x, matrix.look.size.x) << label.text << ", seed " << seed;
            }
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            for (std::size_t k = i + 1; k < boxes.size(); ++k) {
                ASSERT_TRUE(commonOf(boxes[i], boxes[k]).isEmpty())
                    << i << " and " << k << " of " << boxes.size() << ", seed " << seed;
            }
        }
    }
}

TEST(CollisionScene, HasAKeyThatFitsIntoANarrowPicture) {
    sim::Collisions c = byHand();
    c.cells[0].moments.assign(3547, sim::Tick{1});
    const CollisionSubject subject{c, 0, "L1"};
    const CollisionLook look{{.size = {360, 240}, .text = 26}, {}};
    const CollisionFrame frame = collisionFrame(subject, look);
    const FlatScene scene = collisionScene(subject, look, frame);
    const auto most = std::find_if(scene.labels.begin(), scene.labels.end(),
                                   [](const Label& label) { return label.text == "3 547 evictions"; });
    ASSERT_NE(most, scene.labels.end());
    EXPECT_LE(most->at.x + widthOf(most->text, 26), 360);
}

/// As long as there is room, names are whole.
TEST(CollisionScene, CutsNoNameThatFits) {
    sim::Collisions c;
    for (std::uint32_t n = 0; n < 8; ++n) c.names.push_back("a rather long name " + std::to_string(n));
    for (std::uint32_t n = 0; n < 8; ++n) c.cells.push_back(pairOf(0, n, 7 - n, 9 - n));
    const CollisionSubject subject{c, 0, "L1"};
    const CollisionFrame frame = collisionFrame(subject, {{.size = {1280, 720}}, {}});
    ASSERT_EQ(frame.columns.size(), 8u);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(frame.rows[i].words, c.names[i]);
        EXPECT_EQ(frame.columns[i].words, c.names[7 - i]);
    }
}

}  // namespace
}  // namespace whorl::scene
