// whorl page: a run or a tour as one HTML file, which plays in any browser.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/film.h"
#include "app/cli/input_options.h"
#include "app/cli/option_parser.h"
#include "app/cli/space_options.h"
#include "app/cli/subcommands.h"
#include "app/cli/terminal.h"
#include "app/cli/values.h"
#include "app/commands/cell_commands.h"
#include "app/commands/selection_commands.h"
#include "app/export/offscreen_renderer.h"
#include "app/export/page_file.h"
#include "app/export/png.h"
#include "app/page/page.h"
#include "app/system/threads.h"
#include "app/tasks/figure_rows.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_json.h"
#include "app/views/caption_words.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_file.h"
#include "sim/base/part_folder.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/excerpt.h"
#include "sim/replay/measuring.h"
#include "sim/trace/formats/whorl_writer.h"
#include "sim/trace/trace_passes.h"

namespace whorl::app {

namespace {

struct PageOptions {
    InputOptions input;
    WithOptions with;
    std::string tour;
    std::string scene;
    std::string at;
    std::string from;
    std::string to;
    std::vector<std::string> views;
    bool full = false;
    bool paused = false;
    std::string figure;
    std::string gallery;
    std::string output;
    scene::Ground ground = scene::Ground::dark;
};

/// The inputs of a page as .whorl files, each once, by the names that the player opens them by.
class Inputs {
  public:
    /// The request that opens in the page what this one opens here.
    sim::Expected<OpenRequest> taken(const OpenRequest& request) {
        OpenRequest in{.input = WHORL_TRY(nameFor(request)), .machine = {}, .settings = {}, .reading = {}};
        in.reading.order = request.reading.order;
        const auto machine = WHORL_TRY(machineOf(request, traces_.at(in.input).get()));
        // The trace brings the machine of its program; another one is named, or becomes a file of its own.
        if (!request.machine.empty()) in.machine = machineFor(request, machine);
        if (in.machine == request.machine) in.settings = request.settings;
        return in;
    }
    const std::shared_ptr<const sim::Trace>& traceOf(const std::string& name) const { return traces_.at(name); }
    void replace(const std::string& name, std::shared_ptr<const sim::Trace> trace) {
        traces_.at(name) = std::move(trace);
    }

    sim::Expected<std::vector<std::pair<std::string, std::string>>> files() {
        for (const auto& [name, trace] : traces_) {
            sim::StringSink bytes;
            WHORL_TRY(inProgress("packing " + name, [&, &trace = trace](sim::Progress& progress) {
                return sim::writeWhorl(*trace, bytes, progress, {.effort = sim::Effort::thorough, .run = runInPool});
            }));
            files_.emplace_back(name, bytes.bytes());
        }
        return std::move(files_);
    }

  private:
    /// The name of the trace of a request, which is read unless it has been.
    sim::Expected<std::string> nameFor(const OpenRequest& request) {
        std::string key = request.input + "\n" + std::to_string(static_cast<int>(request.reading.order));
        for (const sim::LayoutChange& change : request.changes) key += "\n" + sim::asText(change);
        if (const auto known = names_.find(key); known != names_.end()) return known->second;
        const bool isBuiltIn = isProgram(request.input);
        std::string name = isBuiltIn ? request.input : std::filesystem::path(request.input).filename().string();
        for (int i = 2; traces_.contains(name); ++i) {
            name = fmt::format("{}.{}", isBuiltIn ? request.input : name, i);
        }
        auto trace = WHORL_TRY(readTrace(request));
        if (trace->machine().empty() || isBuiltIn) {
            OpenRequest plain = request;
            plain.machine.clear();
            plain.settings.clear();
            sim::TraceParts parts = sim::Trace(*trace).takeParts();
            parts.machine = sim::machineAsJson(WHORL_TRY(machineOf(plain, trace.get())));
            trace = std::make_shared<const sim::Trace>(std::move(parts));
        }
        traces_.emplace(name, std::move(trace));
        names_.emplace(std::move(key), name);
        return name;
    }

