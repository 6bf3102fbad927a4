// Commands that search the trace for the next or previous event. A search takes time: command::Search requests it, a
// task runs it, and command::SearchBegun, command::SearchFound and command::Message report its progress and result.
#pragma once

#include <string>

#include "app/session/command.h"
#include "app/session/search.h"

namespace whorl::app {

namespace command {

struct Search {
    sim::Direction way = sim::Direction::forward;
    SearchKind kind = SearchKind::miss;
    static constexpr auto kForm = form("search", "search for the next or previous access of a kind",
                                       argument("way", &Search::way), argument("kind", &Search::kind));
};
void apply(Session& session, const Search& command);

struct SearchBegun {
    static constexpr auto kForm = form("search-begun", "the search has begun");
};
void apply(Session& session, const SearchBegun&);

struct SearchFound {
    sim::Tick tick;
    std::uint32_t cpu = 0;
    static constexpr auto kForm = form("search-found", "show the access that was found",
                                       argument("tick", &SearchFound::tick), argument("cpu", &SearchFound::cpu));
};
void apply(Session& session, const SearchFound& command);

struct Message {
    std::string text;
    static constexpr auto kForm = form("message", "show a message", argument("text", &Message::text));
};
void apply(Session& session, const Message& command);

using SearchCommands = CommandList<Search, SearchBegun, SearchFound, Message>;

}  // namespace command
}  // namespace whorl::app
