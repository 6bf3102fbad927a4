// The commands that open the window.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "app/cli/input_options.h"
#include "app/cli/record.h"
#include "app/cli/scenes.h"
#include "app/cli/show_window.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/view_options.h"
#include "app/session/layouts.h"
#include "app/session/transitions.h"
#include "app/system/child_process.h"
#include "app/system/ending.h"
#include "app/tasks/files.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/window/display.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/machine/host_machine.h"
#include "sim/programs/program.h"
#include "sim/trace/reader.h"

namespace whorl::app {

// whorl without a subcommand: the window, or a demonstration video if there is no display.

namespace {

struct WindowCommand {
    InputOptions input;
    SceneOptions scene;
    WindowOptions window;
    Look look;
    WithOptions with;
};

std::vector<std::string> layoutNames() {
    std::vector<std::string> names;
    for (const Layout& layout : shippedLayouts()) names.push_back(layout.name);
    return names;
}

/// Records twenty seconds of the built-in program, at a speed that shows many events but keeps each visible.
sim::Expected<void> recordDemo(const SessionStart& options, const std::string& path) {
    const OpenRequest& request = options.request;
    auto opened = WHORL_TRY(openWhole(request));
    sayWarnings(request, opened.run->trace());
    constexpr double kSeconds = 20;
    Session session;
    session.opened = opened;
    session.ground = options.ground.value_or(scene::Ground::dark);
    const auto size = static_cast<double>(opened.run->trace().size());
    Recording r{
        .from = 0, .to = 0, .speed = std::clamp(size / kSeconds, 0.5, 12.0), .framesPerSecond = 30, .path = path};
    r.to = std::min(size, r.speed * kSeconds);
    return record(r, session);
}

/// Fails if the input is neither a file nor a built-in program, but perhaps a mistyped subcommand.
sim::Expected<void> checkInput(const std::string& input, const OptionParser& program) {
    if (!namesProgram(input)) {
        std::error_code unknown;
        if (input == "-" || std::filesystem::exists(input, unknown)) return {};
        return sim::fail(input, "there is no such file");
    }
    std::vector<std::string> names = program.commandNames();
    for (const sim::Program& known : sim::programs()) names.push_back(known.name);
    const std::string word = input.substr(0, input.find(':'));
    const std::string* const nearest = sim::nearestName(word, names);
    if (sim::programNamed(word) == nullptr && nearest != nullptr && sim::programNamed(*nearest) == nullptr) {
        return sim::fail("", fmt::format("there is no subcommand {}", sim::quotedText(word)),
                         fmt::format("did you mean whorl {}? see whorl --help", *nearest));
    }
    return sim::parseProgramSpec(input).map([](const sim::ProgramSpec&) {});
}

sim::Expected<void> openWindow(WindowCommand& options, const OptionParser& program) {
    auto scene = WHORL_TRY(chosenScene(options.scene, options.input, false));
    if (scene) takeSecond(options.with, scene->scene, program);
    if (scene) options.window.start.tour = std::move(scene->start);
    const InputOptions& given = options.input;
    const bool nothingSaid = given.input.empty() && given.machine.empty() && given.settings.empty() &&
                             options.with.input.empty() && options.with.machine.empty() &&
                             options.window.control.empty();
    if (options.input.input.empty()) options.input.input = "matmul";
    WHORL_TRY(checkInput(options.input.input, program));
    auto request = WHORL_TRY(requestOf(options.input, program));
    auto second = WHORL_TRY(secondOf(options.with, request));
    if (second) options.window.start.compared = {*std::move(second)};
    options.window.start.lock = options.with.lock;
    options.window.start.request = request;
    options.window.start.welcomes = nothingSaid && !options.window.start.tour;
    if (program.given("--ground")) options.window.start.ground = options.look.ground;
    std::string why;
    if (displayAvailable(&why)) return showWindow(options.window);
    if (!nothingSaid) {
        return sim::fail("", fmt::format("no window can be opened: {}", why),
                         fmt::format("for a film, use whorl record {0} -o film.mp4; for a picture, whorl frame {0} -o "
                                     "picture.png",
                                     request.input));
    }
    const std::string demo = newName("whorl-demo", ".mp4");
    fmt::print(stderr, "whorl: no window can be opened ({}); recording {} instead\n", why, demo);
    WHORL_TRY(recordDemo(options.window.start, demo));
    return sim::writeText(demo + "\n", "-");
}

}  // namespace

void addWindowCommand(OptionParser& program) {
    auto options = std::make_shared<WindowCommand>();
    addInputOptions(program, options->input, false);
    addSceneOptions(program, options->scene);
    addWithOptions(program, options->with);
    addLockOption(program, options->with);
    addSettingOption(program, settingNamed("ground"), options->look);
    program.addFlag("--paused", options->window.start.paused, "wait for Space instead of playing at once");
    program.add(
        "--layout", options->window.start.layout,
        "begin with this layout: lecture, \"find my misses\", sharing, \"memory map\", film, or one of your own",
        {.among = layoutNames()});
    addControlOption(program, options->window);
    program.addExample("The built-in matrix multiply, playing", "whorl");
    program.addExample("A conflict, on a machine of your own", "whorl conflict --machine \"1K/1/32, 4K/4/32\"");
    program.addExample("A loop of your own", "whorl 'pattern:for i in 0..16 { for j in 0..16 { read A[j][i] } }'");
    program.addExample("A scene, one of those that whorl scenes lists", "whorl --scene fig1a");
    program.addExample("Two ways of one computation, side by side",
                       "whorl matmul:n=16 --with matmul:n=16,variant=blocked --lock share");
    program.onRun([options, &program] { return openWindow(*options, program); });
}

// whorl watch: a source file is compiled, recorded and shown, and again whenever it is saved.

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
    WHORL_TRY(folder.checked());
    WindowOptions window = options.window;
    window.watch = WatchedSource{
        .file = file, .compiler = options.compiler, .arguments = options.arguments, .folder = folder.path()};
    OpenRequest& request = window.start.request;
    request.machine = options.machine.empty() ? std::string(sim::kHostMachine) : options.machine;
    request.settings = options.settings;
    WHORL_TRY(machineOf(request));
    const auto first = WHORL_TRY(inProgress(
        "recording " + file, [&](sim::Progress& progress) { return compileAndRecord(*window.watch, 1, progress); }));
    warnOf(first.losses, 0, file);
    window.first = first;
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
    command.add("ARGUMENTS", options->arguments, "the arguments of the program, after --",
                {.kind = ValueKind::argument});
    command.add("--compile", options->compiler,
                "how it is compiled, such as \"g++ -O3 -march=native -g\"; the source and -o OUTPUT are added");
    command.add("-m,--machine", options->machine, "the machine, as for whorl; if not given, this computer's caches",
                {.kind = ValueKind::machine});
    command.add("--set", options->settings, "changes a value of the machine; may be given several times",
                {.kind = ValueKind::setting});
    command.addFlag("--paused", options->paused, "wait for Space instead of playing at once");
    addControlOption(command, options->window);
    command.addExample("A source file, shown again whenever it is saved", "whorl watch my.c");
    command.addExample("With the options of another compiler", "whorl watch my.cpp --compile \"clang++ -O3 -g\"");
    command.onRun([options] { return watch(*options); });
}

