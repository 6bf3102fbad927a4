#include "app/commands/file_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/commands/moment.h"
#include "app/session/opened.h"
#include "app/session/transitions.h"
#include "app/tours/scene_words.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/replay/snapshot.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr double kUsualSeconds = 20;
constexpr double kMaxSeconds = 600;
constexpr std::size_t kMaxRuns = 8;  ///< pictures of more would be too small to compare

/// What a tour has no words for.
sim::Expected<void> checkInput(const OpenRequest& request) {
    const char* const hint = "record it by the command whorl record, which has an option for it";
    if (request.input == "-") return sim::fail("", "standard input can be read only once", "save it in a file first");
    if (!request.changes.empty()) return sim::fail("", "a changed memory layout cannot be filmed from here", hint);
    const sim::ReadOptions& r = request.reading;
    const bool isUsual = !r.format && r.chironSources.empty() && r.regions.empty() && !r.lenient && !r.instructions &&
                         !r.columns && !r.ignoresSizes && r.only.wantsAll() && !r.naming;
    if (!isUsual) return sim::fail("", "a trace that is read with options cannot be filmed from here", hint);
    return {};
}

/// A file gets its absolute path, and its folder is noted.
void makeAbsolute(std::string& file, std::vector<std::string>& folders) {
    std::error_code unknown;
    const std::filesystem::path path = std::filesystem::absolute(file, unknown).lexically_normal();
    file = path.string();
    const std::string folder = path.parent_path().string();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
}

void nameFiles(TourScene& scene, std::vector<std::string>& folders) {
    for (std::string* input : {&scene.input, &scene.with}) {
        if (!input->empty() && !isProgram(*input)) makeAbsolute(*input, folders);
    }
    for (std::string* machine : {&scene.machine, &scene.withMachine}) {
        if (!machine->empty() && sim::namesMachineFile(*machine)) makeAbsolute(*machine, folders);
    }
}

sim::Expected<void> setRange(const Session& session, TourScene& scene) {
    const double pace = session.player.pace();
    const double last = static_cast<double>(session.opened.run->trace().size());
    double to = std::min(last, scene.position() + kUsualSeconds * pace);
    if (session.range) {
        scene.at = static_cast<double>(session.range->from.value);
        to = static_cast<double>(session.range->to.value);
    }
    const double seconds = (to - scene.position()) / pace;
    if (!(seconds > 0)) return sim::fail("", "there is nothing to record after the end", "go back, or select a range");
    if (seconds > kMaxSeconds) {
        return sim::fail(
            "",
            fmt::format("the range takes {:.0f} minutes at this pace, and a film from the window at most {:g}",
                        seconds / 60, kMaxSeconds / 60),
            fmt::format("play faster, or choose a shorter range"));
    }
    scene.range = PlayedRange{.to = to, .pace = pace};
    return {};
}

/// The line that is picked, or else that of the access at hand; nothing if it is not known.
std::optional<SourceLine> lineToEdit(const Session& session) {
    if (!session.opened.run) return std::nullopt;
    if (session.line) return session.line;
    const sim::Trace& trace = session.opened.run->trace();
    const auto at = static_cast<std::uint64_t>(session.player.position());
    std::optional<SourceLine> line;
    trace.forEach(sim::Tick{at}, sim::Tick{at + 1}, [&](sim::Tick, const sim::Access& access) {
        const sim::Site& site = trace.site(access.site);
        if (site.line != 0) line = SourceLine{site.file, site.line};
    });
    return line;
}

/// Requests that the main loop copies a text, and shows the text with a note in a message.
void copy(Session& session, std::string text, const std::string& note = {}) {
    session.message = fmt::format("Copied: {}{}", text, note.empty() ? "" : "\n" + note);
    session.requests.add(request::Copy{std::move(text)});
}

void openNext(Session& session, OpenRequest request) {
    session.error.clear();
    session.requests.add(request::Open{std::move(request)});
}

/// Opens another input, or the same on another machine, beside what is open.
void compare(Session& session, const std::string& input, const std::string& machine) {
    if (!session.opened.run)
        return refuse(session, "There is nothing to compare with: open a file or a program first.");
    const OpenRequest& first = session.opened.request;
    OpenRequest second = secondOf(first, input, machine);
    if (isSameRun(first, second)) {
        return refuse(session, fmt::format("{} would be compared with itself: name another input, or another machine.",
                                           sim::quotedText(input.empty() ? machine : input)));
    }
    if (session.openRuns().size() >= kMaxRuns) {
        return refuse(session, fmt::format("{} runs are open: close those beside the first by compare-end.", kMaxRuns));
    }
    session.error.clear();
    // After as many accesses, one of two inputs would often be over while the other has hardly begun.
    if (!input.empty() && session.lock == TimeLock::access) session.lock = TimeLock::share;
    session.requests.add(request::OpenCompared{std::move(second)});
}

