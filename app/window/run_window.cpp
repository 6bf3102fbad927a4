#include "app/window/run_window.h"

#include <cmath>
#include <cstdio>

#include "app/session/state_file.h"
#include "app/tasks/ending.h"
#include "app/tasks/thread_pool.h"
#include "app/window/display.h"

namespace whorl::app {

namespace {

/// As large as the interface, on this display.
Window::Options scaled(Window::Options options) {
    const float scale = displayScale();
    for (int* pixels : {&options.width, &options.height, &options.minimumWidth, &options.minimumHeight}) {
        *pixels = static_cast<int>(std::lround(scale * static_cast<float>(*pixels)));
    }
    return options;
}

/// As the settings say, if they do. What is wrong with them is told by whoever reads all of them.
Window::Options placed(Window::Options options, const std::string& stateFile) {
    Session saved;
    if (const auto loaded = StateFile(stateFile).load(saved); !loaded || !saved.place) return options;
    options.width = saved.place->width;
    options.height = saved.place->height;
    options.at = {saved.place->x, saved.place->y};
    return options;
}

}  // namespace

sim::Expected<void> runWindow(const WindowOptions& options) {
    // First: while it is made there is no other thread, see LineServer::open().
    std::unique_ptr<LineServer> control;
    if (!options.control.empty()) {
        auto opened = LineServer::open(options.control);
        if (!opened) return tl::unexpected(opened.error());
        control = *std::move(opened);
    }
    auto window = Window::open(placed(scaled({.title = "Whorl", .width = 1280, .height = 800}), options.stateFile));
    if (!window) return tl::unexpected(window.error());
    auto renderer = WHORL_TRY(ViewRenderer::create());
    ThreadPool pool;
    MainLoop loop(options, **window, *renderer, pool, std::move(control));
    const DisplayLoss loss([&loop] {
        const auto finished = loop.finish();
        std::fprintf(stderr, "whorl: the connection to the display is lost; %s\n",
                     finished ? "the settings are saved" : finished.error().sentence().c_str());
    });
    const EndsInOrder inOrder;
    while (loop.running() && askedToEnd() == 0) loop.frame();
    if (auto finished = loop.finish(); !finished) return finished;
    if (askedToEnd() != 0) return tl::unexpected(sim::Error::byUser());
    return {};
}

}  // namespace whorl::app
