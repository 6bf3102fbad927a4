#include "app/commands/prompt_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/commands/file_commands.h"
#include "app/commands/selection_commands.h"
#include "app/session/command.h"
#include "app/session/position.h"
#include "app/session/session.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "sim/base/text.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

void openAgain(Session& session, const std::shared_ptr<const WasOpen>& open) {
    session.error.clear();
    if (open->tour) {
        beginTour(session, *open->tour, open->file, open->scene, open->reading);
        goToScene(session, open->scene);
    } else {
        closeTour(session);
        if (!isSameRun(session.opened.request, open->request)) session.requests.add(request::Open{open->request});
    }
    session.comesBack = open;
    if (!session.requests.has<request::Open>()) comeBack(session);
}

bool move(Session& session, ViewHistory::Direction direction) {
    const ViewHistory::State* const next = session.history.next(direction);
    // Later changes must not join earlier ones.
    session.history.rest(ViewHistory::kRest);
    if (next == nullptr) return false;
    const ViewHistory::State wanted = session.history.move(
        direction, next->open ? whatIsOpen(session) : ViewHistory::State{.state = captureViewState(session)});
    // Opening changes the history, which is not to lose what it has.
    const ViewHistory kept = session.history;
    if (wanted.open) {
        openAgain(session, wanted.open);
    } else {
        restoreViewState(*wanted.state, session.camera, session.look());
    }
    session.history = kept;
    return true;
}

/// Gives back what was before the last change, or after it. False if there is none. What has to be opened for that
/// comes later: see comeBack().
bool undo(Session& session) {
    return move(session, ViewHistory::Direction::undo);
}

bool redo(Session& session) {
    return move(session, ViewHistory::Direction::redo);
}

namespace fs = std::filesystem;

constexpr std::size_t kMaxRecent = 20;
constexpr const char* kComesBack = "The previous input is being reopened: continue undoing once it is open.";

/// The folder of the file that is open, else the current one.
std::string usualFolder(const Session& session) {
    std::error_code unknown;
    const std::string& input = session.opened.request.input;
    if (session.opened.run && !isProgram(input) && fs::is_regular_file(input, unknown)) {
        return fs::absolute(input, unknown).parent_path().lexically_normal().string();
    }
    return fs::current_path(unknown).string();
}

/// "~/traces" in the home folder; a relative path in the folder that is looked into.
std::string pathFrom(const Session& session, const std::string& words) {
    const char* const home = std::getenv("HOME");
    if (home != nullptr && (words == "~" || words.starts_with("~/"))) return home + words.substr(1);
    if (words.empty() || words.front() == '/' || session.prompt.folder.empty()) return words;
    std::error_code unknown;
    const std::string there = (fs::path(session.prompt.folder) / words).lexically_normal().string();
    return fs::exists(there, unknown) ? there : words;
}

/// Fails for inputs that can be seen at once to be impossible to open.
sim::Expected<void> checkInput(const std::string& input) {
    std::error_code unknown;
    if (fs::exists(input, unknown)) return {};
    if (input == "-") return sim::fail("", "standard input is read only at the start", "name a file");
    if (namesProgram(input)) return sim::parseProgramSpec(input).map([](const sim::ProgramSpec&) {});
    return sim::fail(input, "there is no such file", "check its name");
}

/// What is opened later would fail only when the field is gone: it is checked first. Paths become whole ones.
sim::Expected<Command> checked(const Session& session, Command command) {
    const auto words = WordReader::of(command.text());
    if (!words) return command;
    WordReader reader = *words;
    const std::string id = *reader.next();
    const auto argument = reader.next();
    if (!argument) return command;
    if (id == "machine") {
        WHORL_TRY(sim::loadMachine(*argument));
    }
    if (id == "open" && session.prompt.asks == Asks::file) {
        const std::string path = isProgram(*argument) ? *argument : pathFrom(session, *argument);
        std::error_code unknown;
        if (fs::is_directory(path, unknown)) return Command(command::Folder{path});
        WHORL_TRY(checkInput(path));
        return Command(command::Open{path});
    }
    if (id == "sources-in") return Command(command::SourcesIn{pathFrom(session, *argument)});
    if (id == "open") return checkInput(*argument).map([&] { return command; });
    if (session.opened.run && (id == "seek" || id == "range" || id == "time-seen")) {
        const auto size = static_cast<double>(session.opened.run->trace().size());
        for (auto typed = argument; typed; typed = reader.next()) {
            WHORL_TRY(positionFrom(*typed, session.player.position(), size));
        }
    }
    return command;
}

void remember(std::vector<std::string>& recent, const std::string& text) {
    std::erase(recent, text);
    recent.insert(recent.begin(), text);
    if (recent.size() > kMaxRecent) recent.resize(kMaxRecent);
}

}  // namespace

sim::Expected<Command> typedCommand(const Session& session, std::string_view text) {
    return parseCommand(text).and_then([&](const Command& command) { return checked(session, command); });
}

std::string sentenceOf(const sim::Error& error) {
    const std::string sentence = error.sentence();
    const bool hasEnd = sentence.ends_with('.') || sentence.ends_with('?') || sentence.ends_with('!');
    return hasEnd ? sentence : sentence + ".";
}

namespace command {

void apply(Session& session, const Ask& command) {
    if (command.what == Asks::file && session.prompt.asks != Asks::file) session.prompt.folder = usualFolder(session);
    ask(session, command.what, command.text.value_or(""));
}

void apply(Session& session, const AskClose&) {
    if (session.prompt.isOpen()) ask(session, Asks::nothing, "");
}

void apply(Session& session, const Do& command) {
    const Prompt before = session.prompt;
    const auto failed = [&](const std::string& sentence) {
        session.refused = session.prompt.error = sentence;
        if (before.isOpen()) session.focus = Field::prompt;  // to correct it
    };
    const auto parsed = typedCommand(session, command.text);
    if (!parsed) return failed(sentenceOf(parsed.error()));
    if (parsed->id() == Do::kForm.id) return failed("A command cannot run another command.");
    session.prompt.error.clear();
    session.refused.clear();
    const bool looksUp = parsed->id() == LookUp::kForm.id;
    const bool hadLookUp = session.lookUp.open;
    parsed->applyTo(session);
    if (looksUp && !hadLookUp) session.lookUp.open = false;
    if (!session.refused.empty()) return failed(std::string(session.refused));
    if (before.asks == Asks::command) remember(session.recentCommands, parsed->text());
    // The command may have opened another prompt.
    if (session.prompt.serial == before.serial) apply(session, AskClose{});
}

void apply(Session& session, const Folder& command) {
    session.prompt.folder = command.path;
    ask(session, Asks::file, "");
}

void apply(Session& session, const OpenScene& command) {
    const auto tour = tourFrom(command.tour);
    const auto scene = tour ? sceneIndex(*tour, command.scene) : tl::unexpected(tour.error());
    if (!scene) {
        refuse(session, sentenceOf(scene.error()));
        return;
    }
    session.error.clear();
    session.requests.add(request::ReadTour{command.tour, command.scene});
}

void apply(Session& session, const Undo&) {
    if (session.comesBack) return refuse(session, kComesBack);
    if (!undo(session)) refuse(session, "There is nothing to undo.");
}

void apply(Session& session, const Redo&) {
    if (session.comesBack) return refuse(session, kComesBack);
    if (!redo(session)) refuse(session, "There is nothing to redo.");
}

}  // namespace command
}  // namespace whorl::app
