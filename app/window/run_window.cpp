#include "app/window/run_window.h"

#include <cstdio>

#include "app/tasks/ending.h"
#include "app/tasks/thread_pool.h"
#include "app/window/display.h"

namespace whorl::app {

sim::Expected<void> runWindow(const WindowOptions& options) {
    auto window = Window::open({.title = "Whorl", .width = 1280, .height = 800});
    if (!window) return tl::unexpected(window.error());
    auto renderer = ViewRenderer::create();
    if (!renderer) return tl::unexpected(renderer.error());
    ThreadPool pool;
    MainLoop loop(options, **window, **renderer, pool);
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
