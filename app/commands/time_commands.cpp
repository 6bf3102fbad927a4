#include "app/commands/time_commands.h"

#include <algorithm>

#include "app/session/range.h"

namespace whorl::app {

namespace {

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
    const auto stretch = std::max<std::int64_t>(10, static_cast<std::int64_t>(session.end() / 50));
    session.player.step(command.stretches * stretch, session.end());
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

}  // namespace command
}  // namespace whorl::app