/// What is opened next, or is open.
OpenRequest nextRequest(const Session& session) {
    const auto* const next = session.requests.next<request::Open>();
    return next == nullptr ? session.opened.request : *next;
}

/// "l1.ways" of "L1.ways=4": names of levels are the same in small letters.
std::string keyOf(const std::string& assignment) {
    std::string key(sim::trimmed(std::string_view(assignment).substr(0, assignment.find('='))));
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return key;
}

}  // namespace

sim::Expected<void> checkEditor(std::string_view command) {
    const auto hint = "write a command with {file}, and {line} if it goes to lines: code -g {file}:{line}";
    if (command.find("{file}") == std::string_view::npos) {
        return sim::fail("", fmt::format("{} cannot open a source line", sim::quotedText(command)), hint);
    }
    return {};
}

sim::Expected<TourWish> filmOfMoment(const Session& session) {
    WHORL_TRY(checkInput(session.opened.request));
    TourWish wish;
    TourScene scene = momentOf(session);
    scene.id = "film";
    wish.tour.title = session.opened.run->trace().name();
    scene.title = scene.words = withoutBraces(wish.tour.title);
    scene.transition = 0;
    scene.wait = {.what = SceneWait::For::seconds, .seconds = 0};
    WHORL_TRY(setRange(session, scene));
    nameFiles(scene, wish.sources);
    wish.tour.scenes.push_back(std::move(scene));
    wish.name = pictureNameOf(session);
    wish.size = {std::max(16, session.pictureSize.x / 2 * 2), std::max(16, session.pictureSize.y / 2 * 2)};
    wish.ground = scene::plain(session.ground);
    wish.scale = session.uiScale;
    return wish;
}

TourWish wishOf(const Session& session, TourWish::What what) {
    const Presentation& p = *session.presentation;
    const std::string file = std::filesystem::path(p.file).filename().string();
    TourWish wish{.what = what,
                  .of = p.tour,
                  .tour = *p.tour,
                  .name = file.empty() || file.front() == '.' ? "lecture" : file.substr(0, file.find('.')),
                  .ground = scene::plain(session.ground)};
    for (TourScene& scene : wish.tour.scenes) nameFiles(scene, wish.sources);
    return wish;
}

