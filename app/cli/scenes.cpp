// whorl scenes: lists the available scenes.
#include "app/cli/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/session/transitions.h"

namespace whorl::app {

namespace {

struct ScenesOptions {
    std::string tour = kStandardTour;
    std::vector<std::string> sources;
};

sim::Expected<void> listScenes(const ScenesOptions& options) {
    if (auto checked = sim::checkedSources({.folders = options.sources}); !checked) return checked;
    const std::string& words = options.tour;
    const auto tour = tourFrom(words, options.sources);
    if (!tour) return tl::unexpected(tour.error());
    std::string text;
    const auto out = std::back_inserter(text);
    if (!tour->title.empty()) fmt::format_to(out, "{}\n", tour->title);
    if (!tour->source.empty()) fmt::format_to(out, "{}\n", tour->source);
    for (const TourScene& scene : tour->scenes) {
        fmt::format_to(out, "\n{}: {}\n  {}\n", scene.id, scene.title, scene.words);
        const std::string machine = scene.machine.empty() ? "" : " on " + scene.machine;
        std::string beside;
        if (scene.isPair()) beside = " beside " + (scene.with.empty() ? scene.input : scene.with);
        if (!scene.withMachine.empty()) beside += " on " + scene.withMachine;
        fmt::format_to(out, "  {}{}{} at {:g}\n", scene.input, machine, beside, scene.at);
    }
    const bool own = words != kStandardTour;
    const std::string option = (own ? "--tour " + words + " " : "") + "--scene " + tour->scenes.front().id;
    fmt::format_to(out, "\nUse them in place of an input:\n  whorl {0}\n  whorl frame {0} -o scene.png\n", option);
    return writeText(text, "-");
}

}  // namespace

void addSceneOptions(OptionParser& command, SceneOptions& options) {
    command.add("--scene", options.scene, "a scene of a tour in place of an input: see whorl scenes");
    command.add("--tour", options.tour, "the JSON file of the tour that the scene is from");
}

sim::Expected<std::optional<TourScene>> chosenScene(const SceneOptions& options, InputOptions& input, bool needed) {
    if (options.scene.empty()) {
        if (!options.tour.empty()) return sim::fail("", "--tour needs a scene", "name one with --scene");
        if (needed && input.input.empty()) {
            return sim::fail("", "an INPUT or a --scene is required", "see --help, and whorl scenes");
        }
        return std::nullopt;
    }
    if (!input.input.empty()) {
        return sim::fail("",
                         fmt::format("both the input {} and the scene {} are given", fmt::format("\"{}\"", input.input),
                                     options.scene),
                         "leave one of them out");
    }
    if (auto checked = sim::checkedSources({.folders = input.sources}); !checked) {
        return tl::unexpected(checked.error());
    }
    const auto tour = tourFrom(options.tour.empty() ? kStandardTour : options.tour, input.sources);
    if (!tour) return tl::unexpected(tour.error());
    auto scene = sceneNamed(*tour, options.scene);
    if (!scene) return tl::unexpected(scene.error());
    input.input = scene->input;
    if (input.machine.empty()) input.machine = scene->machine;
    return *std::move(scene);
}

void applySceneView(Session& session, const TourScene& scene, const OptionParser& command) {
    Session wished = session;
    applySceneView(wished, scene);
    session.overlays.caption = true;
    if (!command.given("--trails")) session.trails = wished.trails;
    if (!command.given("--lapse")) session.lapse = wished.lapse;
    if (!command.given("--elements")) session.look.grain = wished.look.grain;
}

void takeSecond(WithOptions& options, const TourScene& scene, const OptionParser& command) {
    if (!scene.isPair() || !options.input.empty() || !options.machine.empty()) return;
    options.input = scene.with;
    options.machine = scene.withMachine;
    if (!command.given("--lock")) options.lock = scene.lock;
}

void addScenesCommand(OptionParser& program) {
    auto options = std::make_shared<ScenesOptions>();
    OptionParser& command = program.addCommand(
        "scenes", "List the scenes of a tour: rings, the figures of the paper on rings, memory, or one of your own");
    command.add("TOUR", options->tour, "rings, memory, or the JSON file of another tour");
    command.add("--sources", options->sources,
                "a folder with files that the tour names, besides its own; may be given several times");
    command.onRun([options] { return listScenes(*options); });
}

}  // namespace whorl::app
