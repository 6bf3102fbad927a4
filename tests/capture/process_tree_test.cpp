// Programs that are recorded with all processes that come from them.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "capture/compiled.h"

namespace whorl::sim {
namespace {

/// A recording of several processes, in a folder of its own.
class Processes {
  public:
    Processes() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
    }

    CaptureOptions options;
    Progress progress;
    AskedToStop asked = [] { return 0; };

    std::string path(const std::string& name = "out.whorl") const { return folder_ + '/' + name; }

    void record(const std::vector<std::string>& command) {
        options.command = command;
        options.children = true;
        auto done = capture(options, path(), asked, progress);
        EXPECT_TRUE(done.has_value()) << done.error().sentence();
        if (done) captured = *std::move(done);
    }
    void recordWay(const std::string& way, const std::vector<std::string>& arguments) {
        std::vector<std::string> command{test::compiled("processes.cpp", way + "g++ -O1")};
        command.insert(command.end(), arguments.begin(), arguments.end());
        record(command);
    }

    Captured captured;
    const CapturedProcess& process(std::size_t index) const {
        static const CapturedProcess kNone;
        EXPECT_LT(index, captured.processes.size());
        return index < captured.processes.size() ? captured.processes[index] : kNone;
    }

    /// Bytes that a process wrote to a thing of a name.
    std::uint64_t written(std::size_t index, const std::string& name) const {
        const std::string& file = process(index).file;
        EXPECT_FALSE(file.empty()) << process(index).why;
        if (file.empty()) return 0;
        Progress reading;
        const auto trace = readTrace(file, {}, reading);
        EXPECT_TRUE(trace.has_value()) << trace.error().sentence();
        if (!trace) return 0;
        EXPECT_EQ(trace->size(), process(index).accesses);
        return test::bytesOf(*trace, name).written;
    }

  private:
    std::string folder_ = test::workFolder() + "/processes";
};

class ProcessesOfBothWays : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Ways, ProcessesOfBothWays, testing::ValuesIn(test::kWays));

TEST_P(ProcessesOfBothWays, AForkedChildHasAFileOfItsOwn) {
    Processes of;
    of.recordWay(GetParam(), {"fork"});
    EXPECT_EQ(of.captured.status, 4);
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.process(0).file, of.path());
    EXPECT_EQ(of.process(1).file, of.path("out.2.whorl"));
    EXPECT_EQ(of.process(0).end, "exit status 4");
    EXPECT_EQ(of.process(1).end, "exit status 4");
    EXPECT_EQ(of.process(0).depth, 0u);
    EXPECT_EQ(of.process(1).depth, 1u);
    EXPECT_TRUE(of.process(0).name.ends_with(" fork")) << of.process(0).name;
    EXPECT_EQ(of.written(0, "early"), 4000u);
    EXPECT_EQ(of.written(0, "block"), 0u);
    EXPECT_EQ(of.written(1, "early"), 0u);
    EXPECT_EQ(of.written(1, "block"), 2000u) << "the child knows the blocks of its parent";
    EXPECT_EQ(of.captured.losses, std::vector<std::string>());
}

TEST_P(ProcessesOfBothWays, AProgramThatTakesTheirPlaceIsRecorded) {
    Processes of;
    of.recordWay(GetParam(), {"exec"});
    EXPECT_EQ(of.captured.status, 6);
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.process(0).process, of.process(1).process);
    EXPECT_EQ(of.process(0).end, "then another program");
    EXPECT_EQ(of.process(1).end, "exit status 6");
    EXPECT_EQ(of.written(0, "early"), 4000u);
    EXPECT_EQ(of.written(1, "late"), 4000u);
}

TEST_P(ProcessesOfBothWays, SoIsOneThatTakesThePlaceOfAChild) {
    Processes of;
    of.recordWay(GetParam(), {"fork-exec"});
    EXPECT_EQ(of.captured.status, 6);
    ASSERT_EQ(of.captured.processes.size(), 3u);
    EXPECT_NE(of.process(0).process, of.process(1).process);
    EXPECT_EQ(of.process(1).process, of.process(2).process);
    EXPECT_EQ(of.process(2).depth, 2u);
    EXPECT_EQ(of.written(0, "early"), 4000u);
    EXPECT_EQ(of.written(2, "late"), 4000u);
}

TEST_P(ProcessesOfBothWays, AChildThatOutlivesItsParentIsRecordedToItsEnd) {
    Processes of;
    of.recordWay(GetParam(), {"outlived"});
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.written(0, "early"), 4000u);
    EXPECT_EQ(of.written(1, "late"), 4000u);
    EXPECT_EQ(of.process(1).end, "exit status 5");
}

TEST_P(ProcessesOfBothWays, MoreThanCanBeRecordedAtOnceAreTold) {
    Processes of;
    of.options.rings = 8;
    of.recordWay(GetParam(), {"many", "40"});
    EXPECT_EQ(of.captured.status, 0);
    const auto& all = of.captured.processes;
    ASSERT_EQ(all.size(), 41u);
    const auto recorded = std::count_if(all.begin(), all.end(), [](const auto& p) { return !p.file.empty(); });
    EXPECT_EQ(recorded, 8);
    EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& p) { return p.why.starts_with("8 processes"); }),
              33);
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_EQ(all[i].depth, 1u);
        if (all[i].file.empty()) continue;
        EXPECT_EQ(of.written(i, "late"), 4000u);
    }
}

