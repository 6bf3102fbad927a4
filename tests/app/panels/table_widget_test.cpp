// The table of panels: sorted by a click on a heading, filtered, drawn as far as it is seen, copied as CSV; a click on
// a row goes to the panel.
#include "app/panels/table_widget.h"

#include <gtest/gtest.h>

#include "app/panels/panel_frame.h"
#include "support/shared_trace.h"

namespace whorl::app {
namespace {

/// A window with a table of things, their cycles and what is known of them.
struct DrawnTable {
    explicit DrawnTable(sim::Table of, TableLook drawn = {}, ImVec2 size = {800, 400})
        : table(std::move(of)),
          look(std::move(drawn)),
          frame(
              session, [this](const PanelContext& c) { draw(c); }, size) {
        look.thing = "row";
        next();
    }
    void draw(const PanelContext& c) {
        KeptTable& kept = keptTable(c, "t");
        kept.keep(TableSource({}, {version}), [&] {
            ++made;
            return table;
        });
        drawTableTools(c, kept, "t", "whorl-t");
        TableLook its = look;
        its.clicked = [&](std::size_t r) { c.queue(command::PickRegion{static_cast<std::uint32_t>(r)}); };
        drawTable(c, kept, its);
    }
    /// Twice: what a click changes is seen in the next frame, and a new column is measured in the one after.
    void next() {
        frame.next();
        frame.next();
    }
    std::string names() const { return namesAfter("row "); }
    std::string namesAfter(const std::string& thing) const {
        std::string out;
        std::istringstream lines(frame.places());
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            ImVec2 at;
            std::string name;
            const bool isPlace = words >> at.x >> at.y && std::getline(words >> std::ws, name);
            if (isPlace && name.starts_with(thing)) out += name.substr(thing.size()) + ' ';
        }
        return out;
    }
    void sortBy(const std::string& key) {
        frame.click("heading row " + key);
        next();
    }
    void filterBy(const char* text) {
        frame.click("field t");
        ImGui::GetIO().AddInputCharactersUTF8(text);
        next();
    }

