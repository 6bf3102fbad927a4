// ffmpeg as a process: what it says, how it ends, whether it goes on. Programs that behave in all ways stand in for it.
#include "app/export/video.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/folder.h"

namespace whorl::app {
namespace {

constexpr std::chrono::milliseconds kPatience{500};

/// While one exists, "ffmpeg" is this shell script.
class StandIn {
  public:
    explicit StandIn(const std::string& script) : path_(std::getenv("PATH")) {
        chmod(folder_.put("ffmpeg", "#!/bin/sh\n" + script + "\n").c_str(), 0755);
        std::signal(SIGPIPE, SIG_IGN);  // as the program does
        setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
    }
    ~StandIn() { setenv("PATH", path_.c_str(), 1); }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

  private:
    sim::test::Folder folder_;
    std::string path_;
};

/// Feeds a number of bytes to it; the error's sentence, or nothing.
std::string fed(std::size_t bytes, sim::Progress& progress) {
    auto process = Ffmpeg::start({}, "x.mp4", progress, kPatience);
    if (!process) return process.error().sentence();
    const std::vector<std::byte> all(bytes);
    if (auto written = (*process)->write(all); !written) return written.error().sentence();
    const auto finished = (*process)->finish();
    return finished ? "" : finished.error().sentence();
}

std::string fed(std::size_t bytes) {
    sim::Progress progress;
    return fed(bytes, progress);
}

constexpr std::size_t kFew = 1000;
constexpr std::size_t kMany = 10'000'000;  ///< more than a pipe holds

TEST(Ffmpeg, ThatTakesEverythingIsNoError) {
    const StandIn standIn("cat > /dev/null");
    EXPECT_EQ(fed(kMany), "");
}

TEST(Ffmpeg, MayTalkAsMuchAsItLikes) {
    const StandIn before("head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; cat > /dev/null");
    EXPECT_EQ(fed(kMany), "");
    const StandIn after("cat > /dev/null; head -c 1000000 /dev/zero | tr '\\0' 'x' >&2");
    EXPECT_EQ(fed(kMany), "");
}

TEST(Ffmpeg, TellsWhyItGaveUp) {
    const StandIn standIn("echo 'No space left' >&2; head -c 1000000 /dev/zero | tr '\\0' 'x' >&2; exit 1");
    for (const std::size_t bytes : {kFew, kMany}) {
        const std::string said = fed(bytes);
        EXPECT_TRUE(said.starts_with("x.mp4: could not be recorded: ffmpeg ended early with status 1: No space left"));
        EXPECT_LT(said.size(), 600U);  // and not all of it
    }
}

TEST(Ffmpeg, ThatEndsBeforeTheLastFrameIsAnErrorEvenIfItIsContent) {
    const StandIn standIn("exit 0");
    EXPECT_EQ(fed(kMany), "x.mp4: could not be recorded: ffmpeg ended early with status 0");
}

TEST(Ffmpeg, ThatIsKilledSaysSo) {
    const StandIn standIn("kill -9 $$");
    EXPECT_EQ(fed(kMany), "x.mp4: could not be recorded: ffmpeg was ended by signal 9 (Killed)");
}

TEST(Ffmpeg, ThatStandsStillIsGivenUp) {
    const StandIn atWork("sleep 100");
    EXPECT_EQ(fed(kMany), "x.mp4: could not be recorded: ffmpeg has done nothing for 0.5 seconds");
    const StandIn atTheEnd("cat > /dev/null; sleep 100");
    EXPECT_EQ(fed(kMany), "x.mp4: could not be recorded: ffmpeg has done nothing for 0.5 seconds");
}

TEST(Ffmpeg, ThatComputesDoesNotStandStill) {
    const StandIn standIn(
        "cat > /dev/null; end=$(($(date +%s%N) + 1200000000)); while [ $(date +%s%N) -lt $end ]; do i=0; "
        "while [ $i -lt 3000 ]; do i=$((i + 1)); done; done");
    EXPECT_EQ(fed(kFew), "");
}

TEST(Ffmpeg, IsStoppedWithTheRecording) {
    const StandIn standIn("sleep 100");
    sim::Progress progress;
    std::thread user([&progress] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        progress.cancel();
    });
    EXPECT_EQ(fed(kMany, progress), sim::Error::byUser().sentence());
    user.join();
}

TEST(Ffmpeg, ThatIsNotInstalledIsNamed) {
    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nonexistent", 1);
    EXPECT_NE(fed(kFew).find("install the package ffmpeg"), std::string::npos);
    setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace whorl::app
