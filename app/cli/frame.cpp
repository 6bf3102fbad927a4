// whorl frame: a picture of one point in time.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/input_options.h"
#include "app/cli/record.h"
#include "app/cli/scenes.h"
#include "app/cli/space_options.h"
#include "app/cli/subcommands.h"
#include "app/cli/sweep.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/cli/view_options.h"
#include "app/commands/time_commands.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/pdf.h"
#include "app/export/png.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "render/scene/rings/view.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"

namespace whorl::app {

namespace {

bool isSvg(const std::string& path) {
    return path.ends_with(".svg");
}

bool isPdf(const std::string& path) {
    return path.ends_with(".pdf");
}

/// Fails if no picture can be written there: its name must end in .png, .svg or .pdf; a pipe, a device and standard
/// output, unless that is a terminal, take a PNG.
sim::Expected<void> checkPicture(const std::string& path) {
    auto target = WHORL_TRY(sim::outputTarget(path));
    const bool isKnown = path.ends_with(".png") || isSvg(path) || isPdf(path);
    if (target.kind == sim::OutputTarget::Kind::file && !isKnown) {
        return sim::fail(path, "is not a kind of picture that can be written", "end it in .png, .svg or .pdf");
    }
    if (target.kind == sim::OutputTarget::Kind::standardOutput && isatty(STDOUT_FILENO) == 1) {
        return sim::fail(target.name, "is a terminal, which cannot show a PNG",
                         "name a file that ends in .png, .svg or .pdf");
    }
    return {};
}

/// Draws a frame as OffscreenRenderer::draw does, into a file that checkPicture() accepts.
sim::Expected<void> writePicture(const std::string& path, OffscreenRenderer& renderer, const Session& session,
                                 double moveTicks) {
    if (!isSvg(path) && !isPdf(path)) {
        return writePng(path, renderer.width(), renderer.height(), renderer.draw(session, moveTicks));
    }
    auto bytes = renderer.drawSvg(session, moveTicks);
    if (bytes && isPdf(path)) bytes = pdfOf(*bytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return sim::writeText(*bytes, path);
}

struct FrameOptions {
    InputOptions input;
    SceneOptions scene;
    std::string at = "end";
    std::string size = "1280x720";
    std::string output;
    double speed = 0;
    ViewOptions view;
    SpaceOptions space;
    CellOptions cells;
    WithOptions with;
    std::vector<std::string> sweep;
    Session session;
};

/// More small multiples than this would be too small to compare.
constexpr std::uint64_t kMaxMultiples = 16;

/// What to open, the first of it as the open run: one request, or the points of a sweep.
sim::Expected<std::vector<OpenRequest>> requestsOf(const FrameOptions& options, const OpenRequest& request) {
    if (options.sweep.empty()) {
        return secondOf(options.with, request).map([&](const auto&) { return std::vector{request}; });
    }
    if (!options.with.input.empty() || !options.with.machine.empty()) {
        return sim::fail("", "--sweep and --with exclude each other", "leave one of them out");
    }
    return requestsOf(options.sweep, request, kMaxMultiples);
}

/// Opens the runs beside the first.
sim::Expected<void> openOthers(FrameOptions& options, const std::vector<OpenRequest>& requests) {
    WHORL_TRY(openCompared(options.with, requests.front(), options.session));
    for (std::size_t i = 1; i < requests.size(); ++i) {
        auto opened = WHORL_TRY(openWhole(requests[i], options.session.opened.run->sharedTrace()));
        enterCompared(options.session, {.opened = std::move(opened)});
    }
    return {};
}

/// Whether the picture shows only the rings of one run, and nothing that depends on the whole run.
bool showsTheMomentOnly(const FrameOptions& options, bool isScene) {
    const Session& session = options.session;
    const std::vector<std::string>& views = options.space.views;
    const bool isRings = views.empty() || (views.size() == 1 && views.front() == "rings");
    return isRings && !isScene && !session.panels && !session.caption && !session.ringView.use &&
           options.with.input.empty() && options.with.machine.empty() && options.sweep.empty() &&
           options.space.range.empty() && options.space.seen.empty();
}

/// How much of a run a picture at `at` needs: no more than it shows, unless later accesses decide on it.
sim::Tick neededOf(const FrameOptions& options, bool isScene, const sim::Run& run, double at) {
    const std::uint64_t size = run.trace().size();
    // Among several CPUs, later accesses tell true sharing from false.
    if (!showsTheMomentOnly(options, isScene) || run.machine().cpus > 1) return sim::Tick{size};
    return sim::Tick{std::min(size, static_cast<std::uint64_t>(std::ceil(at)) + 1)};
}

sim::Expected<void> drawFrame(FrameOptions& options, const OptionParser& command) {
    const auto size = WHORL_TRY(parseSize(options.size));
    const auto scene = WHORL_TRY(chosenScene(options.scene, options.input, true));
    if (scene) applySceneView(options.session, scene->scene, command);
    if (scene && options.sweep.empty()) takeSecond(options.with, scene->scene, command);
    auto request = WHORL_TRY(requestOf(options.input, command, options.output));
    const auto requests = WHORL_TRY(requestsOf(options, request));
    WHORL_TRY(checkPicture(options.output));
    auto opened = WHORL_TRY(openUnbuilt(requests.front()));
    const std::uint64_t end = opened.run->trace().size();
    auto at = WHORL_TRY(scene && !command.given("--at") ? sceneTime(scene->scene.end(), end)
                                                        : parseTime("--at", options.at, end));
    const sim::Tick needed = neededOf(options, scene.has_value(), *opened.run, at);
    WHORL_TRY(build(opened, needed));
    auto renderer = WHORL_TRY(OffscreenRenderer::create(size.width, size.height, options.session.ground, 1));
    options.session.opened = opened;
    sayWarnings(request, opened.run->trace());
    WHORL_TRY(openOthers(options, requests));
    if (scene) arrange(options.session, WHORL_TRY(saidIn(options.session, scene->scene)));
    WHORL_TRY(takeOver(options.view, options.session));
    if (scene) lookAsScene(options.session, scene->scene, {size.width, size.height}, command);
    WHORL_TRY(takeOver(options.space, options.session));
    WHORL_TRY(takeOver(options.cells, options.session));
    apply(options.session, command::Seek{at});
    if (options.speed > 0) {
        apply(options.session, command::Pace{options.speed});
        options.session.ringView.pace = options.speed;
    }
    const double moveTicks = options.speed > 0 ? scene::moveTicksAt(options.speed) : scene::View::kAtRest;
    return writePicture(options.output, *renderer, options.session, moveTicks);
}

}  // namespace

void addFrameCommand(OptionParser& program) {
    auto options = std::make_shared<FrameOptions>();
    options->session.panels = false;
    OptionParser& command = program.addCommand("frame", "Draw one frame as PNG, SVG or PDF, without a window");
    addInputOptions(command, options->input, false);
    addSceneOptions(command, options->scene);
    command.add(
        "--at", options->at,
        "the number of accesses before the frame, or a share of all, such as 50%; 5067.5 is halfway through the "
        "next one; or end",
        {.showDefault = true, .among = {"end"}});
    command.add("--size", options->size, "in pixels", {.showDefault = true, .among = usualSizes()});
    addWithOptions(command, options->with);
    addLockOption(command, options->with);
    command.add("--sweep", options->sweep,
                "KEY=VALUES: a picture for each value, side by side, L1.ways=1,2,4,8; several make all combinations",
                {.kind = ValueKind::setting});
    addViewOptions(command, options->view, options->session);
    addSpaceOptions(command, options->space, options->session);
    addCellOptions(command, options->cells);
    command.add("--speed", options->speed,
                "draw motion as at this playback speed, in accesses per second, instead of single steps");
    command.add("-o,--output", options->output,
                "the file: its name ends in .png, .svg or .pdf; - for standard output, as PNG",
                {.required = true, .kind = ValueKind::output});
    command.addExample("The state after the last access", "whorl frame matmul:n=16 -o matmul.png");
    command.addExample("Several views of the same moment",
                       "whorl frame matmul:n=16 --view rings,memory --at 4000 -o views.png");
    command.addExample("The same run on four machines", "whorl frame matmul:n=16 --sweep L1.ways=1,2,4,8 -o sweep.png");
    command.addExample("A scene for print", "whorl frame --scene fig1a --ground light -o fig1a.pdf");
    command.onRun([options, &command] { return drawFrame(*options, command); });
}

}  // namespace whorl::app
