// Treemaps: boxes as large as what they stand for, none over another.
#include "render/scene/cells/treemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sim/trace/trace_builder.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

double areaOf(const PixelBox& box) {
    return static_cast<double>(box.width()) * box.height();
}

TEST(Squarified, CoversItsBoxWithoutOverlapsByTheirSizes) {
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        std::mt19937_64 dice(seed);
        std::vector<double> sizes(1 + dice() % 40);
        for (double& s : sizes) s = 1 + static_cast<double>(dice() % 1000);
        std::sort(sizes.rbegin(), sizes.rend());
        const PixelBox box{{3, 5},
                           {3 + 100 + static_cast<int>(dice() % 900), 5 + 100 + static_cast<int>(dice() % 600)}};
        const std::vector<PixelBox> boxes = squarified(sizes, box);
        ASSERT_EQ(boxes.size(), sizes.size());
        double covered = 0;
        const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            if (boxes[i].isEmpty()) continue;
            ASSERT_EQ(commonOf(boxes[i], box), boxes[i]) << "seed " << seed;
            for (std::size_t k = 0; k < i; ++k) ASSERT_TRUE(commonOf(boxes[i], boxes[k]).isEmpty()) << "seed " << seed;
            covered += areaOf(boxes[i]);
            // Sides are rounded.
            const double wanted = areaOf(box) * sizes[i] / all;
            ASSERT_NEAR(areaOf(boxes[i]), wanted, boxes[i].width() + boxes[i].height() + 1) << "seed " << seed;
        }
        EXPECT_EQ(covered, areaOf(box)) << "seed " << seed;
    }
}

/// The example of the paper: 6, 6, 4, 3, 2, 2, 1 in a box of 6 x 4.
TEST(Squarified, IsThatOfThePaper) {
    const std::vector<double> sizes{6, 6, 4, 3, 2, 2, 1};
    const std::vector<PixelBox> boxes = squarified(sizes, {{0, 0}, {600, 400}});
    EXPECT_EQ(boxes[0], (PixelBox{{0, 0}, {300, 200}}));
    EXPECT_EQ(boxes[1], (PixelBox{{0, 200}, {300, 400}}));
    EXPECT_EQ(boxes[2].width(), 171);
    EXPECT_EQ(boxes[2].height(), 233);
}

TEST(Treemap, HasAllocationsInTheirRegions) {
    sim::TraceBuilder builder("heap");
    const auto region = [&](const std::string& name, std::uint64_t base, std::uint64_t size) {
        sim::Region r;
        r.name = name;
        r.base = sim::ByteAddress{base};
        r.size = size;
        builder.addRegion(r);
    };
    region("heap", 0x1000, 4096);
    region("table", 0x8000, 1024);
    const auto object = [&](const std::string& name, std::uint64_t base, std::uint64_t size) {
        sim::Object o;
        o.name = name;
        o.base = sim::ByteAddress{base};
        o.size = size;
        ASSERT_TRUE(builder.newObject(o));
        sim::Access access;
        access.address = o.base;
        access.size = 8;
        builder.add(access);
    };
    object("first", 0x1000, 1024);
    object("second", 0x1800, 512);
    ASSERT_TRUE(builder.deleteObject(sim::ByteAddress{0x1000}));
    object("again", 0x1200, 256);
    const sim::Trace trace = builder.finish();
    const Treemap map(trace, {{0, 0}, {500, 400}}, 20);
    std::vector<std::string> names;
    for (const Treemap::Box& b : map.boxes()) names.push_back(b.name + (b.isRest ? " rest" : ""));
    EXPECT_EQ(names, (std::vector<std::string>{"heap", "heap rest", "first", "second", "table"}))
        << "where two lived, the larger";
    for (const Treemap::Box& b : map.boxes()) {
        EXPECT_EQ(map.at(b.box.high - 1)->from, b.from);
        if (b.isPart) {
            EXPECT_EQ(commonOf(b.box, map.boxes()[0].box), b.box);
        }
    }
    EXPECT_EQ(map.at({500, 0}), nullptr);
}

}  // namespace
}  // namespace whorl::scene
