// whorl without a subcommand: the window, or a demonstration video if there is no display.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/cli/control_option.h"
#include "app/cli/input_options.h"
#include "app/cli/record.h"
#include "app/cli/scenes.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/view_options.h"
#include "app/cli/with_options.h"
#include "app/session/transitions.h"
#include "app/tours/running.h"
#include "app/window/display.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

struct WindowCommand {
    InputOptions input;
    SceneOptions scene;
    WindowOptions window;
    Look look;
    WithOptions with;
};

/// A name that is free for the demonstration.
std::string demoName() {
    std::string name = "whorl-demo.mp4";
    std::error_code unknown;
    for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(name, unknown)); ++i) {
        name = fmt::format("whorl-demo-{}.mp4", i);
    }
    return name;
}

/// Records twenty seconds of the built-in program, at a speed that shows many events but keeps each visible.
sim::Expected<void> recordDemo(const SessionStart& options, const std::string& path) {
    const OpenRequest& request = options.request;
    auto opened = openWhole(request);
    if (!opened) return tl::unexpected(opened.error());
    sayWarnings(request, opened->run->trace());
    constexpr double kSeconds = 20;
    Session session;
    session.opened = *opened;
    session.ground = options.ground.value_or(scene::Ground::dark);
    const auto size = static_cast<double>(opened->run->trace().size());
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
    auto scene = chosenScene(options.scene, options.input, false);
    if (!scene) return tl::unexpected(scene.error());
    if (*scene) takeSecond(options.with, (*scene)->scene, program);
    if (*scene) options.window.start.tour = (*std::move(scene))->start;
    const InputOptions& given = options.input;
    const bool nothingSaid = given.input.empty() && given.machine.empty() && given.settings.empty() &&
                             options.with.input.empty() && options.with.machine.empty() &&
                             options.window.control.empty();
    if (options.input.input.empty()) options.input.input = "matmul";
    if (auto checked = checkInput(options.input.input, program); !checked) return checked;
    auto request = requestOf(options.input, program);
    if (!request) return tl::unexpected(request.error());
    auto second = secondOf(options.with, *request);
    if (!second) return tl::unexpected(second.error());
    if (*second) options.window.start.compared = {**std::move(second)};
    options.window.start.lock = options.with.lock;
    options.window.start.request = *request;
    options.window.start.welcomes = nothingSaid && !options.window.start.tour;
    if (program.given("--ground")) options.window.start.ground = options.look.ground;
    std::string why;
    if (displayAvailable(&why)) return showWindow(options.window);
    if (!nothingSaid) {
        return sim::fail("", fmt::format("no window can be opened: {}", why),
                         fmt::format("for a film, use whorl record {0} -o film.mp4; for a picture, whorl frame {0} -o "
                                     "picture.png",
                                     request->input));
    }
    const std::string demo = demoName();
    fmt::print(stderr, "whorl: no window can be opened ({}); recording {} instead\n", why, demo);
    if (auto recorded = recordDemo(options.window.start, demo); !recorded) return recorded;
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
    addControlOption(program, options->window);
    program.addExample("The built-in matrix multiply, playing", "whorl");
    program.addExample("A conflict, on a machine of your own", "whorl conflict --machine \"1K/1/32, 4K/4/32\"");
    program.addExample("A loop of your own", "whorl 'pattern:for i in 0..16 { for j in 0..16 { read A[j][i] } }'");
    program.addExample("A scene that is worth showing, of those that whorl scenes lists", "whorl --scene fig1a");
    program.addExample("Two ways of one computation, side by side",
                       "whorl matmul:n=16 --with matmul:n=16,variant=blocked --lock share");
    program.onRun([options, &program] { return openWindow(*options, program); });
}

}  // namespace whorl::app
