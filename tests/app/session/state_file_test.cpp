// The file that saves the user's settings: they are restored unchanged, and a corrupt file is neither used nor lost.
#include "app/session/state_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/folder.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

class StateFiles : public testing::Test {
  protected:
    std::string path() const { return folder_.at("whorl/session.json"); }
    void write(const std::string& words) const {
        fs::create_directories(fs::path(path()).parent_path());
        std::ofstream(path()) << words;
    }

    const sim::test::Folder folder_;
};

Session unusual() {
    Session s;
    s.ground = scene::Ground::light;
    s.trails = 200;
    s.lapse = 5000;
    s.lecture = true;
    s.reducedMotion = true;
    s.ringView.grain = scene::Grain::fitting;
    s.ringView.gauge.what = sim::GaugeSettings::What::missKind;
    s.ringView.gauge.kind = sim::MissKind::falseSharing;
    s.ringView.gauge.window = 77;
    s.ringView.gauge.over = sim::GaugeSettings::Over::run;
    s.ringView.gauge.scores = {.nearestMiss = -2.5, .miss = -0.5, .hit = 3};
    s.legend = false;
    s.explain = true;
    s.sizes.left = 300;
    s.viewSettings.take(*tilingFrom("row(rings*3,block:0)"), [](const ViewId&) { return true; });
    s.layouts = {{"after lunch/2 ~", {"arrange auto(rings)", "panels on"}}, {"mine", {"arrange auto"}}};
    s.editor = "vi +{line} {file}";
    return s;
}

TEST_F(StateFiles, AllComesBack) {
    Session s;
    ASSERT_TRUE(takeState(stateOf(unusual()), "s", s));
    EXPECT_EQ(stateOf(s), stateOf(unusual()));
    EXPECT_EQ(s.ringView.gauge, unusual().ringView.gauge);
    EXPECT_EQ(s.lapse, 5000u);
    EXPECT_EQ(s.layouts, unusual().layouts);
    EXPECT_EQ(s.editor, unusual().editor);
    EXPECT_EQ(s.viewSettings.shown, unusual().viewSettings.shown);
    EXPECT_EQ(s.viewSettings.arrangement, unusual().viewSettings.arrangement);
}

TEST_F(StateFiles, TilesAndLayoutsThatCannotBeAreErrors) {
    for (const char* const wrong :
         {R"({"tiles": 7})", R"({"tiles": "row(rings"})", R"_({"tiles": "row(rings,rings)"})_",
          R"({"layouts": ["film"]})", R"({"layouts": {"mine": "auto"}})", R"({"editor": ["vi"]})"}) {
        Session s;
        EXPECT_FALSE(takeState(wrong, "s", s)) << wrong;
        EXPECT_EQ(stateOf(s), stateOf(Session{})) << wrong;
    }
}

/// Each window keeps its own.
TEST_F(StateFiles, TwoWindowsAddTheirLayouts) {
    Session first;
    Session second;
    StateFile a(path());
    StateFile b(path());
    a.begin(first);
    first.layouts = {{"one", {"arrange auto"}}};
    ASSERT_TRUE(a.save(first));
    ASSERT_TRUE(b.load(second));
    b.begin(second);
    second.layouts.push_back({"two", {"arrange auto"}});
    ASSERT_TRUE(b.save(second));
    Session again;
    ASSERT_TRUE(StateFile(path()).load(again));
    EXPECT_EQ(again.layouts.size(), 2u);
}

TEST_F(StateFiles, WhatIsChosenIsWrittenOnceAndReadAgain) {
    Session s;
    StateFile file(path());
    ASSERT_TRUE(file.load(s)) << "no file is no error";
    file.begin(s);
    ASSERT_TRUE(file.save(s));
    EXPECT_FALSE(fs::exists(path())) << "nothing was chosen";
    s.lecture = true;
    ASSERT_TRUE(file.save(s));
    Session again;
    ASSERT_TRUE(StateFile(path()).load(again));
    EXPECT_TRUE(again.lecture);
}

TEST_F(StateFiles, WhatTheCommandSaysIsNotKept) {
    Session s;
    StateFile file(path());
    ASSERT_TRUE(file.load(s));
    s.ground = scene::Ground::light;  // --ground light
    file.begin(s);
    s.lecture = true;
    ASSERT_TRUE(file.save(s));
    Session again;
    ASSERT_TRUE(StateFile(path()).load(again));
    EXPECT_EQ(again.ground, scene::Ground::dark);
    EXPECT_TRUE(again.lecture);
}

TEST_F(StateFiles, ABrokenFileIsReportedAndMovedAside) {
    for (const std::string broken : {"{\"ground\": \"dark\"", "[1]", "", "{\"ground\": \"grey\"}", "{\"trails\": -1}",
                                     "{\"trails\": 1e99}", "{\"lapse\": \"fast\"}", "{\"disk\": {\"window\": 0}}",
                                     "{\"legend\": 1}", "{\"panels\": {\"left\": null}}"}) {
        fs::remove_all(folder_.path());
        write(broken);
        Session s;
        StateFile file(path());
        const auto loaded = file.load(s);
        ASSERT_FALSE(loaded) << broken;
        EXPECT_EQ(loaded.error().sentence().rfind(path(), 0), 0u) << loaded.error().sentence();
        EXPECT_EQ(stateOf(s), stateOf(Session{})) << "all or nothing: " << broken;
        file.begin(s);
        ASSERT_TRUE(file.save(s));
        EXPECT_EQ(sim::test::bytesOf(path()), broken) << "nothing was changed yet";
        s.trails = 7;
        ASSERT_TRUE(file.save(s));
        EXPECT_EQ(sim::test::bytesOf(path() + ".broken"), broken);
        Session again;
        EXPECT_TRUE(StateFile(path()).load(again));
        EXPECT_EQ(again.trails, 7u);
    }
}

TEST_F(StateFiles, APipeInItsPlaceIsNotWaitedFor) {
    fs::create_directories(fs::path(path()).parent_path());
    ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
    Session s;
    StateFile file(path());
    const auto loaded = file.load(s);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().sentence(),
              path() + ": this is a pipe; give the path of a file with the settings of Whorl");
    file.begin(s);
    s.trails = 7;
    EXPECT_FALSE(file.save(s));
    EXPECT_TRUE(fs::is_fifo(path())) << "it is not ours, and stays where it is";
}

TEST_F(StateFiles, AnotherBrokenFileDoesNotReplaceTheFirst) {
    for (const std::string broken : {"first", "second"}) {
        write(broken);
        Session s;
        StateFile file(path());
        ASSERT_FALSE(file.load(s));
        file.begin(s);
        s.trails = 7;
        ASSERT_TRUE(file.save(s));
    }
    EXPECT_EQ(sim::test::bytesOf(path() + ".broken"), "first");
    EXPECT_EQ(sim::test::bytesOf(path() + ".broken2"), "second");
}

TEST_F(StateFiles, AFileThatCannotBeWrittenIsReportedOnce) {
    folder_.put("whorl", "a file where the folder should be");
    Session s;
    StateFile file(path());
    ASSERT_TRUE(file.load(s));
    file.begin(s);
    s.trails = 7;
    EXPECT_FALSE(file.save(s));
    EXPECT_TRUE(file.save(s));
}

TEST_F(StateFiles, WithoutAPlaceNothingIsKept) {
    Session s;
    StateFile file("");
    EXPECT_TRUE(file.load(s));
    file.begin(s);
    s.trails = 7;
    EXPECT_TRUE(file.save(s));
}

}  // namespace
}  // namespace whorl::app
