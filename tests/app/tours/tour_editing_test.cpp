// A tour is edited: every change can be undone, and what is written reads back as the same tour.
#include "app/tours/tour_editing.h"

#include <fmt/format.h>

#include <filesystem>
#include <random>

#include "app/session/command.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_form.h"
#include "app/tours/tour_session.h"
#include "support/folder.h"
#include "support/random_commands.h"

namespace whorl::app {
namespace {

TEST(TourEditing, ALectureFromNothing) {
    Session s;
    s.requests.add(request::Open{OpenRequest{.input = "conflict", .machine = "1K/1/32, 4K/4/32"}});
    openAll(s);
    apply(s, command::Seek{20});
    pressKey(s, "Ctrl+Enter");
    ASSERT_TRUE(s.presentation);
    EXPECT_EQ(s.presentation->own().at, 20);
    apply(s, command::TourSay{0, "title", "A direct-mapped cache"});
    EXPECT_EQ(s.sceneText->title, "A direct-mapped cache");
    apply(s, command::Seek{60});
    apply(s, command::TourPlay{60});
    EXPECT_EQ(s.presentation->own().range->to, 60);
    apply(s, command::Machine{"1K/2/32, 4K/4/32"});
    openAll(s);
    apply(s, command::ZoomIn{});
    apply(s, command::TourAdd{});
    openAll(s);
    apply(s, command::TourSay{1, "notes", "Ask them first."});
    ASSERT_EQ(s.presentation->tour->scenes.size(), 2u);
    const TourScene& second = s.presentation->tour->scenes[1];
    EXPECT_EQ(second.machine, "1K/2/32, 4K/4/32");
    EXPECT_TRUE(second.camera);
    EXPECT_EQ(second.notes, "Ask them first.");
    EXPECT_TRUE(s.presentation->unsaved);
    const auto read = parseTour(tourText(*s.presentation->tour), "t.json");
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(*read, *s.presentation->tour);
}

/// Whoever gives the talk sees what its author saw.
TEST(TourEditing, AMomentKeepsItsPicturesSettings) {
    random_commands::Random random(3);
    std::size_t changed = 0;
    for (int round = 0; round < 40; ++round) {
        Session s;
        s.requests.add(request::Open{OpenRequest{.input = "vecadd:n=8", .machine = "256/2/32, 1K/4/32"}});
        openAll(s);
        Commands all;
        command::PictureCommands::forEach([&]<class C>() {
            if (random() % 4 == 0) all.push_back(random_commands::randomCommand<C>(random));
        });
        all.emplace_back(changeOf("block-draw"));
        if (random() % 2 == 0) all.emplace_back(changeOf("stays-replaced", false));
        if (random() % 2 == 0) all.emplace_back(command::Cpu{static_cast<std::uint32_t>(random() % 4)});
        if (random() % 2 == 0) all.emplace_back(changeOf("legend", false));
        applyAll(s, all);
        s.overlays.picture = false;
        const Session before = s;
        apply(s, command::TourAdd{});
        openAll(s);
        pass(s, 1);
        ASSERT_TRUE(s.presentation && s.presentation->entered);
        EXPECT_EQ(s.ringView.gauge, before.ringView.gauge);
        EXPECT_EQ(s.ringView.grain, before.ringView.grain);
        EXPECT_EQ(s.ringView.rings, before.ringView.rings);
        EXPECT_EQ(s.ringView.use, before.ringView.use);
        EXPECT_EQ(s.ringView.hues, before.ringView.hues);
        EXPECT_EQ(s.trails, before.trails);
        EXPECT_EQ(s.lapse, before.lapse);
        EXPECT_EQ(s.cpu, before.cpu);
        EXPECT_EQ(s.legend, before.legend);
        EXPECT_EQ(s.viewSettings.blocks, before.viewSettings.blocks);
        changed += s.ringView.gauge != Session{}.ringView.gauge ? 1 : 0;
    }
    EXPECT_GT(changed, 5u);
}

constexpr const char* kEdited = R"({"title": "T", "scenes": [
    {"id": "a", "title": "A", "words": "See a.", "input": "matmul:n=4", "machine": "256/1/32", "at": 10, "to": 30},
    {"id": "b", "title": "B", "words": "See b.", "at": 40, "commands": ["view memory"], "plan": 30},
    {"id": "c", "machine": "256/2/32", "to": 60, "wait": "loop"},
    {"id": "d", "title": "D", "words": "See d.", "input": "matmul:n=5", "with": "matmul:n=4", "lock": "share"},
    {"id": "e", "at": 7}]})";

/// Something that is typed into a field: texts that some fields take, and others do not. What names a run can be
/// opened, as its faults are found only then.
command::TourSay sayingAtRandom(std::uint32_t scene, std::mt19937& random) {
    static const std::vector<std::string> kTexts = {
        "",      "A text.", "9",       "12.5",    "0.5",        "[0.5, 1]",     "loop",
        "click", "line",    "choices", "outcome", "matmul:n=3", "L1.ways == 1", "hit",
        "a-b",   "yes\nno", "L1",      "99",      "{L1.misses}"};
    const FormRow& row = tourForm()[random() % tourForm().size()];
    std::string text = kTexts[random() % kTexts.size()];
    if (row.kind == FormKind::program) text = random() % 2 == 0 ? "matmul:n=3" : "arrayinit:n=9";
    if (row.kind == FormKind::machine) text = random() % 2 == 0 ? "" : "256/4/32";
    if (row.kind == FormKind::settings) text = random() % 2 == 0 ? "" : "L1.policy=fifo";
    return {scene, std::string(row.key), text};
}