TEST_P(ProcessesOfBothWays, RingsAreUsedAgain) {
    // A ring is free a moment after its process has ended, for which the program does not wait.
    std::ptrdiff_t recorded = 0;
    for (std::size_t children = 12; children <= 400 && recorded < 5; children *= 3) {
        Processes of;
        of.options.rings = 3;
        of.recordWay(GetParam(), {"one-by-one", std::to_string(children)});
        const auto& all = of.captured.processes;
        ASSERT_EQ(all.size(), children + 1);
        recorded = std::count_if(all.begin(), all.end(), [](const auto& p) { return !p.file.empty(); });
    }
    EXPECT_GE(recorded, 5);
}

TEST_P(ProcessesOfBothWays, ASignalThatEndsAChildIsTold) {
    Processes of;
    of.recordWay(GetParam(), {"crash"});
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.written(1, "late"), 4000u);
    EXPECT_EQ(of.process(1).end, GetParam().empty() ? "signal SIGSEGV" : "");
}

TEST_P(ProcessesOfBothWays, AFileThatExistsIsNotTouched) {
    Processes of;
    std::ofstream(of.path("out.2.whorl")) << "mine";
    of.recordWay(GetParam(), {"fork"});
    EXPECT_EQ(test::bytesOf(of.path("out.2.whorl")), "mine");
    EXPECT_EQ(of.process(1).file, of.path("out.3.whorl"));
}

TEST_P(ProcessesOfBothWays, WhoeverAsksThemToEndHasAllFiles) {
    Processes of;
    const std::string told = of.path("told");
    of.asked = [&] {
        const bool isThere = std::filesystem::exists(told + ".child") && std::filesystem::exists(told + ".parent");
        return isThere ? SIGTERM : 0;
    };
    of.recordWay(GetParam(), {"endless", told});
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.written(0, "early"), 4000u);
    EXPECT_EQ(of.written(1, "late"), 4000u);
    EXPECT_EQ(of.captured.status, 128 + SIGTERM);
}

/// A program that writes over what tells who its processes are: nothing but its own recording suffers.
TEST_P(ProcessesOfBothWays, WhatTheyWriteIntoThePoolHarmsNobody) {
    for (const char* const how : {"zeros", "ones", "counts", "init", "itself", "circle"}) {
        SCOPED_TRACE(how);
        Processes of;
        of.options.rings = 16;
        of.record({test::compiled("scribbler.cpp", GetParam() + "g++ -O1 -I" + sourceFolder()), how});
        EXPECT_EQ(of.captured.status, 5) << how;
        ASSERT_GE(of.captured.processes.size(), 1u) << how;
        EXPECT_GT(of.written(0, "marks"), 200'000u) << how;
    }
}

TEST_P(ProcessesOfBothWays, SwitchingStopsAllOfThem) {
    Processes of;
    of.options.switches = [] { return 1u; };
    of.options.startOff = true;  // so that the first switch begins the recording
    of.recordWay(GetParam(), {"late-fork"});
    ASSERT_EQ(of.captured.processes.size(), 2u);
    EXPECT_EQ(of.written(1, "block"), 2000u) << "the child goes on as its parent does";
    const auto trace = readTrace(of.process(1).file, {}, of.progress);
    ASSERT_TRUE(trace.has_value());
    EXPECT_EQ(trace->accessesOff(), 0u);
    EXPECT_TRUE(trace->marks().empty()) << "what was switched before is not switched again";
}

TEST(Processes, ThoseOfAShellAreRecordedAsTheyAre) {
    Processes of;
    const std::string program = test::compiled("processes.cpp", "g++ -O1");
    of.record({"/bin/sh", "-c", program + " late; " + program + " fork; exit 7"});
    EXPECT_EQ(of.captured.status, 7);
    // The shell; its child, which becomes the program; another one, and the child that this program makes.
    ASSERT_EQ(of.captured.processes.size(), 6u);
    std::string depths;
    for (const CapturedProcess& p : of.captured.processes) depths += std::to_string(p.depth);
    EXPECT_EQ(depths, "012123");
    EXPECT_EQ(of.process(2).name, program + " late");
    EXPECT_EQ(of.written(2, "late"), 4000u);
    EXPECT_EQ(of.process(4).name, program + " fork");
    EXPECT_EQ(of.written(4, "early"), 4000u);
    EXPECT_EQ(of.written(5, "block"), 2000u);
}

TEST(Processes, WhatWhorlCcDidNotCompileIsTold) {
    Processes of;
    of.recordWay("whorl cc ", {"shell"});
    EXPECT_EQ(of.captured.status, 3);
    ASSERT_EQ(of.captured.processes.size(), 1u + 1u);
    EXPECT_EQ(of.process(1).name, "sh -c exit 3");
    EXPECT_EQ(of.process(1).file, "");
    EXPECT_EQ(of.process(1).why, "whorl cc did not compile it");
}

}  // namespace
}  // namespace whorl::sim
