#include "app/commands/bookmark_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/transitions.h"

namespace whorl::app {

namespace {

/// Bookmarks are between accesses: where one is in motion, before it.
double placeOf(const Session& session) {
    return std::floor(session.player.position());
}

std::vector<Bookmark>::iterator firstFrom(std::vector<Bookmark>& bookmarks, double at) {
    return std::lower_bound(bookmarks.begin(), bookmarks.end(), at,
                            [](const Bookmark& b, double place) { return b.at < place; });
}

/// Whether there is room for one more, with a message if not.
bool hasRoom(Session& session) {
    if (session.bookmarks.size() < Session::kMostBookmarks) return true;
    refuse(session, fmt::format("There are {} bookmarks already, as many as are kept.", Session::kMostBookmarks));
    return false;
}

}  // namespace

namespace command {

void apply(Session& session, const SetBookmark&) {
    if (!session.opened.run) return;
    const double at = placeOf(session);
    const auto place = firstFrom(session.bookmarks, at);
    if (place != session.bookmarks.end() && place->at == at) {
        session.bookmarks.erase(place);
    } else if (hasRoom(session)) {
        session.bookmarks.insert(place, {.at = at, .note = {}});
    }
}

void apply(Session& session, const BookmarkNote& command) {
    if (!session.opened.run) return;
    const double at = placeOf(session);
    const auto place = firstFrom(session.bookmarks, at);
    if (place != session.bookmarks.end() && place->at == at) {
        place->note = command.note;
    } else if (hasRoom(session)) {
        session.bookmarks.insert(place, {.at = at, .note = command.note});
    }
}

void apply(Session& session, const BookmarkGo& command) {
    const double now = session.player.position();
    std::vector<Bookmark>& bookmarks = session.bookmarks;
    const bool isForward = command.way == sim::Direction::forward;
    const auto next = std::upper_bound(bookmarks.begin(), bookmarks.end(), now,
                                       [](double place, const Bookmark& b) { return place < b.at; });
    const auto before = firstFrom(bookmarks, now);
    if (isForward ? next == bookmarks.end() : before == bookmarks.begin()) {
        refuse(session, fmt::format("There is no {} bookmark.", isForward ? "further" : "earlier"));
        return;
    }
    session.player.seek(isForward ? next->at : (before - 1)->at, session.end());
}

void apply(Session& session, const BookmarksClear&) {
    session.bookmarks.clear();
}

}  // namespace command
}  // namespace whorl::app
