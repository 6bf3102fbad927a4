// Commands that move the playhead, set the pace, choose a range of the trace, search for events, and mark places.
//
// A search takes time: command::Search requests it, a task runs it, and command::SearchBegun, command::SearchFound and
// command::Message report its progress and result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/command.h"
#include "app/session/requests.h"

namespace whorl::app {

namespace command {

struct Play {
    static constexpr auto kForm = form("play", "play or pause");
};
void apply(Session& session, const Play&);

struct Step {
    std::int64_t accesses = 1;
    static constexpr auto kForm =
        form("step", "this many accesses forward, or back if negative", argument("accesses", &Step::accesses));
};
void apply(Session& session, const Step& command);

/// Moves in units of a fiftieth of the trace, at least ten accesses each.
struct Stride {
    std::int32_t strides = 1;
    static constexpr auto kForm = form("stride", "this many fiftieths of the trace forward, or back if negative",
                                       argument("stretches", &Stride::strides));
};
void apply(Session& session, const Stride& command);

struct Seek {
    Position position;
    static constexpr auto kForm = form("seek", "move the playhead", argument("position", &Seek::position));
};
void apply(Session& session, const Seek& command);

struct SeekStart {
    static constexpr auto kForm = form("seek-start", "to the start");
};
void apply(Session& session, const SeekStart&);

struct SeekEnd {
    static constexpr auto kForm = form("seek-end", "to the end");
};
void apply(Session& session, const SeekEnd&);

struct Faster {
    static constexpr auto kForm = form("faster", "the next higher playback speed");
};
void apply(Session& session, const Faster&);

struct Slower {
    static constexpr auto kForm = form("slower", "the next lower playback speed");
};
void apply(Session& session, const Slower&);

struct Pace {
    double accessesPerSecond = 1;
    static constexpr auto kForm =
        sceneForm("pace", "the playback speed, in accesses per second", argument("pace", &Pace::accessesPerSecond));
};
void apply(Session& session, const Pace& command);

/// Switches between stepping and an overview of the whole run.
struct PaceOverview {
    static constexpr auto kForm = form("pace-overview", "play step by step, or all of the run in two minutes");
};
void apply(Session& session, const PaceOverview&);

struct Loop {
    Switch on;
    static constexpr auto kForm = sceneForm("loop", "loop: start again at the end", argument("on", &Loop::on));
};
void apply(Session& session, const Loop& command);

struct Range {
    Position from;
    Position to;
    static constexpr auto kForm =
        sceneForm("range", "set the range, in accesses", argument("from", &Range::from), argument("to", &Range::to))
            .joining();
};
void apply(Session& session, const Range& command);

struct RangeStart {
    static constexpr auto kForm = form("range-start", "start the range at the playhead");
};
void apply(Session& session, const RangeStart&);

struct RangeEnd {
    static constexpr auto kForm = form("range-end", "end the range at the playhead");
};
void apply(Session& session, const RangeEnd&);

struct RangeClear {
    static constexpr auto kForm = form("range-clear", "clear the range");
};
void apply(Session& session, const RangeClear&);

using TimeCommands = CommandList<Play, Step, Stride, Seek, SeekStart, SeekEnd, Faster, Slower, Pace, PaceOverview, Loop,
                                 Range, RangeStart, RangeEnd, RangeClear>;

struct Search {
    sim::Direction way = sim::Direction::forward;
    SearchKind kind = SearchKind::miss;
    static constexpr auto kForm = form("search", "search for the next or previous access of a kind",
                                       argument("way", &Search::way), argument("kind", &Search::kind));
};
void apply(Session& session, const Search& command);

/// The range then begins with the first access that such a search finds, and ends after the last.
struct RangeOf {
    SearchKind kind = SearchKind::blockAccess;
    static constexpr auto kForm =
        form("range-of", "set the range from the first to the last of what a search finds, such as line-access",
             argument("kind", &RangeOf::kind));
};
void apply(Session& session, const RangeOf& command);

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

using SearchCommands = CommandList<Search, RangeOf, SearchBegun, SearchFound, Message>;

/// Marks the place of the playhead, or no longer.
struct SetBookmark {
    static constexpr auto kForm = form("bookmark", "set a bookmark at the playhead, or remove it");
};
void apply(Session& session, const SetBookmark&);

/// Marks the place of the playhead, or changes the note there.
struct BookmarkNote {
    std::string note;
    static constexpr auto kForm =
        form("bookmark-note", "set a bookmark with a note at the playhead", argument("note", &BookmarkNote::note));
};
void apply(Session& session, const BookmarkNote& command);

struct BookmarkGo {
    sim::Direction way = sim::Direction::forward;
    static constexpr auto kForm =
        form("bookmark-go", "go to the next or previous bookmark", argument("way", &BookmarkGo::way));
};
void apply(Session& session, const BookmarkGo& command);

struct BookmarksClear {
    static constexpr auto kForm = form("bookmarks-clear", "remove all bookmarks of this input");
};
void apply(Session& session, const BookmarksClear&);

using BookmarkCommands = CommandList<SetBookmark, BookmarkNote, BookmarkGo, BookmarksClear>;

}  // namespace command

}  // namespace whorl::app