namespace command {

void apply(Session& session, const CopyAddress&) {
    if (const auto byte = session.marked()) {
        copy(session, fmt::format("{:#x}", byte->value));
    } else {
        refuse(session, "Nothing to copy: select a block first, by a click or with /.");
    }
}

void apply(Session& session, const CopySentence&) {
    if (!session.opened.run) return;
    // Replays from the nearest checkpoint, which takes less than a frame.
    sim::SnapshotReader reader(session.opened.run);
    const sim::Snapshot& snapshot = reader.at(session.player.position(), {.steps = 1});
    const sim::Step* const step = snapshot.current();
    if (step == nullptr) {
        refuse(session, "Nothing to copy: no access has happened yet.");
        return;
    }
    copy(session, sim::sentenceFor(*step, session.opened.run->trace(), session.opened.run->machine()));
}

void apply(Session& session, const CopyCommand&) {
    if (!session.opened.run) return;
    const MomentCommand moment = momentCommandOf(session, session.pictureSize);
    const std::string missing =
        moment.missing.empty() ? "" : fmt::format("The command leaves out {}.", sim::joinNames(moment.missing));
    copy(session, moment.text, missing);
}

void apply(Session& session, const Editor& command) {
    if (const auto checked = checkEditor(command.command.words); !checked) {
        return refuse(session, sentenceOf(checked.error()));
    }
    session.editor = command.command.words;
    session.message = "Source lines are opened by: " + session.editor;
}

void apply(Session& session, const Edit&) {
    const auto line = lineToEdit(session);
    if (!line) return refuse(session, "There is no source line to open: pick one first.");
    if (session.editor.empty()) {
        return refuse(session, "No editor is chosen: give its command, such as editor code -g {file}:{line}.");
    }
    const OpenRequest& open = session.opened.request;
    std::optional<std::filesystem::path> folder;
    if (!isProgram(open.input) && open.input != "-") folder = std::filesystem::path(open.input).parent_path();
    const std::string& name = session.opened.run->trace().files()[line->file].path;
    const std::string path = sim::pathOfSource(name, open.reading.sources, folder);
    if (path.empty()) {
        return refuse(session, fmt::format("The file {} was not found: name its folder with sources-in.", name));
    }
    session.requests.add(request::OpenLine{session.editor, path, line->line});
}

void apply(Session& session, const SavePicture&) {
    if (session.opened.run) session.requests.add(request::SavePicture{});
}

void apply(Session& session, const Record&) {
    if (!session.opened.run) return;
    auto wish = filmOfMoment(session);
    if (wish) {
        session.requests.add(request::MakeOfTour{std::make_shared<const TourWish>(*std::move(wish))});
    } else {
        refuse(session, "Not recorded: " + wish.error().sentence() + ".");
    }
}

void apply(Session& session, const Reload&) {
    session.changedOnDisk.clear();
    const std::string& input = session.opened.request.input;
    if (!session.opened.run) return;
    if (input == "-") {
        refuse(session, "Standard input can be read only once.");
        return;
    }
    reopen(session, input);
}

void apply(Session& session, const ReloadIgnore&) {
    session.changedOnDisk.clear();
}

void apply(Session& session, const Open& command) {
    OpenRequest request = nextRequest(session);
    request.input = command.input;
    // A machine that was chosen stays; values of another input's own machine do not.
    if (request.machine.empty()) request.settings.clear();
    request.changes.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Machine& command) {
    OpenRequest request = nextRequest(session);
    request.machine = command.machine;
    request.settings.clear();
    openNext(session, std::move(request));
}

void apply(Session& session, const Interleaving& command) {
    OpenRequest request = nextRequest(session);
    request.reading.order = command.order;
    openNext(session, std::move(request));
}

void apply(Session& session, const SourcesIn& command) {
    OpenRequest request = nextRequest(session);
    request.reading.sources.none = false;
    request.reading.sources.folders.push_back(command.folder);
    const auto checked = sim::checkedSources(request.reading.sources);
    if (!checked) return refuse(session, checked.error().sentence() + ".");
    openNext(session, std::move(request));
    session.keepsPlace = true;
}

void apply(Session& session, const Set& command) {
    OpenRequest request = nextRequest(session);
    const std::string key = keyOf(command.assignment);
    std::erase_if(request.settings, [&](const std::string& setting) { return keyOf(setting) == key; });
    request.settings.push_back(command.assignment);
    openNext(session, std::move(request));
}

void apply(Session& session, const Option& command) {
    OpenRequest request = nextRequest(session);
    auto changed = sim::withOption(request.input, command.name, command.value);
    if (!changed) {
        session.refused = session.error = changed.error().sentence();
        return;
    }
    request.input = *std::move(changed);
    openNext(session, std::move(request));
    session.keepsPlace = true;
}

void apply(Session& session, const Live& command) {
    turn(session.overlays.live, command.on);
    if (session.overlays.live) session.panels = true;
}

void apply(Session& session, const Change& command) {
    // Several changes at once add up.
    OpenRequest request = nextRequest(session);
    request.changes.push_back(command.change);
    openNext(session, std::move(request));
}

void apply(Session& session, const ChangeUndo& command) {
    OpenRequest request = session.opened.request;
    if (command.index < request.changes.size()) {
        request.changes.erase(request.changes.begin() + static_cast<std::ptrdiff_t>(command.index));
    }
    openNext(session, std::move(request));
}

void apply(Session& session, const ChangeOnly& command) {
    OpenRequest request = nextRequest(session);
    const std::vector<sim::LayoutChange> before = request.changes;
    std::erase_if(request.changes, [&](const sim::LayoutChange& c) { return !c.ofClass && c.thing == command.thing; });
    if (command.change) request.changes.push_back(*command.change);
    if (request.changes != before) openNext(session, std::move(request));
}

void apply(Session& session, const CompareWith& command) {
    compare(session, command.input, "");
}

void apply(Session& session, const CompareMachine& command) {
    compare(session, "", command.machine);
}

void apply(Session& session, const CompareEnd&) {
    // What stood there before a layout was changed goes with the changes.
    std::erase_if(session.compared, [](const ComparedRun& run) { return !run.unchanged; });
    session.requests.withdraw<request::OpenCompared>();
    session.requests.add(request::DropCompared{});
}

void apply(Session& session, const Exchange& command) {
    turn(session.exchanged, command.on);
}

void apply(Session& session, const Cancel&) {
    session.requests.add(request::Cancel{});
    // A request made in this frame has not begun, so there is no task to cancel.
    if (session.requests.take<request::Open>()) failOpening(session, sim::Error::byUser());
    session.requests.withdraw<request::OpenCompared>();
    session.requests.withdraw<request::ReadTour>();
    session.requests.withdraw<request::MakeOfTour>();
    session.search.reset();
}

void apply(Session& session, const Quit&) {
    session.requests.add(request::Quit{});
}

}  // namespace command

}  // namespace whorl::app
