// whorl without a subcommand: the window, or a demonstration video if there is no display.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/input_options.h"
#include "app/cli/record.h"
#include "app/cli/scenes.h"
#include "app/cli/subcommands.h"
#include "app/cli/view_options.h"
#include "app/session/state_file.h"
#include "app/session/transitions.h"
#include "app/window/display.h"
#include "app/window/run_window.h"

namespace whorl::app {

namespace {

struct WindowCommand {
    InputOptions input;
    SceneOptions scene;
    WindowOptions window;
    scene::Ground ground = scene::Ground::dark;
};

constexpr const char* kDemo = "whorl-demo.mp4";

/// Twenty seconds of the input, at a speed that shows many events but keeps each visible.
sim::Expected<void> recordDemo(const SessionStart& options) {
    const OpenRequest& request = options.request;
    auto opened = openWhole(request);
    if (!opened) return tl::unexpected(opened.error());
    sayWarnings(request, opened->run->trace());
    constexpr double kSeconds = 20;
    Session session;
    session.opened = *opened;
    session.ground = options.ground.value_or(scene::Ground::dark);
    if (options.scene) applySceneView(session, *options.scene);
    const auto size = static_cast<double>(opened->run->trace().size());
    Recording r{.from = options.scene ? std::min(options.scene->at, size) : 0,
                .to = 0,
                .speed = std::clamp(size / kSeconds, 0.5, 12.0),
                .framesPerSecond = 30,
                .path = kDemo};
    r.to = std::min(size, r.from + r.speed * kSeconds);
    return record(r, session);
}

sim::Expected<void> openWindow(WindowCommand& options, const OptionParser& program) {
    auto scene = chosenScene(options.scene, options.input, false);
    if (!scene) return tl::unexpected(scene.error());
    options.window.start.scene = *std::move(scene);
    if (options.input.input.empty()) options.input.input = "matmul";
    auto request = requestOf(options.input, program);
    if (!request) return tl::unexpected(request.error());
    options.window.start.request = *request;
    options.window.stateFile = StateFile::usualPath();
    if (program.given("--ground")) options.window.start.ground = options.ground;
    std::string why;
    if (displayAvailable(&why)) return runWindow(options.window).map([](int) {});
    fmt::print(stderr, "whorl: no window can be opened ({}); recording {} instead\n", why, kDemo);
    auto recorded = recordDemo(options.window.start);
    if (!recorded) return tl::unexpected(recorded.error());
    fmt::print("{}\n", kDemo);
    return {};
}

}  // namespace

void addWindowCommand(OptionParser& program) {
    auto options = std::make_shared<WindowCommand>();
    addInputOptions(program, options->input, false);
    addSceneOptions(program, options->scene);
    addGroundOption(program, options->ground);
    program.addFlag("--paused", options->window.start.paused, "wait for Space instead of playing at once");
    program.onRun([options, &program] { return openWindow(*options, program); });
}

}  // namespace whorl::app
