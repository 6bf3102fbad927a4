// whorl without a subcommand: the window, or without a display a demonstration video.
#include <fmt/format.h>

#include <algorithm>

#include "app/cli/common.h"
#include "app/cli/record.h"
#include "app/cli/scenes.h"
#include "app/session/scene_view.h"
#include "app/session/state_file.h"
#include "app/window/display.h"
#include "app/window/main_loop.h"

namespace whorl::app {

namespace {

struct WindowCommand {
    InputOptions input;
    SceneOptions scene;
    WindowOptions window;
    scene::Ground ground = scene::Ground::dark;
};

constexpr const char* kDemo = "whorl-demo.mp4";

/// Twenty seconds of the input, at a pace that shows many events and yet each of them.
sim::Expected<void> recordDemo(const WindowOptions& options) {
    const OpenRequest& request = options.request;
    auto opened = openWhole(request);
    if (!opened) return tl::unexpected(opened.error());
    sayWarnings(request, opened->run->trace());
    constexpr double kSeconds = 20;
    Session session;
    session.opened = *opened;
    session.ground = options.ground.value_or(scene::Ground::dark);
    if (options.scene) takeView(*options.scene, session);
    const auto size = static_cast<double>(opened->run->trace().size());
    Recording r{.from = options.scene ? std::min(options.scene->at, size) : 0,
                .to = 0,
                .speed = std::clamp(size / kSeconds, 0.5, 12.0),
                .framesPerSecond = 30,
                .path = kDemo};
    r.to = std::min(size, r.from + r.speed * kSeconds);
    return record(r, session);
}

sim::Expected<int> openWindow(WindowCommand& options, const CLI::App& app) {
    auto scene = chosenScene(options.scene, options.input, false);
    if (!scene) return tl::unexpected(scene.error());
    options.window.scene = *std::move(scene);
    if (options.input.input.empty()) options.input.input = "matmul";
    auto request = requestOf(options.input, app);
    if (!request) return tl::unexpected(request.error());
    options.window.request = *request;
    options.window.stateFile = StateFile::usualPath();
    if (!app.get_option("--ground")->empty()) options.window.ground = options.ground;
    std::string why;
    if (displayAvailable(&why)) return runWindow(options.window);
    fmt::print(stderr, "whorl: no window can be opened ({}); recording {} instead\n", why, kDemo);
    auto recorded = recordDemo(options.window);
    if (!recorded) return tl::unexpected(recorded.error());
    fmt::print("{}\n", kDemo);
    return kFine;
}

}  // namespace

void addWindowCommand(CLI::App& app, int& status) {
    auto options = std::make_shared<WindowCommand>();
    addInputOptions(app, options->input, false);
    addSceneOptions(app, options->scene);
    addGroundOption(app, options->ground);
    app.add_flag("--paused", options->window.paused, "wait for Space instead of playing at once");
    app.callback([options, &app, &status] {
        if (!app.get_subcommands().empty()) return;
        const auto shown = openWindow(*options, app);
        status = shown ? *shown : report(shown.error());
    });
}

}  // namespace whorl::app