// whorl present: a tour, for an audience.

namespace {

struct PresentOptions {
    std::string tour = kStandardTour;
    std::string scene;
    std::vector<std::string> sources;
    Look look;
    bool speaker = false;
    WindowOptions window;  ///< how programs drive it
};

sim::Expected<WindowOptions> talkOf(const PresentOptions& options) {
    const sim::SourcePolicy policy{.folders = options.sources};
    WHORL_TRY(sim::checkedSources(policy));
    auto start = WHORL_TRY(tourStart(options.tour, options.sources));
    if (!options.scene.empty()) {
        const auto index = WHORL_TRY(sceneIndex(start.tour, options.scene));
        start.scene = index;
    }
    sim::ReadOptions reading;
    reading.sources = policy;
    const TourScene scene = resolvedScene(start.tour, start.scene);
    const SceneRuns runs = runsOf(scene, reading);
    WindowOptions window = options.window;
    window.start.request = runs.first;
    if (runs.second) window.start.compared = {*runs.second};
    window.start.lock = scene.lock;
    window.start.tour = std::move(start);
    window.start.presents = true;
    window.start.speaker = options.speaker;
    return window;
}

sim::Expected<void> present(const PresentOptions& options, const OptionParser& command) {
    auto window = WHORL_TRY(talkOf(options));
    if (command.given("--ground")) window.start.ground = options.look.ground;
    std::string why;
    if (displayAvailable(&why)) return showWindow(std::move(window));
    return sim::fail("", "no window can be opened: " + why,
                     "for a film of the tour, use whorl record --tour " + options.tour + " -o film.mp4");
}

}  // namespace

void addPresentCommand(OptionParser& program) {
    auto options = std::make_shared<PresentOptions>();
    OptionParser& command =
        program.addCommand("present", "Show a tour to an audience: the picture and its words on the whole screen");
    command.add("TOUR", options->tour, "a built-in tour, or the JSON file of another", {.kind = ValueKind::tour});
    command.add("--scene", options->scene, "the scene to begin with", {.kind = ValueKind::scene});
    command.addFlag("--speaker", options->speaker,
                    "open the speaker's window too: notes, what comes next, and the clock");
    command.add("--sources", options->sources,
                "a folder with files that the tour names, besides its own; may be given several times",
                {.kind = ValueKind::folder});
    addSettingOption(command, settingNamed("ground"), options->look);
    addControlOption(command, options->window);
    command.addExample("A built-in tour; PageDown, Space or a clicker go on, F1 lists the keys", "whorl present rings");
    command.addExample("Your own, with notes in a second window", "whorl present lecture.tour.json --speaker");
    command.onRun([options, &command] { return present(*options, command); });
}

}  // namespace whorl::app
