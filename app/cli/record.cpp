// whorl record: a video, an animated picture, or a folder of stills.
#include "app/cli/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/cli/film.h"
#include "app/cli/input_options.h"
#include "app/cli/scenes.h"
#include "app/cli/space_options.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/view_options.h"
#include "app/commands/time_commands.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/video.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "render/scene/rings/view.h"
#include "sim/base/output_file.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

struct RecordOptions {
    InputOptions input;
    SceneOptions scene;
    std::string from;  ///< empty: the first recorded access
    std::string to;
    std::string size = "1280x720";
    std::string output;
    double speed = 8;
    int framesPerSecond = 60;
    ViewOptions view;
    SpaceOptions space;
    CellOptions cells;
    WithOptions with;
    FilmOptions film;
    bool transparent = false;
    Session session;
};

/// The length of a recording without an end.
constexpr double kStandardSeconds = 20;

sim::Expected<void> drawFrames(const Recording& r, const Session& session, OffscreenRenderer& renderer, FrameSink& sink,
                               sim::Progress& progress) {
    const double moveTicks = scene::moveTicksAt(r.speed);
    const Backdrop backdrop = r.transparent ? Backdrop::none : Backdrop::ground;
    const double perFrame = r.speed / r.framesPerSecond;
    // The last frame shows the end time, even when it falls between two steps.
    const auto frames = static_cast<std::uint64_t>(std::ceil((r.to - r.from) / perFrame - 1e-9)) + 1;
    progress.setTotal(frames);
    Session shown = session;
    shown.ringView.pace = r.speed;
    for (std::uint64_t i = 0; i < frames; ++i) {
        if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
        const double t = std::min(r.to, r.from + static_cast<double>(i) * perFrame);
        apply(shown, command::Pace{r.speed});
        apply(shown, command::Seek{t});
        WHORL_TRY(sink.add(renderer.draw(shown, moveTicks, backdrop)));
        progress.setDone(i + 1);
    }
    return sink.finish();
}

/// Where a recording starts: at --from, a scene's moment, or the first recorded access, unless it ends before that.
sim::Expected<double> startOf(const RecordOptions& options, std::optional<double> sceneAt, std::optional<double> to,
                              const Opened& opened) {
    const std::uint64_t end = opened.run->trace().size();
    if (sceneAt) return sceneTime(*sceneAt, end);
    if (!options.from.empty()) return parseTime("--from", options.from, end);
    const auto start = static_cast<double>(opened.start);
    return to && *to < start ? 0 : start;
}

/// `sceneAt`: where a scene starts, in place of --from.
sim::Expected<Recording> recordingOf(const RecordOptions& options, std::optional<double> sceneAt,
                                     const Opened& opened) {
    const std::uint64_t end = opened.run->trace().size();
    auto size = WHORL_TRY(parseSize(options.size));
    std::optional<double> to;
    if (!options.to.empty()) {
        to = WHORL_TRY(parseTime("--to", options.to, end));
    }
    const auto from = WHORL_TRY(startOf(options, sceneAt, to, opened));
    if (!(options.speed > 0) || !std::isfinite(options.speed)) {
        return sim::fail("", fmt::format("--speed {} is not a speed", options.speed), "use accesses a second, above 0");
    }
    Recording r{.from = from,
                .to = to.value_or(std::min(static_cast<double>(end), from + kStandardSeconds * options.speed)),
                .speed = options.speed,
                .framesPerSecond = options.framesPerSecond,
                .size = size,
                .path = options.output,
                .transparent = options.transparent};
    if (r.to < r.from) {
        return sim::fail("", fmt::format("--to {:g} comes before --from {:g}", r.to, r.from), "swap them");
    }
    return r;
}

/// Fails, before the input is read, if the output cannot be recorded.
sim::Expected<void> checkRecording(const RecordOptions& options, const OpenRequest& request) {
    const auto size = WHORL_TRY(parseSize(options.size));
    auto checked = checkVideo({.path = options.output,
                               .width = size.width,
                               .height = size.height,
                               .framesPerSecond = options.framesPerSecond,
                               .transparent = options.transparent});
    const bool isFolder = !sim::outputTarget(options.output);
    return !checked || isFolder ? checked : sim::checkOutput(options.output, inputFiles(request));
}

/// Whether all of a tour is recorded.
bool isFilm(const RecordOptions& options) {
    return options.scene.scene.empty() && (namesTourFile(options.input.input) || !options.scene.tour.empty());
}

/// Fails if an option is given that has no meaning for a film of a tour, or only for one.
sim::Expected<void> checkFilmOptions(const RecordOptions& options, const OptionParser& command) {
    if (!isFilm(options)) {
        for (const std::string& name : filmOptionNames()) {
            if (!command.given(name)) continue;
            return sim::fail("", name + " is for the film of a whole tour", "name a tour, and no --scene");
        }
        return {};
    }
    for (const char* const name :
         {"--from", "--to", "--speed", "--machine", "--set", "--map", "--only", "--with", "--with-machine", "--lock",
          "--view", "--range", "--seen", "--cpu", "--disk", "--zoom", "--focus"}) {
        if (!command.given(name)) continue;
        return sim::fail("", fmt::format("{}: the scenes of a tour decide what its film shows", name),
                         "leave it out, or name one of them with --scene");
    }
    if (options.input.input.empty() || options.scene.tour.empty()) return {};
    return sim::fail("",
                     fmt::format("both the input {} and the tour {} are given", sim::quotedText(options.input.input),
                                 options.scene.tour),
                     "leave one of them out");
}

