#include "app/cli/show_window.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

#include "app/commands/file_commands.h"
#include "app/export/png.h"
#include "app/session/state_file.h"
#include "app/system/ending.h"
#include "app/system/threads.h"
#include "app/tasks/files.h"
#include "app/window/display.h"
#include "sim/base/error.h"

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

/// Takes size and position from the saved settings, if they have them. Ignores faults, which the main reader of the
/// settings reports.
Window::Options placed(Window::Options options, const std::string& stateFile) {
    Session saved;
    if (const auto loaded = StateFile(stateFile).load(saved); !loaded || !saved.place) return options;
    options.width = saved.place->width;
    options.height = saved.place->height;
    options.at = {saved.place->x, saved.place->y};
    return options;
}

/// Opens a window and runs until it is closed, or a signal asks to end. Needs a display; when that is lost, the
/// settings are saved and the program ends with an error.
sim::Expected<void> runWindow(const WindowOptions& options) {
    // First: while it is made there is no other thread, see LineServer::open().
    std::unique_ptr<LineServer> control;
    if (!options.control.empty()) control = WHORL_TRY(LineServer::open(options.control));
    auto window =
        WHORL_TRY(Window::open(placed(scaled({.title = "Whorl", .width = 1280, .height = 800}), options.stateFile)));
    auto renderer = WHORL_TRY(ViewRenderer::create());
    ThreadPool pool;
    MainLoop loop(options, *window, *renderer, pool, std::move(control));
    const DisplayLoss loss([&loop] {
        const auto finished = loop.finish();
        std::fprintf(stderr, "whorl: the connection to the display is lost; %s\n",
                     finished ? "the settings are saved" : finished.error().sentence().c_str());
    });
    const EndsInOrder inOrder;
    while (loop.running() && askedToEnd() == 0) loop.frame();
    WHORL_TRY(loop.finish());
    if (askedToEnd() != 0) return tl::unexpected(sim::Error::byUser());
    return {};
}

/// Writes RGBA pixels, rows from the top, into a file that did not exist before in the current folder: "NAME.png", or
/// "NAME-2.png" if that is there, and so on. Returns its name.
sim::Expected<std::string> saveNewPicture(const std::string& name, int width, int height,
                                          std::span<const std::byte> rgba) {
    std::string path = newName(name, ".png");
    return writePng(path, width, height, rgba).map([&] { return path; });
}

}  // namespace

void addControlOption(OptionParser& command, WindowOptions& window) {
    command.add("--control", window.control,
                "create this Unix-domain socket, through which other programs drive the window: a command a line, and "
                "an answer to each",
                {.kind = ValueKind::output});
    command.add("--editor", window.start.editor,
                "the command that opens a source line: \"code -g {file}:{line}\"; it is kept");
}

sim::Expected<void> showWindow(WindowOptions window) {
    if (!window.start.editor.empty()) WHORL_TRY(checkEditor(window.start.editor));
    window.stateFile = StateFile::usualPath();
    window.savePicture = saveNewPicture;
    window.savePictureAs = [](const std::string& file, int width, int height, PixelSpan pixels) {
        return writePng(file, width, height, pixels);
    };
    return runWindow(window);
}

}  // namespace whorl::app
