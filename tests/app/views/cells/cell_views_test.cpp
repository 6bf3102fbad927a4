// The pictures of cells in a session: a function of the time and the settings alone, found again under the pointer, in
// any size.
#include "app/views/cells/cell_views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/vector_relational.hpp>
#include <optional>
#include <random>

#include "app/commands/cell_commands.h"
#include "app/commands/commands.h"
#include "app/tasks/queued_runner.h"
#include "render/scene/palette.h"
#include "render/scene/text_width.h"
#include "sim/analysis/history_help.h"
#include "sim/report/table.h"
#include "sim/trace/trace_help.h"
#include "support/rounds.h"
#include "support/runs.h"
#include "support/scene_texts.h"

namespace whorl::app {
namespace {

using Kind = ViewId::Kind;
constexpr glm::ivec2 kSize(420, 330);

Session sessionOn(std::shared_ptr<const sim::Run> run) {
    Session s;
    s.opened.run = std::const_pointer_cast<sim::Run>(run);
    s.opened.regionLooks = std::make_shared<const scene::RegionLooks>(run->trace());
    s.panels = false;
    return s;
}

Session randomSession(std::uint64_t seed, std::size_t accesses = 250) {
    return sessionOn(sim::test::RandomRun(seed, accesses).run);
}

Session programSession(const std::string& program, const std::string& machine) {
    return sessionOn(sim::test::built(sim::test::traceOfProgram(program), *sim::loadMachine(machine)));
}

/// The views of cells of a machine, one of each kind and level.
std::vector<ViewId> cellsOf(const Session& s) {
    std::vector<ViewId> views;
    for (const ViewId& view : viewsOf(s.opened.run->machine())) {
        if (view.cells()) views.push_back(view);
    }
    return views;
}

void randomize(CellChoice& choice, const ViewId& view, const sim::MachineConfig& machine, std::mt19937_64& dice) {
    const auto all = quantitiesOf(*view.cells(), machine);
    choice.quantity = all[dice() % all.size()];
    choice.groups = static_cast<scene::MemoryGroups>(dice() % 3);
    choice.curve = static_cast<scene::MemoryCurve>(dice() % 2);
    choice.piece = std::uint64_t{64} << dice() % 8;
    choice.cell = dice() % 2 == 0 ? 0 : std::uint64_t{4} << dice() % 8;
    choice.columns = dice() % 2 == 0 ? 0 : 1u << dice() % 8;
    choice.halfLife = static_cast<double>(1 + dice() % 60);
    choice.pages = dice() % 2 == 0;
    choice.boundaries2 = dice() % 2 == 0;
    choice.logarithmic = dice() % 2 == 0;
    choice.interleaved = dice() % 2 == 0;
    choice.interleavedShare = static_cast<float>(dice() % 3) / 2;
    if (dice() % 2 == 0) choice.conflictLevel = static_cast<std::uint8_t>(dice() % machine.levels.size());
}

bool isSame(const scene::FlatScene& a, const scene::FlatScene& b) {
    const auto sameStroke = [](const scene::Stroke& x, const scene::Stroke& y) {
        return x.a == y.a && x.b == y.b && x.width == y.width && x.colourA == y.colourA && x.colourB == y.colourB;
    };
    const auto sameLabel = [](const scene::Label& x, const scene::Label& y) {
        return x.text == y.text && x.at == y.at && x.colour == y.colour;
    };
    return a.raster == b.raster && a.clip == b.clip &&
           std::equal(a.strokes.begin(), a.strokes.end(), b.strokes.begin(), b.strokes.end(), sameStroke) &&
           std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(), sameLabel);
}

constexpr float kLarge = 2.25f;  ///< the scale of a lecture at a height of 720

/// With its sums computed.
const scene::FlatScene& settled(CellViews& views, QueuedRunner& runner, const ViewId& view, const Session& s,
                                glm::ivec2 size = kSize, float scale = 1) {
    views.update(s);
    runner.runAll();
    views.update(s);
    return views.scene(view, s, size, scale);
}

TEST(CellViews, LiveAreTheSameHoweverOneGetsThere) {
    std::size_t withLight = 0;
    std::size_t withLines = 0;
    for (std::uint64_t seed = 0; seed < testRounds(40); ++seed) {
        Session s = randomSession(seed);
        std::mt19937_64 dice(seed);
        for (const ViewId& view : cellsOf(s)) {
            if (!scene::isLive(*view.cells())) continue;
            s.viewSettings.shown = {view};
            randomize(s.viewSettings.cells[view], view, s.opened.run->machine(), dice);
            QueuedRunner runner;
            CellViews any(s.opened, runner);
            double t = 0;
            for (int i = 0; i < 6; ++i) {
                t = i % 2 == 0 ? static_cast<double>(dice() % 1000) / 4 : t + static_cast<double>(dice() % 8) / 4;
                s.player.seek(t, s.end());
                CellViews fresh(s.opened, runner);
                const scene::FlatScene& here = any.scene(view, s, kSize, 1);
                ASSERT_TRUE(isSame(here, fresh.scene(view, s, kSize, 1)))
                    << "seed " << seed << ", " << wordOf(view) << " at " << t;
                withLines += here.strokes.empty() ? 0 : 1;
                withLight += here.raster.isEmpty() ? 0 : 1;
            }
        }
    }
    EXPECT_GT(withLight, 10u);
    EXPECT_GT(withLines, 0u);
}

/// Between two accesses light comes up: a quarter of an access changes the picture.
TEST(CellViews, LiveShowFractionsOfAnAccess) {
    Session s = programSession("matmul:n=8", "512/2/32, 4K/4/64");
    const ViewId view{Kind::memoryLive};
    QueuedRunner runner;
    CellViews views(s.opened, runner);
    s.player.seek(100.25, s.end());
    const scene::FlatScene before = views.scene(view, s, kSize, 1);
    s.player.seek(100.75, s.end());
    EXPECT_FALSE(before.raster == views.scene(view, s, kSize, 1).raster);
}

TEST(CellViews, PinnedToARangeDoNotFollowTheChosenOne) {
    Session s = programSession("mergesort:n=500", "512/2/32, 4K/4/64");
    const sim::Range range{sim::Tick{1000}, sim::Tick{4000}};
    for (const ViewId& view : cellsOf(s)) {
        if (scene::isLive(*view.cells())) continue;
        Session pinned = s;
        pinned.viewSettings.shown = {view};
        command::apply(pinned, command::ViewRange{view, range.from, range.to});
        Session chosen = s;
        chosen.viewSettings.shown = {view};
        chosen.range = range;
        QueuedRunner runner;
        CellViews a(s.opened, runner);
        CellViews b(s.opened, runner);
        const scene::FlatScene first = settled(a, runner, view, pinned);
        EXPECT_TRUE(isSame(first, settled(b, runner, view, chosen))) << wordOf(view);
        pinned.range = sim::Range{sim::Tick{5000}, sim::Tick{5100}};
        EXPECT_TRUE(isSame(first, settled(a, runner, view, pinned))) << wordOf(view);
        chosen.range = pinned.range;
        EXPECT_FALSE(isSame(first, settled(b, runner, view, chosen))) << wordOf(view);
        command::apply(pinned, command::ViewRangeOff{view});
        EXPECT_TRUE(isSame(b.scene(view, chosen, kSize, 1), settled(a, runner, view, pinned))) << wordOf(view);
    }
}

/// What is kept between pictures does not show in them.
TEST(CellViews, OfARangeAreTheSameWhateverWasShownBefore) {
    for (std::uint64_t seed = 0; seed < testRounds(25); ++seed) {
        Session s = randomSession(seed);
        std::mt19937_64 dice(seed);
        for (const ViewId& view : cellsOf(s)) {
            if (scene::isLive(*view.cells())) continue;
            s.viewSettings.shown = {view};
            QueuedRunner runner;
            CellViews any(s.opened, runner);
            for (int i = 0; i < 5; ++i) {
                randomize(s.viewSettings.cells[view], view, s.opened.run->machine(), dice);
                const std::uint64_t from = dice() % 200;
                s.range = sim::Range{sim::Tick{from}, sim::Tick{from + 1 + dice() % 49}};
                const glm::ivec2 size(100 + static_cast<int>(dice() % 400), 100 + static_cast<int>(dice() % 300));
                CellViews fresh(s.opened, runner);
                const scene::FlatScene there = settled(fresh, runner, view, s, size);
                ASSERT_TRUE(isSame(settled(any, runner, view, s, size), there))
                    << "seed " << seed << ", " << wordOf(view) << ", " << i;
            }
        }
    }
}

/// Lines of conflict may pass below them.
TEST(CellViews, HaveTitlesOfGroupsWithAnOutline) {
    Session s = programSession("matmul:n=8", "512/2/32");
    const ViewId view{Kind::memory};
    s.viewSettings.shown = {view};
    QueuedRunner runner;
    CellViews views(s.opened, runner);
    const scene::FlatScene scene = settled(views, runner, view, s, {1000, 300});
    const auto title = std::find_if(scene.labels.begin(), scene.labels.end(),
                                    [](const scene::Label& l) { return l.text.starts_with("B "); });
    ASSERT_NE(title, scene.labels.end());
    EXPECT_FALSE(title->isBare);
}

TEST(CellViews, SayThatSumsAreBeingComputed) {
    Session s = programSession("matmul:n=8", "512/2/32");
    const ViewId view{Kind::memory};
    s.viewSettings.shown = {view};
    QueuedRunner runner;
    CellViews views(s.opened, runner);
    views.update(s);
    EXPECT_TRUE(views.working());
    constexpr glm::ivec2 kWide(1000, 300);  // with room for all words
    EXPECT_NE(textsOf(views.scene(view, s, kWide, 1)).find("being computed"), std::string::npos);
    EXPECT_EQ(textsOf(settled(views, runner, view, s, kWide)).find("being computed"), std::string::npos);
    EXPECT_FALSE(views.working());
}

/// Unless the picture ends there, or all cells are then seen there in small, the cell under the pointer stays under it.
TEST(CellViews, ZoomAboutTheCellUnderThePointer) {
    std::uint64_t kept = 0;
    for (std::uint64_t seed = 0; seed < testRounds(30); ++seed) {
        std::mt19937_64 dice(seed);
        Session s = seed % 2 == 0 ? programSession("mergesort:n=3000", "4K/2/32, 16K/4/64") : randomSession(seed);
        for (const ViewId& view : cellsOf(s)) {
            s.viewSettings.shown = {view};
            s.player.seek(200, s.end());
            QueuedRunner runner;
            CellViews views(s.opened, runner);
            CellChoice& choice = s.viewSettings.cells[view];
            settled(views, runner, view, s);
            const scene::PixelBox area = views.areaOf(view);
            for (int i = 0; i < 20; ++i) {
                const glm::ivec2 at = area.low + glm::ivec2(static_cast<int>(dice() % 5000) % area.width(),
                                                            static_cast<int>(dice() % 5000) % area.height());
                const auto before = views.under(view, at);
                const int steps = static_cast<int>(dice() % 7) - 2;
                const CellSight sight = views.zoomed(view, at, steps);
                choice.sight = sight;
                settled(views, runner, view, s);
                const auto after = views.under(view, at);
                // At an edge of the content it cannot.
                const CellSight more = views.panned(view, {-1, -1});
                const CellSight less = views.panned(view, {1, 1});
                const bool isFree = glm::all(glm::lessThan(less.scroll, sight.scroll)) &&
                                    glm::all(glm::lessThan(sight.scroll, more.scroll));
                if (!before || !isFree || views.isInset(view, at)) continue;
                ++kept;
                ASSERT_TRUE(after) << "seed " << seed << ", " << wordOf(view);
                const auto fold = static_cast<std::uint32_t>(sight.scale.fold);
                EXPECT_EQ(after->place.group, before->place.group);
                EXPECT_EQ(after->place.row, before->place.row >> fold << fold) << "seed " << seed;
                EXPECT_EQ(after->place.column, before->place.column >> fold << fold) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(kept, testRounds(50));
}

/// Each pixel that is not empty: the cell under it is there, and all of its inside has one colour.
TEST(CellViews, FindTheCellThatWasPainted) {
    std::uint64_t cells = 0;
    std::uint64_t accessed = 0;
    for (std::uint64_t seed = 0; seed < std::max<std::uint64_t>(6, testRounds(12)); ++seed) {
        Session s = randomSession(seed);
        std::mt19937_64 dice(seed);
        for (const ViewId& view : cellsOf(s)) {
            CellChoice& choice = s.viewSettings.cells[view];
            choice.boundaries = false;
            s.viewSettings.shown = {view};
            choice.quantity = scene::isLive(*view.cells()) ? scene::CellQuantity{scene::CellMetric::since, 0}
                                                           : scene::CellQuantity{scene::CellMetric::accesses, 0};
            s.player.seek(100, s.end());
            QueuedRunner runner;
            CellViews views(s.opened, runner);
            const scene::FlatScene& picture = settled(views, runner, view, s);
            const scene::Palette& palette = scene::paletteFor(s.ground);
            for (int y = 0; y < kSize.y; ++y) {
                for (int x = 0; x < kSize.x; ++x) {
                    const auto cell = views.under(view, {x, y});
                    if (!cell) continue;
                    ASSERT_TRUE(cell->box.contains({x, y}));
                    // Outlines are one pixel wide.
                    if (cell->box.width() < 6 || glm::ivec2(x, y) != cell->box.low + 2) continue;
                    if (!views.areaOf(view).contains(cell->box.low)) continue;
                    ++cells;
                    const scene::Rgba colour = picture.raster.at(cell->box.low + 1);
                    EXPECT_EQ(picture.raster.at({x, y}), colour);
                    const auto lines = views.describe(view, s, cell->cell);
                    ASSERT_FALSE(lines.empty());
                    if (view.kind != Kind::memory) continue;
                    // What was accessed is not painted as untouched. (What only lost a block has a number, too: 0.)
                    if (lines.back() != "not accessed in this range") {
                        EXPECT_NE(colour, palette.untouched) << "seed " << seed;
                        ++accessed;
                    }
                }
            }
        }
    }
    EXPECT_GT(cells, testRounds(100));
    EXPECT_GT(accessed, testRounds(30));
}

bool anyLineHas(const std::vector<std::string>& lines, const std::string& words) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

TEST(CellViews, DescribeCellsByTheirSums) {
    Session s = programSession("mergesort:n=300", "512/2/32, 4K/4/64");
    s.range = sim::Range{sim::Tick{500}, sim::Tick{6000}};
    sim::Progress progress;
    const auto table = sim::cellsOf(*s.opened.run, {.range = *s.range, .grain = 32}, progress);
    const auto l2 = sim::cacheCellsOf(*s.opened.run, {.range = *s.range, .level = 1}, progress);
    std::uint64_t described = 0;
    for (const ViewId& view : {ViewId{Kind::memory}, ViewId{Kind::cache, 1}}) {
        s.viewSettings.shown = {view};
        QueuedRunner runner;
        CellViews views(s.opened, runner);
        settled(views, runner, view, s);
        const scene::PixelBox area = views.areaOf(view);
        for (int y = area.low.y; y < area.high.y; y += 3) {
            for (int x = area.low.x; x < area.high.x; x += 3) {
                const auto cell = views.under(view, {x, y});
                if (!cell) continue;
                const auto lines = views.describe(view, s, cell->cell);
                if (cell->cell.kind == sim::Place::Kind::memory) {
                    const sim::CellSums sums = table->sums(cell->cell.from, cell->cell.bytes);
                    if (sums == sim::CellSums{}) continue;
                    ASSERT_TRUE(anyLineHas(lines, "accesses " + sim::grouped(sums.accesses) + ":"));
                    ASSERT_TRUE(anyLineHas(lines, sim::grouped(sums.misses[0]) + " misses"));
                    ASSERT_TRUE(anyLineHas(lines, "penalty " + sim::grouped(sums.penalty) + " cycles"));
                } else {
                    const sim::CacheCellSums& sums = l2->at(0, cell->cell.set, cell->cell.way);
                    ASSERT_TRUE(
                        anyLineHas(lines, sim::grouped(sums.hits) + " hits, " + sim::grouped(sums.misses) + " misses"));
                    ASSERT_TRUE(anyLineHas(lines, sim::grouped(sums.evictions) + " evictions"));
                }
                ++described;
            }
        }
    }
    EXPECT_GT(described, testRounds(100));
}

/// Live: what is said of a cell is the last access to it.
TEST(CellViews, DescribeTheLastAccessToACell) {
    Session s = sessionOn(sim::test::built("region A 0x1000 256 8 rows=32\nR 0x1000 8\nW 0x1000 8\nR 0x1040 8\n",
                                           *sim::parseGeometry("512/2/32")));
    const ViewId view{Kind::memoryLive};
    QueuedRunner runner;
    CellViews views(s.opened, runner);
    s.player.seek(3, s.end());
    views.scene(view, s, kSize, 1);
    const auto linesAt = [&](std::uint64_t address) {
        const scene::PixelBox area = views.areaOf(view);
        for (int y = area.low.y; y < area.high.y; ++y) {
            for (int x = area.low.x; x < area.high.x; ++x) {
                const auto cell = views.under(view, {x, y});
                if (cell && cell->cell.from == sim::ByteAddress{address}) return views.describe(view, s, cell->cell);
            }
        }
        return std::vector<std::string>{};
    };
    EXPECT_TRUE(anyLineHas(linesAt(0x1000), "last written by access 1, 1 accesses ago: a hit in L1"))
        << testing::PrintToString(linesAt(0x1000));
    EXPECT_TRUE(anyLineHas(linesAt(0x1000), "now in L1"));
    EXPECT_TRUE(anyLineHas(linesAt(0x1040), "last read by access 2, the newest: served by memory"));
    EXPECT_TRUE(anyLineHas(linesAt(0x1020), "not accessed in the last 3 accesses"));
    EXPECT_TRUE(anyLineHas(linesAt(0x1020), "now in memory only"));
}

/// The box of a cell of a cache in a view's last picture.
std::optional<scene::PixelBox> boxOf(const CellViews& views, const ViewId& view, const sim::Place& place) {
    for (int y = 0; y < kSize.y; ++y) {
        for (int x = 0; x < kSize.x; ++x) {
            const auto cell = views.under(view, {x, y});
            if (cell && cell->cell == place) return cell->box;
        }
    }
    return std::nullopt;
}

TEST(CellViews, LightTheCellOfACacheThatIsPicked) {
    Session s = programSession("matmul:n=8", "512/2/32, 4K/4/64");
    s.player.seek(100, s.end());
    for (const ViewId& view : {ViewId{Kind::cache, 0}, ViewId{Kind::cache, 1}, ViewId{Kind::cacheLive, 0}}) {
        s.viewSettings.place.reset();
        s.viewSettings.shown = {view};
        QueuedRunner runner;
        CellViews views(s.opened, runner);
        const scene::Raster before = settled(views, runner, view, s).raster;
        const sim::Place place{
            .kind = sim::Place::Kind::cache, .level = view.level, .set = sim::SetIndex{3}, .way = sim::WayIndex{1}};
        const auto box = boxOf(views, view, place);
        ASSERT_TRUE(box) << wordOf(view);
        s.viewSettings.place = place;
        const scene::Raster after = settled(views, runner, view, s).raster;
        // The outline is around the cell.
        const scene::PixelBox around{box->low - 2, box->high + 2};
        std::size_t lit = 0;
        for (int y = 0; y < kSize.y; ++y) {
            for (int x = 0; x < kSize.x; ++x) {
                if (before.at({x, y}) == after.at({x, y})) continue;
                ++lit;
                ASSERT_TRUE(around.contains({x, y})) << wordOf(view) << " at " << x << ", " << y;
            }
        }
        EXPECT_GE(lit, 4u) << wordOf(view);
        s.viewSettings.place->level = static_cast<std::uint8_t>(1 - view.level);
        EXPECT_TRUE(settled(views, runner, view, s).raster == before) << wordOf(view) << ": of another cache";
    }
}

/// Many cells in a small picture of large text: all that is written stays inside.
TEST(CellViews, WriteInsideThePicture) {
    // Every row is touched: rows that are not are left out.
    sim::TraceBuilder b("large");
    constexpr std::uint64_t kBase = 0x1000000;
    constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;
    b.addRegion(sim::test::region("matrix", kBase, kBytes));
    for (std::uint64_t at = kBase; at < kBase + kBytes; at += 1024) b.add(sim::test::access(sim::Op::read, at, 4));
    Session s = sessionOn(sim::test::built(b, *sim::parseGeometry("4K/2/32, 16K/4/64")));
    const ViewId view{Kind::memory};
    s.viewSettings.shown = {view};
    s.viewSettings.cells[view].cell = 4;
    for (const glm::ivec2 size : {glm::ivec2(640, 360), glm::ivec2(1280, 720)}) {
        QueuedRunner runner;
        CellViews views(s.opened, runner);
        const scene::FlatScene& picture = settled(views, runner, view, s, size, kLarge);
        ASSERT_NE(textsOf(picture).find("a pixel shows the largest"), std::string::npos) << textsOf(picture);
        for (const scene::Label& label : picture.labels) {
            const glm::vec2 extent(scene::widthOf(label.text, label.size), label.size);
            const glm::vec2 low = label.kind == scene::Label::Kind::corner ? label.at : label.at - extent / 2.0f;
            EXPECT_TRUE(glm::all(glm::greaterThanEqual(low, glm::vec2(0)))) << label.text;
            EXPECT_TRUE(glm::all(glm::lessThanEqual(low + extent, glm::vec2(size))))
                << label.text << " of " << size.x << " x " << size.y;
        }
    }
}

/// No picture is too small, no trace too short, no machine too wide.
TEST(CellViews, OfAnythingInAnySizeAreDrawn) {
    sim::MachineConfig wide = *sim::parseGeometry("256/2/16, 64K/4/64");
    wide.levels[0].sharedBy = 1;
    const auto one = sim::test::shared("R ffffffffffffff00 8\n");
    const auto none = sim::test::shared(sim::TraceBuilder("none").finish());
    const std::vector<Session> sessions{
        sessionOn(sim::test::built(none, wide)), sessionOn(sim::test::built(one, wide)),
        sessionOn(sim::test::built(sim::test::traceOfProgram("matmul:n=6"), sim::withCpus(wide, 64)))};
    for (Session s : sessions) {
        for (const ViewId& kind : cellsOf(s)) {
            for (const float scale : {1.0f, kLarge}) {
                std::mt19937_64 dice(scale > 1 ? 1 : 2);
                for (const glm::ivec2 size : {glm::ivec2(1, 1), glm::ivec2(2, 40), glm::ivec2(60, 40),
                                              glm::ivec2(17, 300), glm::ivec2(600, 20), glm::ivec2(350, 350)}) {
                    ViewId view = kind;
                    if (!scene::isOfMemory(*view.cells()) && dice() % 2 == 0) view.part = 63;
                    s.viewSettings.shown = {view};
                    s.panels = dice() % 2 == 0;
                    s.player.seek(0.5, s.end());
                    randomize(s.viewSettings.cells[view], view, s.opened.run->machine(), dice);
                    QueuedRunner runner;
                    CellViews views(s.opened, runner);
                    EXPECT_EQ(settled(views, runner, view, s, size, scale).raster.box().high, size);
                    for (int i = 0; i < 60; ++i) {
                        const glm::ivec2 at(static_cast<int>(dice() % 400) - 5, static_cast<int>(dice() % 400) - 5);
                        const auto cell = views.under(view, at);
                        // Of a range without accesses there are no sums.
                        const bool hasSums = scene::isLive(*view.cells()) || s.end() > 0;
                        if (cell) {
                            EXPECT_EQ(views.describe(view, s, cell->cell).empty(), !hasSums);
                        }
                        s.viewSettings.cells[view].sight =
                            i % 3 == 0 ? views.panned(view, at) : views.zoomed(view, at, i % 9 - 4);
                        views.scene(view, s, size, 1);
                    }
                }
            }
        }
    }
}

}  // namespace
}  // namespace whorl::app
