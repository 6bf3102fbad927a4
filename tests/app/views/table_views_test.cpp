// The tables of a run's caches in the window: what is under the mouse, and what a question hides.
#include "app/views/table/table_views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/commands/commands.h"
#include "app/tasks/queued_runner.h"
#include "app/views/run_views.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

/// A session, and the views of its run, whose rings are at the playhead.
struct TableViewsTest : testing::Test {
    void SetUp() override {
        s.opened = openedFor({.input = "matmul:n=8", .machine = "1K/2/32, 4K/4/32"});
        apply(s, command::Seek{700});
    }
    const scene::FlatScene& scene(RunView& view, const ViewId& id) {
        view.composer().compose(s.player.position(), s.view({800, 600}, 1));
        view.update(s);
        const TileScene picture = view.views(id).pictureOf({id, s, {800, 600}, 1});
        return *std::get<const scene::FlatScene*>(picture);
    }
    static bool says(const scene::FlatScene& scene, std::string_view words) {
        return std::any_of(scene.labels.begin(), scene.labels.end(),
                           [&](const scene::Label& l) { return l.text.starts_with(words); });
    }

    Session s;
    QueuedRunner runner;
    ViewId l1{ViewId::Kind::table};
};

TEST_F(TableViewsTest, PicksAndAnswersWhereItIsClicked) {
    RunView view(s.opened, runner);
    scene(view, l1);
    const ViewQuery query{l1, s, {800, 600}, 1};
    Views& views = view.views(l1);
    const scene::PixelBox area = views.mouseArea(query);
    std::size_t ways = 0;
    std::vector<scene::PixelBox> known;
    for (int y = area.low.y; y < area.high.y; y += 3) {
        for (int x = area.low.x; x < area.high.x; x += 3) {
            const auto hit = views.hitAt(query, {x, y});
            if (!hit || std::find(known.begin(), known.end(), hit->box) != known.end()) continue;
            known.push_back(hit->box);
            ++ways;
            ASSERT_EQ(hit->click.size(), 2u);
            EXPECT_TRUE(hit->box.contains({x, y}));
            EXPECT_FALSE(hit->describe().empty());
            Session clicked = s;
            applyAll(clicked, hit->click);
            ASSERT_TRUE(clicked.viewSettings.place);
            EXPECT_EQ(hit->describe().front(), fmt::format("L1, set {}, way {}", clicked.viewSettings.place->set.value,
                                                           clicked.viewSettings.place->way.value));
        }
    }
    EXPECT_EQ(ways, 32u) << "16 sets of 2 ways";
}

TEST_F(TableViewsTest, AQuestionHidesItsSet) {
    RunView view(s.opened, runner);
    EXPECT_TRUE(says(scene(view, l1), "index "));
    press(s, "Ctrl+E");
    EXPECT_FALSE(says(scene(view, l1), "index "));
    EXPECT_TRUE(says(scene(view, l1), "read ") || says(scene(view, l1), "write "));
    EXPECT_TRUE(says(scene(view, {ViewId::Kind::table, 1}), "index ")) << "another level is not asked about";
    press(s, "Alt+0");
    EXPECT_TRUE(says(scene(view, l1), "index ")) << "once it is answered";
}

TEST_F(TableViewsTest, ShowsTranslationsAndFrames) {
    s.opened = openedFor({.input = "matmul:n=8",
                          .machine = "1K/2/32",
                          .settings = {"tlb.entries=4", "tlb.page=256", "memory.size=2K", "memory.page=256"}});
    apply(s, command::Seek{700});
    RunView view(s.opened, runner);
    for (const std::uint8_t level : {ViewId::kTlb, ViewId::kPages}) {
        const ViewId id{ViewId::Kind::table, level};
        ASSERT_TRUE(exists(id, s.opened.run->machine()));
        EXPECT_TRUE(says(scene(view, id), "offset "));
        const ViewQuery query{id, s, {800, 600}, 1};
        const scene::PixelBox area = view.views(id).mouseArea(query);
        EXPECT_FALSE(area.isEmpty());
    }
    EXPECT_TRUE(says(scene(view, {ViewId::Kind::table, ViewId::kPages}), "frame"));
}

}  // namespace
}  // namespace whorl::app
