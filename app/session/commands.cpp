#include "app/session/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

#include "sim/base/text.h"

namespace whorl::app {

namespace {

std::vector<CommandType> allTypes() {
    using namespace command;
    std::vector<CommandType> all;
    for (const std::vector<CommandType>& theme :
         {typesOf(TimeCommands{}), typesOf(SearchCommands{}), typesOf(SelectionCommands{}), typesOf(DisplayCommands{}),
          typesOf(CameraCommands{}), typesOf(PictureCommands{}), typesOf(ViewCommands{}), typesOf(CellCommands{}),
          typesOf(PlaceCommands{}), typesOf(PredictCommands{}), typesOf(RunCommands{}), typesOf(PromptCommands{}),
          typesOf(BookmarkCommands{}), typesOf(CopyCommands{}), typesOf(TourCommands{}), typesOf(StageCommands{})}) {
        all.insert(all.end(), theme.begin(), theme.end());
    }
    for (const Setting& setting : settings()) {
        if (!setting.id.empty()) all.push_back(commandTypeOf(setting));
    }
    return all;
}

/// The command log for tests; the file is flushed after each command, so that it can be read while the program runs.
void log(const Command& command) {
    static const char* const path = std::getenv("WHORL_COMMAND_LOG");
    if (path != nullptr) std::ofstream(path, std::ios::app) << command.text() << '\n';
}

}  // namespace

std::span<const CommandType> commandTypes() {
    static const std::vector<CommandType> all = allTypes();
    return all;
}

sim::Expected<Command> parseCommand(std::string_view text) {
    auto words = WordReader::of(text);
    if (!words) return tl::unexpected(words.error());
    if (words->empty()) return sim::fail({}, "no command is given");
    const std::string id = *words->next();
    const auto types = commandTypes();
    const auto type = std::find_if(types.begin(), types.end(), [&](const CommandType& t) { return t.id == id; });
    if (type != types.end()) return type->parse(*words);
    std::vector<std::string> ids;
    std::transform(types.begin(), types.end(), std::back_inserter(ids),
                   [](const auto& t) { return std::string(t.id); });
    return sim::fail({}, fmt::format("there is no command {}", sim::quotedText(id)),
                     std::string(sim::trimmed(sim::didYouMean(id, ids))));
}

void applyAll(Session& session, const Commands& commands) {
    for (const Command& command : commands) {
        const std::shared_ptr<const Looked> before = lookedAt(session);
        const std::uint64_t moves = session.history.moves();
        session.refused.clear();
        command.applyTo(session);
        if (session.history.moves() == moves) session.history.note(command, before, session);
        log(command);
    }
}

}  // namespace whorl::app
