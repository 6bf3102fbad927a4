#include "app/commands/stage_commands.h"

#include <cmath>

#include "app/tours/presenting.h"

namespace whorl::app::command {

namespace {

constexpr std::size_t kMaxStrokes = 500;
constexpr std::size_t kMaxPoints = 5000;  ///< per stroke

bool isPlace(glm::vec2 at) {
    return std::isfinite(at.x) && std::isfinite(at.y);
}

}  // namespace

void apply(Session& session, const Present& command) {
    const bool on = command.on.value_or(!session.talk.on);
    if (on == session.talk.on) return;
    if (on) {
        beginTalk(session);
    } else {
        endTalk(session);
    }
}

void apply(Session& session, const StageBlank& command) {
    turn(session.talk.blank, command.on);
}

void apply(Session& session, const StageList& command) {
    turn(session.talk.list, command.on);
}

void apply(Session& session, const Pointer& command) {
    turn(session.talk.pointer, command.on);
    if (session.talk.pointer) session.talk.pen = false;
}

void apply(Session& session, const Pen& command) {
    turn(session.talk.pen, command.on);
    if (session.talk.pen) session.talk.pointer = false;
}

void apply(Session& session, const PenDown& command) {
    auto& strokes = session.talk.strokes;
    if (isPlace(command.at) && strokes.size() < kMaxStrokes) strokes.push_back({command.at});
}

void apply(Session& session, const PenTo& command) {
    auto& strokes = session.talk.strokes;
    if (!isPlace(command.at) || strokes.empty() || strokes.back().size() >= kMaxPoints) return;
    if (strokes.back().back() != command.at) strokes.back().push_back(command.at);
}

void apply(Session& session, const PenClear&) {
    session.talk.strokes.clear();
}

void apply(Session& session, const Speaker& command) {
    turn(session.talk.speaker, command.on);
}

void apply(Session& session, const ClockPause& command) {
    turn(session.talk.clockPaused, command.on);
}

void apply(Session& session, const ClockReset&) {
    session.talk.clock = 0;
}

}  // namespace whorl::app::command
