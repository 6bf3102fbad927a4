// The picture of a history: its bars are the accesses that are seen, each once.
#include "render/scene/cells/history_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "render/scene/palette.h"
#include "sim/analysis/history_help.h"
#include "support/machines.h"
#include "support/rounds.h"

namespace whorl::scene {
namespace {

/// A random place of a random machine, and a random look at it.
struct Told {
    explicit Told(std::uint64_t seed) : random(seed, 300), dice(seed) {
        sim::Place place;
        const sim::MachineConfig& machine = random.run->machine();
        const sim::Trace& trace = random.run->trace();
        if (seed % 3 == 0) {
            place.kind = sim::Place::Kind::cache;
            place.level = static_cast<std::uint8_t>(dice() % machine.levels.size());
            place.cache = static_cast<std::uint8_t>(dice() % machine.caches(place.level));
            place.set = sim::SetIndex{static_cast<std::uint32_t>(dice() % machine.levels[place.level].sets())};
            place.way = sim::WayIndex{static_cast<std::uint32_t>(dice() % machine.levels[place.level].ways)};
        } else {
            trace.forEach(sim::Tick{0}, sim::Tick{trace.size()}, [&](sim::Tick t, const sim::Access& a) {
                if (t.value <= seed % trace.size()) place.from = a.address;
            });
            const std::uint64_t room = ~std::uint64_t{0} - place.from.value;
            place.bytes = 1 + std::min(room, dice() % (dice() % 2 == 0 ? 4 : 4000));
        }
        sim::Progress progress;
        history = placeHistoryOf(*random.run, place, {sim::Tick{0}, sim::Tick{trace.size()}}, progress);
        look.size = {200 + static_cast<int>(dice() % 900), 200 + static_cast<int>(dice() % 300)};
        look.ground = dice() % 2 == 0 ? Ground::dark : Ground::light;
        const auto end = static_cast<double>(trace.size());
        const double length = std::max(8.0, end * static_cast<double>(1 + dice() % 100) / 100);
        const double from = static_cast<double>(dice() % 100) / 100 * (end - length);
        look.span = {from, from + length};
    }
    HistorySubject subject() const { return {*history, random.run->trace(), random.run->machine(), looks}; }
    bool isSeen(const sim::PlaceAccess& a) const {
        const auto tick = static_cast<double>(a.tick.value);
        return tick + 1 > look.span.from && tick < look.span.to;
    }
    /// The bars that are found along a row of pixels.
    std::map<std::size_t, HistoryBar> bars() const {
        std::map<std::size_t, HistoryBar> out;
        const HistoryFrame frame = historyFrame(subject(), look);
        for (int x = frame.plot.low.x; x < frame.plot.high.x; ++x) {
            const auto bar = barAt(subject(), look, {x, frame.plot.low.y});
            if (bar) out.emplace(bar->first, *bar);
        }
        return out;
    }

