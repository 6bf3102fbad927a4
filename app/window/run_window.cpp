#include "app/window/run_window.h"

#include "app/tasks/thread_pool.h"

namespace whorl::app {

sim::Expected<int> runWindow(const WindowOptions& options) {
    auto window = Window::open({.title = "Whorl", .width = 1280, .height = 800});
    if (!window) return tl::unexpected(window.error());
    auto renderer = ViewRenderer::create();
    if (!renderer) return tl::unexpected(renderer.error());
    ThreadPool pool;
    MainLoop loop(options, **window, **renderer, pool);
    while (loop.running()) loop.frame();
    if (const auto finished = loop.finish(); !finished) return tl::unexpected(finished.error());
    return 0;
}

}  // namespace whorl::app