sim::Expected<void> recordTour(const RecordOptions& options) {
    const auto size = WHORL_TRY(parseSize(options.size));
    Session session = options.session;
    const auto filmed =
        WHORL_TRY(filmedTour(tourWords(options.input.input, options.scene.tour), options.input.sources, session));
    return recordFilm(filmed, options.film,
                      {.path = options.output,
                       .width = size.width,
                       .height = size.height,
                       .framesPerSecond = options.framesPerSecond,
                       .transparent = options.transparent});
}

sim::Expected<void> recordCommand(RecordOptions& options, const OptionParser& command) {
    if (options.output.ends_with(".gif") && !command.given("--fps")) options.framesPerSecond = 25;
    WHORL_TRY(checkFilmOptions(options, command));
    if (isFilm(options)) return recordTour(options);
    auto scene = WHORL_TRY(chosenScene(options.scene, options.input, true));
    if (scene) applySceneView(options.session, scene->scene, command);
    if (scene) takeSecond(options.with, scene->scene, command);
    std::optional<double> from;
    if (scene && !command.given("--from")) from = scene->scene.position();
    auto request = WHORL_TRY(requestOf(options.input, command));
    WHORL_TRY(secondOf(options.with, request));
    WHORL_TRY(checkRecording(options, request));
    auto opened = WHORL_TRY(openWhole(request));
    auto recording = WHORL_TRY(recordingOf(options, from, opened));
    options.session.opened = opened;
    sayWarnings(request, opened.run->trace());
    WHORL_TRY(openCompared(options.with, request, options.session));
    if (scene) arrange(options.session, WHORL_TRY(saidIn(options.session, scene->scene)));
    WHORL_TRY(takeOver(options.view, options.session));
    if (scene) {
        const glm::vec2 size{recording.size.width, recording.size.height};
        lookAsScene(options.session, scene->scene, size, command);
    }
    WHORL_TRY(takeOver(options.space, options.session));
    WHORL_TRY(takeOver(options.cells, options.session));
    options.session.lapse =
        std::min(scene::lapseAt(recording.speed, recording.framesPerSecond, options.session.lapse), Session::kMaxLapse);
    return record(recording, options.session);
}

}  // namespace

sim::Expected<void> record(const Recording& recording, const Session& session) {
    auto renderer =
        WHORL_TRY(OffscreenRenderer::create(recording.size.width, recording.size.height, session.ground, 1));
    const VideoOptions options{.path = recording.path,
                               .width = recording.size.width,
                               .height = recording.size.height,
                               .framesPerSecond = recording.framesPerSecond,
                               .transparent = recording.transparent};
    sim::Progress progress;
    sim::Expected<void> result;
    withProgress("recording " + recording.path, progress, [&] {
        auto sink = openVideo(options, progress);
        result = sink ? drawFrames(recording, session, *renderer, **sink, progress) : tl::unexpected(sink.error());
    });
    return result;
}

void addRecordCommand(OptionParser& program) {
    auto options = std::make_shared<RecordOptions>();
    options->session.panels = false;
    OptionParser& command =
        program.addCommand("record", "Record a tour, or a range of the trace, as a video, a GIF or a folder of PNGs");
    addInputOptions(command, options->input, false);
    addSceneOptions(command, options->scene);
    command.add("--from", options->from,
                "where to start: the number of accesses before; if not given, at the first recorded one");
    command.add("--to", options->to, "where to end, or end; if not given, 20 seconds are recorded", {.among = {"end"}});
    command.add("--speed", options->speed, "accesses a second", {.showDefault = true});
    command.add("--fps", options->framesPerSecond, "frames per second; by default 25 for a .gif",
                {.showDefault = true, .limits = Limits<int>{1, 240}});
    command.add("--size", options->size, "in pixels, or 16:9, 1:1, 9:16 or 4k",
                {.showDefault = true, .among = usualSizes()});
    command.addFlag("--transparent", options->transparent,
                    "of a .webm or a folder: nothing is painted behind the picture");
    addFilmOptions(command, options->film);
    addWithOptions(command, options->with);
    addLockOption(command, options->with);
    addViewOptions(command, options->view, options->session);
    addSpaceOptions(command, options->space, options->session);
    addCellOptions(command, options->cells);
    command.add(
        "-o,--output", options->output,
        "x.mp4, x.webm, x.gif, or DIR/ for a folder of PNG files; of a tour, DIR/%s.mp4 is a clip a scene, with its ID "
        "in place of %s",
        {.required = true, .kind = ValueKind::output});
    command.addExample(
        "Twenty seconds of a blocked matrix multiply; the same input gives the same bytes",
        "whorl record matmul:n=16,variant=blocked --from 0 --to 400 --speed 20 --caption -o blocked.mp4");
    command.addExample("A scene of the tour", "whorl record --scene fig3a --speed 12 -o array.mp4");
    command.addExample("A whole tour as a film, with its words", "whorl record --tour memory -o memory.mp4");
    command.addExample("The same upright for phones, its words in tour.vtt, as long as a voice",
                       "whorl record lecture.tour.json --size 9:16 --captions beside --audio voice.wav -o tour.mp4");
    command.onRun([options, &command] { return recordCommand(*options, command); });
}

}  // namespace whorl::app
