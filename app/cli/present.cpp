// whorl present: a tour, for an audience.
#include <memory>

#include "app/cli/control_option.h"
#include "app/cli/input_options.h"
#include "app/cli/scenes.h"
#include "app/cli/subcommands.h"
#include "app/cli/view_options.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/window/display.h"
#include "sim/trace/reader.h"

namespace whorl::app {

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
    auto start = tourStart(options.tour, options.sources);
    if (!start) return tl::unexpected(start.error());
    if (!options.scene.empty()) {
        const auto index = WHORL_TRY(sceneIndex(start->tour, options.scene));
        start->scene = index;
    }
    sim::ReadOptions reading;
    reading.sources = policy;
    const TourScene scene = resolvedScene(start->tour, start->scene);
    const SceneRuns runs = runsOf(scene, reading);
    WindowOptions window = options.window;
    window.start.request = runs.first;
    if (runs.second) window.start.compared = {*runs.second};
    window.start.lock = scene.lock;
    window.start.tour = *std::move(start);
    window.start.presents = true;
    window.start.speaker = options.speaker;
    return window;
}

sim::Expected<void> present(const PresentOptions& options, const OptionParser& command) {
    auto window = talkOf(options);
    if (!window) return tl::unexpected(window.error());
    if (command.given("--ground")) window->start.ground = options.look.ground;
    std::string why;
    if (displayAvailable(&why)) return showWindow(*window);
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
