// A tour names files beside it and below, and in the folders that the user names: no others.
#include "app/tours/tour_folders.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "app/session/tour.h"
#include "app/tours/tour_catalogue.h"
#include "sim/machine/machine_config.h"
#include "support/folder.h"

namespace whorl::app {
namespace {

namespace fs = std::filesystem;

class TourFoldersTest : public testing::Test {
  protected:
    TourFoldersTest() {
        for (const char* name : {"t/sub", "t/.ssh", "out"}) fs::create_directories(folder_.at(name));
        for (const char* name : {"t/a.trace", "t/plain", "t/sub/b.trace", "t/.ssh/id", "out/o.trace"}) {
            folder_.put(name, "R 0x10 4\n");
        }
        folder_.put("out/m.json", sim::machineAsJson(sim::loadMachine("paper").value()));
        folder_.put("t/m.json", sim::machineAsJson(sim::loadMachine("paper").value()));
        fs::create_symlink("../out/o.trace", folder_.at("t/linked.trace"));
        fs::create_symlink("sub/b.trace", folder_.at("t/inner.trace"));
    }

    /// The tour's only scene; the sentence of the error in place of its id if there is none.
    TourScene scene(const std::string& input, const std::string& machine = "paper",
                    const std::vector<std::string>& sources = {}) const {
        const std::string path =
            folder_.put("t/tour.json", fmt::format(R"({{"scenes": [{{"id": "s", "title": "S", "words": "See.",
                                                    "input": "{}", "machine": "{}"}}]}})",
                                                   input, machine));
        const auto tour = tourFrom(path, sources);
        if (tour) return tour->scenes.front();
        return {.id = tour.error().sentence().substr(path.size())};
    }
    std::string inputOf(const std::string& input, const std::vector<std::string>& sources = {}) const {
        return scene(input, "paper", sources).input;
    }

    sim::test::Folder folder_;
};

TEST_F(TourFoldersTest, FilesOfATourAreBesideTheTourOrBelow) {
    EXPECT_EQ(inputOf("a.trace"), folder_.at("t/a.trace"));
    EXPECT_EQ(inputOf("plain"), folder_.at("t/plain"));
    EXPECT_EQ(inputOf("sub/b.trace"), folder_.at("t/sub/b.trace"));
    EXPECT_EQ(inputOf("inner.trace"), folder_.at("t/inner.trace"));
    EXPECT_EQ(inputOf(folder_.at("t/a.trace")), folder_.at("t/a.trace"));
    EXPECT_EQ(inputOf("missing.trace"), folder_.at("t/missing.trace")) << "known when it is opened";
    EXPECT_EQ(scene("a.trace", "m.json").machine, folder_.at("t/m.json"));
}

TEST_F(TourFoldersTest, WhatIsBuiltInStaysAsItIs) {
    for (const char* input : {"matmul", "matmul:n=4"}) EXPECT_EQ(inputOf(input), input);
    for (const char* machine : {"paper", "1K/2/32, 4K/4/32", "32K/8/64"}) {
        EXPECT_EQ(scene("matmul", machine).machine, machine);
    }
    EXPECT_NE(scene("mtamul").id.find("did you mean \"matmul\"?"), std::string::npos);
    folder_.put("t/matmul", "R 0x10 4\n");
    EXPECT_EQ(inputOf("matmul"), "matmul");
    EXPECT_EQ(inputOf("./matmul"), folder_.at("t/./matmul"));
}

TEST_F(TourFoldersTest, OtherFilesAreRefused) {
    ASSERT_EQ(mkfifo(folder_.at("t/pipe.trace").c_str(), 0600), 0);
    EXPECT_EQ(scene("../out/o.trace").id,
              ": scenes[0].input: \"../out/o.trace\" is not a file beside the tour or below; put it there, or name the "
              "folder that it is in with --sources");
    for (const std::string& input : {folder_.at("out/o.trace"), std::string("linked.trace"), std::string(".ssh/id"),
                                     std::string("sub/../../out/o.trace"), std::string("/etc/passwd"),
                                     std::string("none/../../out/o.trace"), std::string("pipe.trace")}) {
        EXPECT_NE(scene(input).id.find("is not a file beside the tour"), std::string::npos) << input;
    }
    for (const char* machine : {"../out/m.json", "/etc/passwd", ".ssh/id", "0/../../out/m.json"}) {
        EXPECT_NE(scene("a.trace", machine).id.find("scenes[0].machine: "), std::string::npos) << machine;
    }
}

TEST_F(TourFoldersTest, FilesOfTheCurrentFolderAreRefused) {
    folder_.put("out/secret", "R 0x10 4\n");
    const fs::path before = fs::current_path();
    fs::current_path(folder_.at("out"));
    EXPECT_EQ(inputOf("o.trace"), folder_.at("t/o.trace"));
    for (const char* input : {"secret", "-"}) {
        EXPECT_NE(scene(input).id.find("scenes[0].input: "), std::string::npos) << input;
    }
    EXPECT_NE(scene("a.trace", "m").id.find("scenes[0].machine: "), std::string::npos);
    fs::current_path(before);
}

TEST_F(TourFoldersTest, FoldersOfTheUserCountToo) {
    const std::vector<std::string> out = {folder_.at("out")};
    EXPECT_EQ(inputOf("o.trace", out), folder_.at("out/o.trace"));
    EXPECT_EQ(inputOf(folder_.at("out/o.trace"), out), folder_.at("out/o.trace"));
    EXPECT_EQ(inputOf("a.trace", out), folder_.at("t/a.trace"));
    EXPECT_EQ(inputOf("../out/o.trace", out), folder_.at("out/o.trace"));
    EXPECT_EQ(inputOf("sub/../../out/o.trace", out), folder_.at("out/o.trace"));
    EXPECT_EQ(inputOf("../out/none.trace", out), folder_.at("out/none.trace"));
    EXPECT_EQ(inputOf("../o.trace", out), "") << "neither relative to the tour nor to the other folder";
    EXPECT_EQ(scene("a.trace", "m.json", {folder_.at("out")}).machine, folder_.at("t/m.json"));
}

}  // namespace
}  // namespace whorl::app