    /// A machine by its words, or by the name of its file in the page.
    std::string machineFor(const OpenRequest& request, const sim::MachineConfig& machine) {
        std::error_code unknown;
        const bool isFile = std::filesystem::is_regular_file(request.machine, unknown);
        if (!isFile && request.machine != "host") return request.machine;
        std::string name = fmt::format("machine-{}.json", machines_++);
        files_.emplace_back(name, sim::machineAsJson(machine));
        return name;
    }

    std::map<std::string, std::string> names_;
    std::map<std::string, std::shared_ptr<const sim::Trace>> traces_;
    std::vector<std::pair<std::string, std::string>> files_;
    int machines_ = 1;
};

/// A tour whose scenes open the files of the page.
sim::Expected<Tour> tourIn(const Tour& tour, const sim::ReadOptions& reading, Inputs& inputs) {
    Tour out = tour;
    for (std::size_t i = 0; i < tour.scenes.size(); ++i) {
        const TourScene resolved = resolvedScene(tour, i);
        const SceneRuns runs = runsOf(resolved, reading);
        const auto first = WHORL_TRY(inputs.taken(runs.first));
        TourScene& scene = out.scenes[i] = withoutOptions(tour.scenes[i], resolved);
        scene.notes.clear();  // for the speaker alone
        if (!scene.continues) {
            scene.input = first.input;
            scene.machine = first.machine;
            scene.settings = first.settings;
        }
        if (!runs.second) continue;
        const auto second = WHORL_TRY(inputs.taken(*runs.second));
        if (!scene.with.empty()) scene.with = second.input;
        if (!scene.withMachine.empty()) scene.withMachine = second.machine;
    }
    return out;
}

std::string figuresAsHtml(const Figures& figures, const sim::MachineConfig& machine) {
    std::string html = "<table><thead><tr><td></td>";
    for (const sim::LevelConfig& level : machine.levels) html += fmt::format("<th>{}</th>", htmlText(level.name));
    html += "</tr></thead><tbody>";
    for (const FigureRow& row : figureRows(figures, machine)) {
        html += fmt::format("<tr><th>{}</th>", htmlText(row.words));
        for (const std::string& cell : row.cells) html += fmt::format("<td>{}</td>", htmlText(cell));
        html += "</tr>";
    }
    return html + "</tbody></table>";
}

/// Numbers that count up keep room for later ones, which these do not need.
std::string withoutPadding(std::string words) {
    constexpr std::string_view kSpace = "\u2007";
    for (std::size_t at = 0; (at = words.find(kSpace, at)) != std::string::npos;) words.erase(at, kSpace.size());
    return words;
}

/// The words of the first moment, for readers without scripts.
std::string wordsAsHtml(const Page& page) {
    const Session& session = page.session();
    const Picture& picture = *page.shown().runs.open()->composer().picture();
    std::string html;
    if (session.sceneText) {
        html +=
            fmt::format("<h2>{}</h2><p>{}</p>", htmlText(session.sceneText->title), htmlText(session.sceneText->words));
    }
    if (const sim::Step* const step = picture.snapshot.current(); step != nullptr && !session.asks()) {
        html += fmt::format("<p>{}</p>", htmlText(accessInWords(*step, session)));
    }
    html += fmt::format("<p>{}</p>", htmlText(withoutPadding(positionInWords(page.shown()))));
    const Figures figures = figuresSoFar(*session.opened.run, picture.snapshot, page.results().soFar.get());
    return html + figuresAsHtml(figures, session.opened.run->machine());
}

/// The size of the picture that is there before any script.
constexpr glm::ivec2 kFirstPicture{960, 540};

sim::Expected<void> addFirstMoment(PageFile& file, PageStart start, const PageOptions& options) {
    start.session.paused = true;
    Page page(std::move(start), options.ground, true);
    page.resize(kFirstPicture, 1);
    const auto settle = [&] {
        return inProgress("drawing the first picture", [&](sim::Progress& progress) -> sim::Expected<void> {
            do {
                page.frame(0);
                if (page.session().fatal) return tl::unexpected(*page.session().fatal);
                if (progress.cancelled()) return tl::unexpected(sim::Error::byUser());
            } while (page.isWorking());
            return {};
        });
    };
    WHORL_TRY(settle());
    auto renderer = WHORL_TRY(OffscreenRenderer::create(kFirstPicture.x, kFirstPicture.y, options.ground, 1));
    const double moveTicks = page.session().player.moveTicks();
    file.picture = WHORL_TRY(renderer->drawSvg(page.session(), moveTicks));
    file.words = wordsAsHtml(page);
    if (options.gallery.empty()) return {};
    // At first many tours show empty caches: their middle tells more.
    WHORL_TRY(page.command(fmt::format("tour-go {}", page.session().presentation->tour->scenes.size() / 2)));
    WHORL_TRY(settle());
    sim::StringSink png;
    WHORL_TRY(writePng(png, kFirstPicture.x, kFirstPicture.y, renderer->draw(page.session(), moveTicks)));
    file.thumbnail = png.bytes();
    return {};
}

bool isTour(const PageOptions& options) {
    const std::string& input = options.input.input;
    if (!options.tour.empty()) return true;
    const std::vector<std::string> names = tourNames();
    const bool isBuiltIn = std::find(names.begin(), names.end(), input) != names.end() && !isProgram(input);
    return isBuiltIn || namesTourFile(input);
}

/// The commands that show views, and let them keep to their places and arrays.
std::vector<std::string> commandsFor(const std::vector<NamedView>& views) {
    std::vector<std::string> commands;
    for (const auto& [view, place, array] : views) {
        commands.push_back((commands.empty() ? "view-only " : "view ") + wordOf(view));
        if (!array.empty()) commands.push_back(textOf(command::ArrayOf{view, array}));
        if (!place) continue;
        commands.push_back(place->kind == sim::Place::Kind::memory
                               ? textOf(command::PickMemory{place->from, place->bytes})
                               : textOf(command::PickWay{place->level, place->cache, place->set, place->way}));
        commands.push_back(textOf(command::HistoryKeep{view, {true}}));
        commands.push_back(textOf(command::SelectNone{}));
    }
    return commands;
}

/// Whether a tour shows more than the small player has: views stand in its commands as words of their own.
bool showsOthers(const Tour& tour) {
    const auto isOther = [](std::string_view word) {
        const auto view = viewOf(word);
        return view && !isBasic(view->kind);
    };
    for (const TourScene& scene : tour.scenes) {
        for (const std::string& text : scene.commands) {
            std::istringstream words(text);
            for (std::string word; words >> word;) {
                if (isOther(word)) return true;
            }
        }
    }
    return false;
}

/// What a page needs: as it is opened here, for its first moment, and as the page opens it.
struct Prepared {
    PageStart here;
    PageStart there;
    bool hasAllViews = false;
    std::string tour;  ///< its text, for the page
    std::string title;
    std::string about;  ///< how long the tour is
};

/// Refuses options of runs, which would be ignored.
sim::Expected<void> checkTourOptions(const PageOptions& options) {
    const std::pair<const char*, bool> given[] = {
        {"--at", !options.at.empty()},           {"--from", !options.from.empty()},
        {"--to", !options.to.empty()},           {"--view", !options.views.empty()},
        {"--with", !options.with.input.empty()}, {"--machine", !options.input.machine.empty()}};
    for (const auto& [name, isGiven] : given) {
        if (isGiven)
            return sim::fail("", fmt::format("{} is not for a tour, whose scenes say it", name), "leave it away");
    }
    return {};
}

sim::Expected<Prepared> preparedTour(const PageOptions& options, Inputs& inputs) {
    WHORL_TRY(checkTourOptions(options));
    const std::string name = options.tour.empty() ? options.input.input : options.tour;
    const auto filmed = WHORL_TRY(filmedTour(name, options.input.sources, Session()));
    if (options.gallery.empty()) WHORL_TRY(sim::checkOutput(options.output, inputsOf(filmed)));
    Prepared out;
    out.here.session.tour = filmed.tour;
    if (!options.scene.empty()) {
        out.here.session.tour->scene = WHORL_TRY(sceneIndex(filmed.tour.tour, options.scene));
    }
    const Tour tour = WHORL_TRY(tourIn(filmed.tour.tour, filmed.reading, inputs));
    out.tour = tourText(tour);
    out.hasAllViews = showsOthers(tour);
    out.there.session.tour = out.here.session.tour;
    out.title = tour.title.empty() ? filmed.name : tour.title;
    out.about = fmt::format("{} steps", tour.scenes.size());
    return out;
}

/// What a page has room for: with more, its file is large, and it takes long to build its run.
constexpr std::size_t kMostBytes = 400'000;
constexpr std::uint64_t kMostAccesses = 8'000'000;

bool hasRoomFor(const sim::Trace& trace) {
    return trace.accesses().bytes() <= kMostBytes && trace.size() <= kMostAccesses;
}

/// The accesses of a trace that the page has: those that are asked for; else all, or around `at` as many as it has room
/// for.
sim::Expected<sim::Range> rangeFor(const PageOptions& options, const sim::Trace& trace) {
    sim::Range range{sim::Tick{0}, sim::Tick{trace.size()}};
    const std::uint64_t at = options.at.empty()
                                 ? sim::firstRecorded(trace).value
                                 : static_cast<std::uint64_t>(WHORL_TRY(parseTime("--at", options.at, trace.size())));
    if (options.from.empty() && options.to.empty()) {
        if (hasRoomFor(trace)) return range;
        const double share = static_cast<double>(kMostBytes) / static_cast<double>(trace.accesses().bytes());
        const auto most =
            std::min(kMostAccesses, static_cast<std::uint64_t>(share * static_cast<double>(trace.size())));
        const std::uint64_t before = most / 10;
        range.from.value = std::min(at - std::min(at, before), trace.size() - most);
        range.to.value = range.from.value + most;
        return range;
    }
    if (!options.from.empty()) range.from = WHORL_TRY(parseTick("--from", options.from, trace.size()));
    if (!options.to.empty()) range.to = WHORL_TRY(parseTick("--to", options.to, trace.size()));
    if (range.from >= range.to) return sim::fail("", "--to is not after --from", "name a later one");
    if (!options.at.empty() && (at < range.from.value || at > range.to.value)) {
        return sim::fail("", fmt::format("--at {} is not between --from and --to", options.at),
                         "leave it away, or choose another");
    }
    return range;
}

/// Puts a part of the trace in its place, with what came before it.
sim::Expected<void> cut(const std::string& name, const sim::MachineConfig& machine, sim::Range range, Inputs& inputs) {
    const std::shared_ptr<const sim::Trace> whole = inputs.traceOf(name);
    const auto run = WHORL_TRY(inProgress("simulating what comes before", [&](sim::Progress& progress) {
        return sim::builtRun(whole, machine, progress, threadsFor());
    }));
    inputs.replace(name, WHORL_TRY(sim::excerptOf(*run, range)));
    fmt::print(stderr, "whorl: the page has {} of the {} accesses, from {} on: choose others with --from and --to\n",
               range.size(), whole->size(), range.from.value);
    return {};
}

sim::Expected<Prepared> preparedRun(const PageOptions& options, const OptionParser& command, Inputs& inputs) {
    const auto request = WHORL_TRY(requestOf(options.input, command, options.output));
    const auto second = WHORL_TRY(secondOf(options.with, request));
    if (second) WHORL_TRY(sim::checkOutput(options.output, inputFiles(*second)));
    // It is read for the page, and for its first picture.
    if (second && second->input == "-") {
        return sim::fail("-", "what stands beside another run is not read from standard input", "name a file");
    }
    Prepared out;
    out.there.session.request = WHORL_TRY(inputs.taken(request));
    const std::string& name = out.there.session.request.input;
    const sim::MachineConfig machine = WHORL_TRY(machineOf(request, inputs.traceOf(name).get()));
    const auto size = inputs.traceOf(name)->size();
    const auto range = WHORL_TRY(rangeFor(options, *inputs.traceOf(name)));
    if (range.size() < size) {
        if (second) {
            return sim::fail(nameOfInput(request.input),
                             fmt::format("a comparison of {} accesses is too long for a page", size),
                             "make a page of each run, or of shorter ones");
        }
        WHORL_TRY(cut(name, machine, range, inputs));
    }
    out.here.session.request = request;
    out.here.session.request.changes.clear();  // they are made
    out.here.trace = inputs.traceOf(name);
    out.here.session.lock = out.there.session.lock = options.with.lock;
    if (second) {
        out.here.session.compared.push_back(*second);
        out.there.session.compared.push_back(WHORL_TRY(inputs.taken(*second)));
    }
    std::vector<std::string>& commands = out.there.commands;
    const auto views = WHORL_TRY(namedViews(options.views, *inputs.traceOf(name), machine));
    for (const NamedView& named : views) out.hasAllViews = out.hasAllViews || !isBasic(named.view.kind);
    commands = commandsFor(views);
    if (!options.at.empty()) {
        const double at = WHORL_TRY(parseTime("--at", options.at, size));
        commands.push_back(fmt::format("seek {}", at - static_cast<double>(range.from.value)));
    }
    out.here.commands = commands;
    out.title = inputs.traceOf(name)->name();
    return out;
}

sim::Expected<PageFile> pageOf(const PageOptions& options, const OptionParser& command) {
    Inputs inputs;
    auto prepared = WHORL_TRY(isTour(options) ? preparedTour(options, inputs) : preparedRun(options, command, inputs));
    prepared.here.session.paused = prepared.there.session.paused = options.paused;
    if (!options.figure.empty()) {
        prepared.there.isFigure = true;
        prepared.there.commands.emplace_back("loop");
    }
    PageFile file{.title = prepared.title,
                  .about = prepared.about,
                  .picture = {},
                  .words = {},
                  .thumbnail = {},
                  .start = pageStartText(prepared.there, prepared.tour),
                  .hasAllViews = options.full || prepared.hasAllViews,
                  .files = WHORL_TRY(inputs.files())};
    WHORL_TRY(addFirstMoment(file, std::move(prepared.here), options));
    return file;
}

/// The folder of a gallery holds pages and pictures of Whorl, and nothing else.
bool isOfGallery(int folder, const std::string& name) {
    constexpr std::size_t kEnough = 4096;
    const std::string beginning = sim::beginningOf(folder, name, kEnough);
    return isOwnPage(beginning) || isOwnPng(beginning);
}

/// A page of each built-in tour, and one that leads to them, in a folder for a web server.
sim::Expected<void> writeGallery(const PageOptions& options, const OptionParser& command) {
    const auto folder = WHORL_TRY(sim::PartFolder::forTarget(options.gallery, isOfGallery));
    const auto write = [&](const std::string& name, const std::string& bytes) -> sim::Expected<void> {
        const auto file = WHORL_TRY(folder->create(name));
        WHORL_TRY(file->write(bytes));
        return file->close();
    };
    std::vector<GalleryItem> items;
    for (const std::string& name : tourNames()) {
        PageOptions one = options;
        one.tour = name;
        const PageFile page = WHORL_TRY(pageOf(one, command));
        const std::string html = WHORL_TRY(pageHtml(page));
        WHORL_TRY(write(name + ".html", html));
        WHORL_TRY(write(name + ".png", page.thumbnail));
        items.push_back({.name = name, .title = page.title, .about = page.about});
        fmt::print(stderr, "whorl: {}/{}.html\n", options.gallery, name);
    }
    WHORL_TRY(write("index.html", galleryHtml(items)));
    return folder->publish();
}

/// "conflict@120..180": the input, and the accesses that are shown.
sim::Expected<PageOptions> figureOf(PageOptions options) {
    const std::size_t at = options.figure.rfind('@');
    const std::size_t dots = at == std::string::npos ? at : options.figure.find("..", at);
    const bool isAlone =
        options.input.input.empty() && options.tour.empty() && options.from.empty() && options.to.empty();
    if (dots == std::string::npos || !isAlone) {
        return sim::fail("", fmt::format("--figure \"{}\" does not say, alone, what is shown", options.figure),
                         "write INPUT@FROM..TO, such as conflict@120..180, and no other input or range");
    }
    options.input.input = options.figure.substr(0, at);
    options.from = options.figure.substr(at + 1, dots - at - 1);
    options.to = options.figure.substr(dots + 2);
    return options;
}

sim::Expected<void> writePage(const PageOptions& given, const OptionParser& command) {
    WHORL_TRY(checkPlayer());
    if (given.output.empty() == given.gallery.empty()) {
        return sim::fail("", "it is not said where to", "name a file with -o, or a folder with --gallery");
    }
    if (!given.gallery.empty()) {
        if (!given.input.input.empty() || !given.tour.empty() || !given.figure.empty()) {
            return sim::fail("", "a gallery is of all built-in tours", "leave the input away");
        }
        return writeGallery(given, command);
    }
    WHORL_TRY(sim::checkOutput(given.output));
    const PageOptions options = given.figure.empty() ? given : WHORL_TRY(figureOf(given));
    const PageFile page = WHORL_TRY(pageOf(options, command));
    return sim::writeText(WHORL_TRY(pageHtml(page)), options.output);
}

}  // namespace

void addPageCommand(OptionParser& program) {
    auto options = std::make_shared<PageOptions>();
    OptionParser& command =
        program.addCommand("page", "Write a run, a comparison or a tour as one HTML file, which plays in any browser");
    addInputOptions(command, options->input, false);
    command.add("--tour", options->tour, "a tour, by its name or the path of its JSON file", {.kind = ValueKind::tour});
    command.add("--scene", options->scene, "the scene of the tour that is shown first", {.kind = ValueKind::scene});
    addWithOptions(command, options->with);
    addLockOption(command, options->with);
    command.add("--at", options->at, "the number of accesses before the first picture, or a share of all, such as 50%");
    command.add("--from", options->from, "the first access that the page has; what comes before is told by its caches");
    command.add("--to", options->to,
                "the number of accesses after which the page ends; a long trace is cut in any case");
    addViewOption(command, options->views);
    command.addFlag(
        "--full", options->full,
        "it has all views, not only the rings and the tables of the caches, and is larger; what --view or a tour "
        "shows is there in any case");
    command.addFlag("--paused", options->paused, "it does not play until it is told to");
    command.addChoice("--ground", options->ground, {{"dark", scene::Ground::dark}, {"light", scene::Ground::light}},
                      "what is behind the picture that is there before any script has run");
    command.add("--figure", options->figure,
                "INPUT@FROM..TO, such as conflict@120..180: a page of the picture alone, for "
                "the middle of a text, in which these accesses play again and again");
    command.add("--gallery", options->gallery, "a folder: a page of each built-in tour, and one that leads to them",
                {.kind = ValueKind::output});
    command.add("-o,--output", options->output, "the file", {.kind = ValueKind::output});
    command.addExample("A run for a mail or a course page", "whorl page matmul:n=16 -o matmul.html");
    command.addExample("A lecture", "whorl page --tour blocking -o blocking.html");
    command.addExample("A figure in a text", "whorl page --figure conflict@120..180 -o conflict.html");
    command.addExample("All tours, for a web server", "whorl page --gallery tours");
    command.onRun([options, &command] { return writePage(*options, command); });
}

}  // namespace whorl::app
