// whorl scenes: lists the available scenes.
#include "app/cli/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/session/settings.h"
#include "app/tours/presenting.h"
#include "app/tours/scene_in_run.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/byte_sink.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

struct ScenesOptions {
    std::string tour = kStandardTour;
    std::vector<std::string> sources;
};

/// "arrayinit:n=64 on 256/8/32, L1.write=through".
std::string inWords(const OpenRequest& run) {
    std::string words = nameOfInput(run.input);
    if (!run.machine.empty()) words += " on " + run.machine;
    for (const std::string& setting : run.settings) words += ", " + setting;
    return words;
}

sim::Expected<void> listScenes(const ScenesOptions& options) {
    WHORL_TRY(sim::checkedSources({.folders = options.sources}));
    const std::string& words = options.tour;
    const auto tour = WHORL_TRY(tourFrom(words, options.sources));
    std::string text;
    const auto out = std::back_inserter(text);
    if (!tour.title.empty()) fmt::format_to(out, "{}\n", tour.title);
    for (const std::string& line : {tour.author, tour.source}) {
        if (!line.empty()) fmt::format_to(out, "{}\n", line);
    }
    for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
        const TourScene scene = withExpressions(resolvedScene(tour, i));
        fmt::format_to(out, "\n{}: {}\n  {}\n", scene.id, scene.title, scene.words);
        const SceneRuns runs = runsOf(scene, {});
        const std::string beside = runs.second ? " beside " + inWords(*runs.second) : "";
        const std::string to = scene.range ? fmt::format(" to {:g}", scene.end()) : "";
        fmt::format_to(out, "  {}{} at {:g}{}\n", inWords(runs.first), beside, scene.position(), to);
    }
    const bool own = words != kStandardTour;
    const std::string option = (own ? "--tour " + words + " " : "") + "--scene " + tour.scenes.front().id;
    fmt::format_to(out, "\nUse them in place of an input:\n  whorl {0}\n  whorl frame {0} -o scene.png\n", option);
    return sim::writeText(text, "-");
}

/// Whether the options select a scene; fails if they contradict each other.
sim::Expected<bool> namesScene(const SceneOptions& options, const InputOptions& input, bool needed) {
    const bool isTour = namesTourFile(input.input);
    if (isTour && !options.tour.empty()) {
        return sim::fail("", fmt::format("both {} and --tour name a tour", input.input), "leave one of them out");
    }
    if (isTour) return true;
    const bool isScene = !options.scene.empty() || !options.tour.empty();
    if (!isScene && needed && input.input.empty()) {
        return sim::fail("", "an INPUT or a --scene is required", "see --help, and whorl scenes");
    }
    if (isScene && !input.input.empty()) {
        return sim::fail("",
                         fmt::format("both the input {} and the {} are given", sim::quotedText(input.input),
                                     options.scene.empty() ? "tour " + options.tour : "scene " + options.scene),
                         "leave one of them out");
    }
    return isScene;
}

}  // namespace

void addSceneOptions(OptionParser& command, SceneOptions& options) {
    command.add("--scene", options.scene, "a scene of a tour in place of an input: see whorl scenes",
                {.kind = ValueKind::scene});
    command.add("--tour", options.tour, "the JSON file of the tour that the scene is from", {.kind = ValueKind::tour});
}

sim::Expected<std::optional<ChosenScene>> chosenScene(const SceneOptions& options, InputOptions& input, bool needed) {
    const auto isNamed = WHORL_TRY(namesScene(options, input, needed));
    if (!isNamed) return std::nullopt;
    WHORL_TRY(sim::checkedSources({.folders = input.sources}));
    auto start = WHORL_TRY(tourStart(tourWords(input.input, options.tour), input.sources));
    if (!options.scene.empty()) start.scene = WHORL_TRY(sceneIndex(start.tour, options.scene));
    ChosenScene chosen{.start = std::move(start), .scene = {}};
    chosen.scene = resolvedScene(chosen.start.tour, chosen.start.scene);
    input.input = chosen.scene.input;
    if (input.order == sim::AccessOrder::automatic) input.order = chosen.scene.order;
    if (input.machine.empty()) {
        input.machine = chosen.scene.machine;
        input.settings.insert(input.settings.begin(), chosen.scene.settings.begin(), chosen.scene.settings.end());
    }
    return chosen;
}

void applySceneView(Session& session, const TourScene& scene, const OptionParser& command) {
    Session wished = session;
    applySceneView(wished, scene);
    session.caption = true;
    for (const Setting& setting : settings()) {
        if (setting.field.empty() || command.given(std::string(setting.option.name))) continue;
        setting.value.set(session, setting.value.get(wished));
    }
}

sim::Expected<TourScene> saidIn(const Session& session, const TourScene& scene) {
    const auto runs = runsShown(session, scene);
    if (!runs || !hasBraces(scene)) return withGaps(scene);
    const auto said = WHORL_TRY(
        inProgress("counting for the words", [&](sim::Progress& progress) { return inWords(scene, *runs, progress); }));
    for (const sim::Error& error : said.errors) {
        fmt::print(stderr, "whorl: scene {}: {}\n", scene.id, error.sentence());
    }
    return said.scene;
}

void lookAsScene(Session& session, const TourScene& scene, glm::vec2 size, const OptionParser& command) {
    if (command.given("--zoom") || command.given("--focus")) return;
    session.camera.put(sightOf(scene, session.opened, session.view(size, 1)));
}

void takeSecond(WithOptions& options, const TourScene& scene, const OptionParser& command) {
    if (!scene.isPair() || !options.input.empty() || !options.machine.empty()) return;
    options.input = scene.with;
    options.machine = scene.withMachine;
    options.settings = scene.withSettings;
    if (!command.given("--lock")) options.lock = scene.lock;
}

void addScenesCommand(OptionParser& program) {
    auto options = std::make_shared<ScenesOptions>();
    OptionParser& command =
        program.addCommand("scenes", "List the scenes of a tour: a built-in one, or one of your own");
    command.add("TOUR", options->tour, "a built-in tour, or the JSON file of another one", {.kind = ValueKind::tour});
    command.add("--sources", options->sources,
                "a folder with files that the tour names, besides its own; may be given several times",
                {.kind = ValueKind::folder});
    command.addExample("The scenes of another tour", "whorl scenes memory");
    command.onRun([options] { return listScenes(*options); });
}

}  // namespace whorl::app