    sim::test::RandomRun random;
    std::mt19937_64 dice;
    RegionLooks looks{random.run->trace()};
    std::shared_ptr<const sim::PlaceHistory> history;
    HistoryLook look;
};

TEST(HistoryScene, HasABarForEachAccessThatIsSeen) {
    std::size_t all = 0;
    std::size_t folded = 0;
    for (std::uint64_t seed = 0; seed < testRounds(300); ++seed) {
        const Told told(seed);
        const auto& accesses = told.history->accesses;
        const HistoryFrame frame = historyFrame(told.subject(), told.look);
        const PixelBox plot = frame.plot;
        std::size_t next = 0;
        while (next < accesses.size() && !told.isSeen(accesses[next])) ++next;
        const auto bars = told.bars();
        for (const auto& [first, bar] : bars) {
            ASSERT_EQ(first, next) << "seed " << seed << ": neither a gap nor twice";
            ASSERT_LT(bar.first, bar.last);
            for (; next < bar.last; ++next) ASSERT_TRUE(told.isSeen(accesses[next])) << "seed " << seed;
            folded += bar.last - bar.first > 1 ? 1 : 0;
            ASSERT_GE(bar.box.low.x, plot.low.x) << "seed " << seed;
            ASSERT_LT(bar.box.low.x, bar.box.high.x) << "seed " << seed;
            const bool isWhole = bar.last - bar.first == 1 && bar.box.low.x > plot.low.x;
            ASSERT_GE(bar.box.width() + 1, isWhole ? 0.8 / frame.axis.perPixel() : 0) << "it fills its time";
        }
        all += bars.size();
        for (; next < accesses.size(); ++next) ASSERT_FALSE(told.isSeen(accesses[next])) << "seed " << seed;
    }
    EXPECT_GT(all, testRounds(300));
    EXPECT_GT(folded, 0u);
}

/// Of the accesses of a bar, the highest penalty and the farthest level are shown.
TEST(HistoryScene, DrawsBarsAsHighAsTheirPenalty) {
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        const Told told(seed);
        const HistoryFrame frame = historyFrame(told.subject(), told.look);
        if (frame.plot.height() < 10) continue;  // no room beside the rows of many levels
        const FlatScene scene = historyScene(told.subject(), told.look);
        const Palette& palette = paletteFor(told.look.ground);
        const std::size_t levels = told.random.run->machine().levels.size();
        std::vector<std::pair<sim::Cycles, int>> heights;
        int end = 0;  // of the bars to the left
        for (const auto& [first, bar] : told.bars()) {
            const bool isCovering = bar.box.low.x < end;
            end = std::max(end, bar.box.high.x);
            sim::Cycles penalty = 0;
            std::uint8_t served = 0;
            bool missed = false;
            for (std::size_t i = bar.first; i < bar.last; ++i) {
                penalty = std::max(penalty, told.history->accesses[i].penalty);
                served = std::max(served, told.history->accesses[i].served);
                missed = missed || !told.history->accesses[i].hit;
            }
            const Rgba colour = told.history->place.kind == sim::Place::Kind::cache
                                    ? (missed ? palette.miss : palette.hit)
                                    : servedColour(told.look.ground, served, levels);
            const glm::ivec2 foot(bar.box.low.x, frame.plot.high.y - 1);
            if (!frame.plot.contains(foot)) continue;
            ASSERT_EQ(scene.raster.at(foot), colour) << "seed " << seed << ", bar " << first;
            if (isCovering) continue;
            int height = 0;
            while (height < frame.plot.height() && scene.raster.at({foot.x, foot.y - height}) == colour) ++height;
            heights.emplace_back(penalty, height);
        }
        // Higher penalties are not lower; where they differ much, higher.
        std::sort(heights.begin(), heights.end());
        for (std::size_t i = 1; i < heights.size(); ++i) {
            const auto& [penalty, height] = heights[i];
            if (penalty == heights[i - 1].first) {
                EXPECT_EQ(height, heights[i - 1].second) << "seed " << seed;
            } else {
                EXPECT_GE(height, heights[i - 1].second) << "seed " << seed;
            }
        }
        const bool hasRoom = frame.plot.height() > 60;
        if (hasRoom && !heights.empty() && heights.back().first > 2 * heights.front().first + 10) {
            EXPECT_GT(heights.back().second, heights.front().second) << "seed " << seed;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(HistoryScene, FindsTheStayAtAPixel) {
    std::uint64_t found = 0;
    for (std::uint64_t seed = 0; seed < testRounds(200); ++seed) {
        Told told(seed);
        const HistoryFrame frame = historyFrame(told.subject(), told.look);
        const PixelBox box = frame.stays.box;
        if (box.isEmpty()) continue;
        for (int i = 0; i < 30; ++i) {
            const glm::ivec2 at(box.low.x + static_cast<int>(told.dice() % 2000) % box.width(),
                                box.low.y + static_cast<int>(told.dice() % 2000) % box.height());
            const auto stay = stayAt(told.subject(), told.look, at);
            const double t = frame.axis.at(static_cast<float>(at.x));
            const auto lasts = [&](const sim::PlaceStay& s) {
                const bool began = s.in == sim::Stay::kNever || static_cast<double>(s.in.value) <= t;
                return began && (s.out == sim::Stay::kNever || t <= static_cast<double>(s.out.value));
            };
            if (!stay) continue;
            ++found;
            EXPECT_TRUE(lasts(told.history->stays[*stay])) << "seed " << seed;
            if (told.history->place.kind == sim::Place::Kind::cache) continue;
            // The rows of levels are from the nearest to the farthest.
            const int rows = static_cast<int>(told.random.run->machine().levels.size());
            const int row = (at.y - box.low.y) * rows / box.height();
            EXPECT_NEAR(row, told.history->stays[*stay].level, 1) << "seed " << seed;
        }
    }
    EXPECT_GT(found, testRounds(100));
}

TEST(HistoryScene, OfNoAccessesAndInLittleRoomIsDrawn) {
    Told told(1);
    sim::PlaceHistory none = *told.history;
    none.accesses.clear();
    none.stays.clear();
    for (const auto& history : {told.history, std::make_shared<const sim::PlaceHistory>(none)}) {
        const HistorySubject subject{*history, told.random.run->trace(), told.random.run->machine(), told.looks};
        for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(3, 60), glm::ivec2(60, 40), glm::ivec2(900, 30)}) {
            HistoryLook look = told.look;
            look.size = size;
            const FlatScene scene = historyScene(subject, look);
            EXPECT_EQ(scene.raster.box().high, size);
            for (int y = -1; y <= size.y; ++y) {
                barAt(subject, look, {size.x / 2, y});
                stayAt(subject, look, {size.x / 2, y});
            }
        }
    }
}

/// Three arrays that evict each other: each visit is three pixels wide, and yet all of its names are read. As in
/// figure 5 of K. Proudfoot, Visualizing Memory Hierarchies.
TEST(HistoryScene, NamesAllOfAVisitThatIsNarrow) {
    const auto run = sim::test::built(sim::test::traceOfProgram("aligned"), sim::test::simplyTimed("4K/1/8"));
    sim::Place place;
    place.kind = sim::Place::Kind::cache;
    sim::Progress progress;
    const auto history = placeHistoryOf(*run, place, {sim::Tick{0}, sim::Tick{run->trace().size()}}, progress);
    const RegionLooks looks(run->trace());
    HistoryLook look;
    look.size = {700, 240};
    look.span = TimeSpan{0, static_cast<double>(run->trace().size())};
    const HistorySubject subject{*history, run->trace(), run->machine(), looks};
    const PixelBox band = historyFrame(subject, look).names;
    std::vector<std::string> names;
    for (const Label& label : historyScene(subject, look).labels) {
        if (band.contains(glm::ivec2(label.at))) names.push_back(label.text);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"x, y, a, b, c", "z, a, b, c", "a, b, c", "a, b, c"}));
}

TEST(HistoryScene, TellsNamesInRuns) {
    EXPECT_EQ(inRuns({}), "");
    EXPECT_EQ(inRuns({"a"}), "a");
    EXPECT_EQ(inRuns({"a", "b", "c"}), "a, b, c");
    EXPECT_EQ(inRuns({"x", "y", "a", "b", "c", "a", "b", "c", "a", "b", "c", "a", "b", "c", "z"}), "x, y, a b c ×4, z");
    EXPECT_EQ(inRuns({"a", "a", "a", "b", "b"}), "a ×3, b ×2");
}

}  // namespace
}  // namespace whorl::scene
