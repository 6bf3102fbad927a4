#include "app/session/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>

#include "app/session/transitions.h"
#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// The command log for tests; the file is flushed after each command, so that it can be read while the program runs.
void log(const Command& command) {
    static const char* const path = std::getenv("WHORL_COMMAND_LOG");
    if (path == nullptr) return;
    if (std::FILE* const file = std::fopen(path, "a")) {
        fmt::print(file, "{}\n", command.text());
        std::fclose(file);
    }
}

}  // namespace

sim::Expected<Command> parseCommand(std::string_view text) {
    auto words = WHORL_TRY(WordReader::of(text));
    if (words.empty()) return sim::fail({}, "no command is given");
    const std::string id = *words.next();
    const auto types = commandTypes();
    const auto type = std::find_if(types.begin(), types.end(), [&](const CommandType& t) { return t.id == id; });
    if (type != types.end()) return type->parse(words);
    std::vector<std::string> ids;
    std::transform(types.begin(), types.end(), std::back_inserter(ids),
                   [](const auto& t) { return std::string(t.id); });
    return sim::fail({}, fmt::format("there is no command {}", sim::quotedText(id)),
                     std::string(sim::trimmed(sim::didYouMean(id, ids))));
}

void applyAll(Session& session, const Commands& commands) {
    for (const Command& command : commands) {
        const std::shared_ptr<const ViewState> before = captureViewState(session);
        const std::uint64_t moves = session.history.moves();
        session.refused.clear();
        command.applyTo(session);
        if (session.history.moves() == moves && *before != *captureViewState(session)) {
            session.history.note(command.id(), command.flags().joins, before);
        }
        log(command);
    }
}

}  // namespace whorl::app
