#include "app/commands/time_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/commands/searching.h"
#include "app/session/selection.h"
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
    if (session.bookmarks.size() < Session::kMaxBookmarks) return true;
    refuse(session, fmt::format("There are {} bookmarks already, as many as are kept.", Session::kMaxBookmarks));
    return false;
}

std::uint64_t sizeOf(const Session& session) {
    return session.opened.run ? session.opened.run->trace().size() : 0;
}

double timeOf(const Session& session, const Position& position) {
    return position.in(static_cast<double>(sizeOf(session)), session.player.position());
}

void chooseRange(Session& session, double a, double b) {
    if (sizeOf(session) > 0) session.range = rangeBetween(a, b, sizeOf(session));
}

}  // namespace

namespace command {

void apply(Session& session, const Play&) {
    Player& player = session.player;
    player.playing() ? player.pause() : player.playIn(session.played(), session.end());
}

void apply(Session& session, const Step& command) {
    session.player.step(command.accesses, session.end());
}

void apply(Session& session, const Stride& command) {
    const auto stride = std::max<std::int64_t>(10, static_cast<std::int64_t>(session.end() / 50));
    session.player.step(command.strides * stride, session.end());
}

void apply(Session& session, const Seek& command) {
    const double at = timeOf(session, command.position);
    session.resumeAt.reset();
    // What is not built yet is reached as soon as it is.
    if (at > session.end() && !session.complete()) session.resumeAt = at;
    session.player.seek(at, session.end());
}

void apply(Session& session, const SeekStart&) {
    session.player.seek(0, session.end());
}

void apply(Session& session, const SeekEnd&) {
    session.player.seek(session.end(), session.end());
}

void apply(Session& session, const Faster&) {
    session.player.faster();
    session.paceChosen = true;
}

void apply(Session& session, const Slower&) {
    session.player.slower();
    session.paceChosen = true;
}

void apply(Session& session, const Pace& command) {
    session.player.setPace(command.accessesPerSecond);
    session.paceChosen = true;
}

void apply(Session& session, const PaceOverview&) {
    const bool steps = session.player.pace() <= Player::kStepping;
    session.player.setPace(steps ? Player::overviewPace(session.toPlay()) : Player::kStepping);
}

void apply(Session& session, const Loop& command) {
    session.player.setLoops(command.on.value_or(!session.player.loops()));
}

void apply(Session& session, const Range& command) {
    chooseRange(session, timeOf(session, command.from), timeOf(session, command.to));
}

/// The end is kept if it is after the new start.
void apply(Session& session, const RangeStart&) {
    const auto size = static_cast<double>(sizeOf(session));
    const double at = std::min(session.player.position(), size - 1);
    const double end = session.range ? static_cast<double>(session.range->to.value) : 0;
    chooseRange(session, at, end > at ? end : size);
}

/// The start is kept if it is before the new end.
void apply(Session& session, const RangeEnd&) {
    const double at = std::max(session.player.position(), 1.0);
    const double start = session.range ? static_cast<double>(session.range->from.value) : 0;
    chooseRange(session, start < at ? start : 0, at);
}

void apply(Session& session, const RangeClear&) {
    session.range.reset();
}

namespace {

void start(Session& session, SearchKind kind, sim::Direction way, bool isSpan) {
    session.message.clear();
    if (!session.opened.run) return;
    auto search = searchFor(session, kind, way);
    if (!search) return refuse(session, "Cannot search: " + search.error().sentence() + ".");
    search->isSpan = isSpan;
    if (isSpan) search->from.reset();
    session.search = *std::move(search);
}

}  // namespace

void apply(Session& session, const Search& command) {
    start(session, command.kind, command.way, false);
}

void apply(Session& session, const RangeOf& command) {
    start(session, command.kind, sim::Direction::forward, true);
}

void apply(Session& session, const SearchBegun&) {
    session.search.reset();
}

void apply(Session& session, const SearchFound& command) {
    session.player.show(command.tick.value, session.end());
    const auto at = static_cast<double>(command.tick.value);
    if (session.seen && (at < session.seen->from || at >= session.seen->to)) {
        const double half = session.seen->length() / 2;
        session.seen = scene::keptWithin({at - half, at + half}, std::max(1.0, session.end()));
    }
    const bool exists = session.opened.run && command.cpu < session.opened.run->machine().cpus;
    if (session.cpu && exists) session.cpu = command.cpu;
}

void apply(Session& session, const Message& command) {
    session.message = command.text;
}

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
