#include "app/commands/copy_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/commands/moment.h"
#include "app/session/opened.h"
#include "app/session/transitions.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/snapshot_reader.h"
#include "sim/report/sentence.h"

namespace whorl::app {

namespace {

constexpr double kUsualSeconds = 20;
constexpr double kMaxSeconds = 600;

/// What a tour has no words for.
sim::Expected<void> checkInput(const OpenRequest& request) {
    const char* const hint = "record it by the command whorl record, which has an option for it";
    if (request.input == "-") return sim::fail("", "standard input can be read only once", "save it in a file first");
    if (!request.changes.empty()) return sim::fail("", "a changed memory layout cannot be filmed from here", hint);
    const sim::ReadOptions& r = request.reading;
    const bool isUsual = !r.format && r.chironSources.empty() && r.regions.empty() && !r.lenient && !r.instructions &&
                         r.order == sim::ReadOptions{}.order && r.only.wantsAll() && !r.naming;
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

/// Requests that the main loop copies a text, and shows the text with a note in a message.
void copy(Session& session, std::string text, const std::string& note = {}) {
    session.message = fmt::format("Copied: {}{}", text, note.empty() ? "" : "\n" + note);
    session.requests.add(request::Copy{std::move(text)});
}

}  // namespace

sim::Expected<FilmWish> filmOfMoment(const Session& session) {
    WHORL_TRY(checkInput(session.opened.request));
    FilmWish wish;
    TourScene scene = momentOf(session);
    scene.id = "film";
    scene.title = scene.words = session.opened.run->trace().name();
    scene.transition = 0;
    scene.wait = {.what = SceneWait::For::seconds, .seconds = 0};
    WHORL_TRY(setRange(session, scene));
    nameFiles(scene, wish.sources);
    wish.tour.title = scene.title;
    wish.tour.scenes.push_back(std::move(scene));
    wish.name = pictureNameOf(session);
    wish.size = {std::max(16, session.pictureSize.x / 2 * 2), std::max(16, session.pictureSize.y / 2 * 2)};
    wish.ground = session.ground;
    wish.scale = session.uiScale;
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
        moment.missing.empty() ? "" : fmt::format("It leaves out {}.", sim::joinNames(moment.missing));
    copy(session, moment.text, missing);
}

void apply(Session& session, const SavePicture&) {
    if (session.opened.run) session.requests.add(request::SavePicture{});
}

void apply(Session& session, const Record&) {
    if (!session.opened.run) return;
    auto wish = filmOfMoment(session);
    if (wish) {
        session.requests.add(request::Film{std::make_shared<const FilmWish>(*std::move(wish))});
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

}  // namespace command
}  // namespace whorl::app
