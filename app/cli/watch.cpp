// whorl watch: a source file is compiled, recorded and shown, and again whenever it is saved.
#include <unistd.h>

#include "app/cli/control_option.h"
#include "app/cli/input_options.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/system/ending.h"
#include "app/system/temporary_folder.h"
#include "app/window/display.h"
#include "sim/machine/host_machine.h"

namespace whorl::app {

namespace {

struct WatchCommand {
    std::string file;
    std::vector<std::string> arguments;  ///< arguments of the program
    std::string compiler;
    std::string machine;
    std::vector<std::string> settings;
    bool paused = false;
    WindowOptions window;  ///< how programs drive it
};

sim::Expected<void> watch(const WatchCommand& options) {
    std::string why;
    if (!displayAvailable(&why)) return sim::fail("", "no window can be opened: " + why);
    const std::string& file = options.file;
    if (access(file.c_str(), R_OK) != 0) return sim::fail(file, "there is no such file, or it cannot be read");
    const TemporaryFolder folder;
    if (auto checked = folder.checked(); !checked) return checked;
    WindowOptions window = options.window;
    window.watch = WatchedSource{
        .file = file, .compiler = options.compiler, .arguments = options.arguments, .folder = folder.path()};
    OpenRequest& request = window.start.request;
    request.machine = options.machine.empty() ? std::string(sim::kHostMachine) : options.machine;
    request.settings = options.settings;
    WHORL_TRY(machineOf(request));
    const auto first = inProgress(
        "recording " + file, [&](sim::Progress& progress) { return compileAndRecord(*window.watch, 1, progress); });
    if (!first) return tl::unexpected(first.error());
    warnOf(first->losses, 0, file);
    window.first = *first;
    request.input = window.first.trace;
    window.start.paused = options.paused;
    return showWindow(window);
}

}  // namespace

void addWatchCommand(OptionParser& program) {
    auto options = std::make_shared<WatchCommand>();
    OptionParser& command =
        program.addCommand("watch", "Compile a source file, record and show it, and again whenever it is saved");
    command.add("SOURCE", options->file, "a source file of C, C++, Rust or Fortran",
                {.required = true, .kind = ValueKind::file});
    command.add("ARGUMENTS", options->arguments, "those of the program, after --", {.kind = ValueKind::argument});
    command.add("--compile", options->compiler,
                "how it is compiled, such as \"g++ -O3 -march=native -g\"; the source and -o OUTPUT are added");
    command.add("-m,--machine", options->machine, "the machine, as for whorl; if not given, this computer's caches",
                {.kind = ValueKind::machine});
    command.add("--set", options->settings, "changes a value of the machine; may be given several times",
                {.kind = ValueKind::setting});
    command.addFlag("--paused", options->paused, "wait for Space instead of playing at once");
    addControlOption(command, options->window);
    command.addExample("Shown anew whenever it is saved", "whorl watch my.c");
    command.addExample("With the options of another compiler", "whorl watch my.cpp --compile \"clang++ -O3 -g\"");
    command.onRun([options] { return watch(*options); });
}

}  // namespace whorl::app
