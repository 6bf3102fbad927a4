// Commands that mark places of the trace, and go to them.
#pragma once

#include <string>

#include "app/session/command.h"

namespace whorl::app {

namespace command {

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
