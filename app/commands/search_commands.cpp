#include "app/commands/search_commands.h"

#include "app/commands/searching.h"
#include "app/session/transitions.h"

namespace whorl::app {

namespace command {

void apply(Session& session, const Search& command) {
    session.message.clear();
    if (!session.opened.run) return;
    auto search = searchFor(session, command.kind, command.way);
    if (search) {
        session.search = *std::move(search);
    } else {
        refuse(session, "Cannot search: " + search.error().sentence() + ".");
    }
}

void apply(Session& session, const SearchBegun&) {
    session.search.reset();
}

void apply(Session& session, const SearchFound& command) {
    session.player.show(command.tick.value, session.end());
    const bool exists = session.opened.run && command.cpu < session.opened.run->machine().cpus;
    if (session.cpu && exists) session.cpu = command.cpu;
}

void apply(Session& session, const Message& command) {
    session.message = command.text;
}

}  // namespace command
}  // namespace whorl::app