void editAtRandom(Session& s, std::mt19937& random) {
    const auto size = static_cast<std::uint32_t>(s.presentation->tour->scenes.size());
    const std::uint32_t scene = random() % (size + 1);  // one is not there
    switch (random() % 8) {
        case 0:
            return apply(s, command::TourAdd{});
        case 1:
            return apply(s, command::TourSet{});
        case 2:
            return apply(s, command::TourRemove{scene});
        case 3:
        case 4:
            return apply(s, command::TourMove{scene, static_cast<std::uint32_t>(random() % (size + 1))});
        case 5:
            return apply(s, sayingAtRandom(scene, random));
        case 6:
            return apply(s, command::TourPlay{static_cast<double>(random() % 90)});
        default:
            return apply(s, command::TourGo{scene});
    }
}

TEST(TourEditing, EveryChangeCanBeUndone) {
    for (unsigned seed = 0; seed < 6; ++seed) {
        std::mt19937 random(seed);
        Session s;
        begin(s, kEdited);
        const Tour first = *s.presentation->tour;
        std::vector<Tour> tours = {first};
        for (int i = 0; i < 30; ++i) {
            editAtRandom(s, random);
            openAll(s);
            const Tour& now = *s.presentation->tour;
            if (!(now == tours.back())) tours.push_back(now);
            ASSERT_LT(s.presentation->scene, now.scenes.size());
            const auto read = parseTour(tourText(now), "t.json");
            ASSERT_TRUE(read) << read.error().sentence() << "\n" << tourText(now);
            ASSERT_EQ(*read, now);
            // Each scene still shows what it has shown, whatever stands before it.
            for (const TourScene& scene : now.scenes)
                ASSERT_FALSE(resolvedScene(now, *sceneIndex(now, scene.id)).input.empty());
        }
        for (std::size_t i = tours.size(); i-- > 0;) {
            ASSERT_EQ(*s.presentation->tour, tours[i]) << "seed " << seed << ", change " << i;
            apply(s, command::TourUndo{});
            openAll(s);
        }
        EXPECT_EQ(*s.presentation->tour, first);
        for (std::size_t i = 1; i < tours.size(); ++i) {
            apply(s, command::TourRedo{});
            openAll(s);
            ASSERT_EQ(*s.presentation->tour, tours[i]);
        }
    }
}

TEST(TourEditing, ScenesKeepWhatTheyShowWhenOthersMove) {
    Session s;
    begin(s, kEdited);
    const TourScene c = resolvedScene(*s.presentation->tour, 2);
    apply(s, command::TourMove{0, 4});
    TourScene moved = resolvedScene(*s.presentation->tour, *sceneIndex(*s.presentation->tour, "c"));
    EXPECT_EQ(moved.input, c.input);
    EXPECT_EQ(moved.machine, c.machine);
    EXPECT_EQ(moved.at, c.at);
    EXPECT_EQ(moved.commands, c.commands);
}

TEST(TourEditing, WhatWasNotSavedIsNotLostWithTheTour) {
    Session s;
    begin(s, kEdited);
    apply(s, command::TourClose{});
    EXPECT_FALSE(s.requests.has<request::KeepTour>()) << "nothing was changed";
    begin(s, kEdited);
    apply(s, command::TourSay{0, "title", "Changed"});
    const auto written = s.presentation->tour;
    apply(s, command::TourSay{0, "notes", "While it is written."});
    tourIsSaved(s, written, "a.tour.json");
    EXPECT_TRUE(s.presentation->unsaved) << "the notes are not in the file";
    const auto last = s.presentation->tour;
    begin(s, *parseTour(kEdited, "t.json"));
    ASSERT_TRUE(s.requests.has<request::KeepTour>());
    EXPECT_EQ(s.requests.take<request::KeepTour>()->tour, last);
    EXPECT_FALSE(s.requests.has<request::KeepTour>());
    apply(s, command::TourSay{0, "title", "Again"});
    tourIsSaved(s, s.presentation->tour, "b.tour.json");
    apply(s, command::TourClose{});
    EXPECT_FALSE(s.requests.has<request::KeepTour>()) << "it was saved";
}

class SavedTour : public testing::Test {
  protected:
    const sim::test::Folder folder_;
};

TEST_F(SavedTour, ReplacesNoOtherFile) {
    const Tour tour = parseTour(kEdited, "t.json").value();
    ASSERT_TRUE(writeTour(tour, folder_.at("a.tour.json"), ""));
    const auto read = tourFrom(folder_.at("a.tour.json"));
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(*read, tour);
    const auto again = writeTour(tour, folder_.at("a.tour.json"), "");
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().sentence().find("there is a file of this name already; choose another name"),
              std::string::npos);
    EXPECT_TRUE(writeTour(tour, folder_.at("a.tour.json"), folder_.at("a.tour.json"))) << "its own";
}

TEST_F(SavedTour, NamesFilesFromItsFolder) {
    folder_.put("x.trace", "R 0x1000\n");
    Tour tour{.title = "",
              .source = "",
              .scenes = {{.id = "a", .title = "A", .words = "See.", .input = folder_.at("x.trace")}}};
    ASSERT_TRUE(writeTour(tour, folder_.at("a.tour.json"), ""));
    const std::string text = sim::test::bytesOf(folder_.at("a.tour.json"));
    EXPECT_NE(text.find("\"input\": \"x.trace\""), std::string::npos) << text;
    EXPECT_EQ(tourFrom(folder_.at("a.tour.json"))->scenes[0].input, folder_.at("x.trace"));
    std::filesystem::create_directories(folder_.at("deep"));
    const auto elsewhere = writeTour(tour, folder_.at("deep/a.tour.json"), "");
    ASSERT_FALSE(elsewhere);
    EXPECT_NE(elsewhere.error().sentence().find("lies elsewhere"), std::string::npos) << elsewhere.error().sentence();
}

}  // namespace
}  // namespace whorl::app