    sim::Table table;
    TableLook look;
    Session session = sharedSession();
    double version = 0;
    int made = 0;
    PanelFrame frame;
};

sim::Table things() {
    return {.name = "things",
            .title = {},
            .columns = {{"thing", "thing"}, {"cycles", "cycles"}, {"share", "share"}, {"hidden", ""}},
            .rows = {{"beta", std::uint64_t{20}, 2.5, std::uint64_t{1}},
                     {"Alpha", std::uint64_t{1'000'000}, sim::Cell{}, std::uint64_t{2}},
                     {"gamma", std::uint64_t{9}, 0.5, std::uint64_t{3}}}};
}

sim::Table manyThings(std::size_t count) {
    sim::Table table{.name = "many", .title = {}, .columns = {{"thing", "thing"}, {"cycles", "cycles"}}, .rows = {}};
    for (std::size_t i = 0; i < count; ++i) table.rows.push_back({"n" + std::to_string(i), std::uint64_t{i}});
    return table;
}

TEST(TableWidget, IsSortedByAClickOnAHeading) {
    DrawnTable table(things());
    EXPECT_EQ(table.names(), "beta Alpha gamma ") << "at first as it is";
    table.sortBy("cycles");
    EXPECT_EQ(table.names(), "Alpha beta gamma ") << "the largest number first";
    table.sortBy("cycles");
    EXPECT_EQ(table.names(), "gamma beta Alpha ");
    table.sortBy("cycles");
    EXPECT_EQ(table.names(), "beta Alpha gamma ") << "the third click gives the first order back";
    table.sortBy("share");
    EXPECT_EQ(table.names(), "beta gamma Alpha ") << "what has no value is last";
    table.sortBy("thing");
    EXPECT_EQ(table.names(), "Alpha beta gamma ") << "texts ascend";
}

TEST(TableWidget, HasItsOwnOrderAtFirst) {
    DrawnTable table(things(), {.order = "cycles"});
    EXPECT_EQ(table.names(), "Alpha beta gamma ");
}

TEST(TableWidget, HasTheRowsThatTheFilterLetsThrough) {
    DrawnTable table(things());
    table.filterBy("ALP");
    EXPECT_EQ(table.names(), "Alpha ");
}

TEST(TableWidget, IsMadeAgainOnlyOfSomethingElse) {
    DrawnTable table(things());
    table.sortBy("cycles");
    EXPECT_EQ(table.made, 1);
    table.table.rows.pop_back();
    table.version = 1;
    table.next();
    EXPECT_EQ(table.made, 2);
    EXPECT_EQ(table.names(), "Alpha beta ") << "sorted as before";
}

TEST(TableWidget, IsDrawnAsFarAsItIsSeen) {
    DrawnTable table(manyThings(100'000), {.order = "cycles", .room = TableLook::Room::sideways});
    const std::string first = table.names();
    EXPECT_TRUE(first.starts_with("n99999 n99998 ")) << first.substr(0, 100);
    EXPECT_LT(first.size(), 400u);
    table.frame.move({100, 200});
    for (int i = 0; i < 4; ++i) table.frame.wheel(-5);
    table.next();
    // The first row is drawn always, to measure it.
    EXPECT_EQ(table.names().find("n99998 "), std::string::npos) << "scrolled";
    EXPECT_NE(table.names(), "n99999 ");
}

/// However many columns there are, the first ones beside the names are seen.
TEST(TableWidget, HasNamesOfAShareOfTheWindowWhereItIsMovedSideways) {
    sim::Table wide = manyThings(3);
    for (int i = 0; i < 30; ++i) {
        wide.columns.push_back({"c" + std::to_string(i), "a long heading"});
        for (auto& row : wide.rows) row.emplace_back(std::uint64_t{1'000'000});
    }
    const DrawnTable table(wide, {.order = "cycles", .room = TableLook::Room::sideways});
    const auto second = table.frame.place("heading row c0");
    ASSERT_TRUE(second);
    EXPECT_LT(second->x, 500) << "of a window of 800 pixels";
}

TEST(TableWidget, CountsWhatIsLeftOut) {
    DrawnTable table(manyThings(10), {.most = 3});
    EXPECT_EQ(table.names(), "n0 n1 n2 ");
}

TEST(TableWidget, QueuesWhatAClickOnARowDoes) {
    DrawnTable table(things(), {.order = "cycles"});
    EXPECT_EQ(textsOf(table.frame.click("row gamma")), std::vector<std::string>{"pick-region 2"});
}

TEST(TableWidget, DrawsTheColumnsForWhichThereIsRoom) {
    const std::vector<ShownColumn> columns = {
        {.key = "thing"}, {.key = "cycles", .keeps = 1}, {.key = "share"}, {.key = "hidden", .heading = "more"}};
    EXPECT_EQ(DrawnTable(things(), {.columns = columns, .others = std::nullopt}).namesAfter("heading row "),
              "thing cycles share hidden ");
    EXPECT_EQ(DrawnTable(things(), {.columns = columns, .others = std::nullopt}, {180, 400}).namesAfter("heading row "),
              "thing cycles ");
    EXPECT_EQ(DrawnTable(things()).namesAfter("heading row "), "thing cycles share ") << "those with a heading";
}

/// Beside a bar, the column of the names has room for its heading and for the arrow, which ImGui draws beside it.
TEST(TableWidget, HasRoomForTheHeadingOfNumbersThatNameRows) {
    const auto middleOfName = [](bool sorts) {
        const DrawnTable table(
            {.name = "t",
             .title = {},
             .columns = {{"cpu", "CPU"}, {"cycles", "cycles"}},
             .rows = {{std::uint64_t{0}, std::uint64_t{12}}}},
            {.columns = {{.key = "cpu"}, {.key = "cycles"}, {.key = "cycles", .heading = " ", .isBar = true}},
             .sorts = sorts});
        return table.frame.place("row 0")->x;
    };
    EXPECT_GT(middleOfName(true), middleOfName(false) + 5);
}

TEST(TableWidget, IsCopiedAsTheTableIs) {
    DrawnTable table(things());
    const auto copied = [&] {
        table.frame.click("copy t");
        return std::string(ImGui::GetClipboardText());
    };
    EXPECT_EQ(copied(), sim::tableAsCsv(things())) << "with the columns that are not drawn";
    table.filterBy("beta");
    EXPECT_EQ(copied(), "thing,cycles,share,hidden\nbeta,20,2.5,1\n");
    table.frame.click("save t");
    ASSERT_TRUE(table.frame.parts().edits.saved);
    EXPECT_EQ(table.frame.parts().edits.saved->text, copied());
}

TEST(TableWidget, IsCopiedFromTheMenuOfAHeading) {
    DrawnTable table(things());
    ImGui::SetClipboardText("");
    table.frame.click(*table.frame.place("heading row thing"), 1);
    table.next();
    table.frame.click("copy row");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), sim::tableAsCsv(things()));
}

TEST(TableWidget, WritesNumbersForPeople) {
    EXPECT_EQ(cellText(std::uint64_t{1'234'567}), "1 234 567");
    EXPECT_EQ(cellText(std::uint64_t{1'234'567}, NumberForm::rough), "1.23M");
    EXPECT_EQ(cellText(std::uint64_t{2048}, NumberForm::bytes), "2K");
    EXPECT_EQ(cellText(12.34), "12.3");
    EXPECT_EQ(cellText(12'345.6, NumberForm::rough), "12.3K");
    EXPECT_EQ(cellText({}), "");
}

}  // namespace
}  // namespace whorl::app
