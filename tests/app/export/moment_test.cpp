// "This moment as a command line": a shell reads it back, and running it gives the same bytes as the session's frame.
#include "app/commands/moment.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "app/cli/process.h"
#include "app/commands/commands.h"
#include "app/export/offscreen_renderer.h"
#include "app/views/golden.h"
#include "render/scene/rings/view.h"
#include "support/sessions.h"

namespace whorl::app {
namespace {

constexpr glm::ivec2 kSize{480, 320};

/// The words of a command as a shell splits them.
std::vector<std::string> wordsByShell(const std::string& line) {
    std::FILE* const pipe = ::popen(("for w in " + line + "; do printf '%s\\0' \"$w\"; done").c_str(), "r");
    EXPECT_NE(pipe, nullptr);
    std::vector<std::string> words(1);
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
        if (c == 0) {
            words.emplace_back();
        } else {
            words.back() += static_cast<char>(c);
        }
    }
    EXPECT_EQ(::pclose(pipe), 0);
    words.pop_back();
    return words;
}

/// What the command line draws.
std::vector<std::byte> drawnBy(const std::string& line) {
    std::vector<std::string> words = wordsByShell(line);
    const std::string path = testing::TempDir() + "whorl_moment_" + std::to_string(::getpid()) + ".png";
    EXPECT_EQ(words[words.size() - 2], "-o");
    words.back() = path;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    EXPECT_EQ(runCommandLine(static_cast<int>(words.size()), arguments.data()), 0) << line;
    std::vector<std::byte> pixels = readPng(path);
    std::filesystem::remove(path);
    return pixels;
}

Session sessionWith(const OpenRequest& request, const std::vector<std::string>& commands) {
    Session s = sessionFor(request);
    s.panels = false;
    for (const std::string& text : commands) send(s, text);
    s.camera.put(s.camera.target());  // as when the animation is over
    return s;
}

TEST(Moment, RunningTheCommandGivesTheSameBytes) {
    const OpenRequest plain{.input = "matmul:n=8", .machine = "1K/1/32, 4K/4/32", .settings = {}, .reading = {}};
    OpenRequest changed{
        .input = "matmul:n=8,variant=blocked", .machine = "paper", .settings = {"L1.ways=2"}, .reading = {}};
    changed.changes = {*sim::parseLayoutChange("pad:B:64")};
    struct Case {
        OpenRequest request;
        std::vector<std::string> commands;
    };
    const std::array<Case, 7> cases = {
        Case{plain, {"seek 700"}},
        Case{plain, {"seek 333.25", "gauge misses", "gauge-over run"}},
        Case{plain, {"seek 333.25", "gauge temperature", "gauge-over range", "range 100 200"}},
        Case{plain, {"seek 333.25", "ground light", "trails 7", "gauge misses", "gauge-window 50"}},
        Case{plain, {"seek 500", "zoom-at 2.5 0.1 -0.2", "grain elements", "rings capacity", "fill-by-use on"}},
        Case{changed, {"seek 1200.5", "caption on", "scale 1.5", "lapse 30", "reduced-motion on"}},
        Case{plain, {"seek 100", "pace 30", "play", "lecture on", "gauge region", "gauge-region 1"}}};
    for (const auto& [request, commands] : cases) {
        const Session s = sessionWith(request, commands);
        const MomentCommand moment = momentCommandOf(s, kSize);
        EXPECT_TRUE(moment.missing.empty()) << moment.missing.front();
        auto renderer = OffscreenRenderer::create(kSize.x, kSize.y, s.ground, 1);
        ASSERT_TRUE(renderer);
        const double moveTicks = s.player.playing() ? s.player.moveTicks() : scene::View::kAtRest;
        const std::vector<std::byte> shown = (*renderer)->draw(s, moveTicks);
        renderer->reset();
        EXPECT_TRUE(drawnBy(moment.text) == shown) << moment.text;
    }
}

TEST(Moment, SaysWhatItLeavesOut) {
    const Session s = sessionWith({.input = "matmul:n=8", .machine = {}, .settings = {}, .reading = {}},
                                  {"look-up B[3][0]", "watch-selected", "grain fitting"});
    const MomentCommand moment = momentCommandOf(s, kSize);
    EXPECT_EQ(moment.missing,
              (std::vector<std::string>{"elements where they have room", "the selection", "the watched blocks"}));
}

TEST(Moment, AShellReadsEachWordBack) {
    for (const std::string word : {"plain", "", "two words", "it's", "$HOME", "a\"b", "`x`", "*", "new\nline", "-o",
                                   "é→", "\\", "#no", "~", "a;b&c|d", "!x", "{a,b}", "='"}) {
        EXPECT_EQ(wordsByShell(shellWord(word)), std::vector<std::string>{word}) << shellWord(word);
    }
}

}  // namespace
}  // namespace whorl::app
