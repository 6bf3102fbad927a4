#include "app/commands/stage_commands.h"

#include <cmath>

#include "app/tours/presenting.h"

namespace whorl::app::command {

namespace {

constexpr std::size_t kMostStrokes = 500;
constexpr std::size_t kMostPoints = 5000;  ///< of a line

bool isPlace(glm::vec2 at) {
    return std::isfinite(at.x) && std::isfinite(at.y);
}

}  // namespace

void apply(Session& session, const Present& command) {
    const bool on = command.on.value_or(!session.stage.on);
    if (on == session.stage.on) return;
    if (on) {
        beginStage(session);
    } else {
        endStage(session);
    }
}

void apply(Session& session, const StageBlank& command) {
    turn(session.stage.blank, command.on);
}

void apply(Session& session, const StageList& command) {
    turn(session.stage.list, command.on);
}

void apply(Session& session, const Pointer& command) {
    turn(session.stage.pointer, command.on);
    if (session.stage.pointer) session.stage.pen = false;
}

void apply(Session& session, const Pen& command) {
    turn(session.stage.pen, command.on);
    if (session.stage.pen) session.stage.pointer = false;
}

void apply(Session& session, const PenDown& command) {
    auto& strokes = session.stage.strokes;
    if (isPlace(command.at) && strokes.size() < kMostStrokes) strokes.push_back({command.at});
}

void apply(Session& session, const PenTo& command) {
    auto& strokes = session.stage.strokes;
    if (!isPlace(command.at) || strokes.empty() || strokes.back().size() >= kMostPoints) return;
    if (strokes.back().back() != command.at) strokes.back().push_back(command.at);
}

void apply(Session& session, const PenClear&) {
    session.stage.strokes.clear();
}

void apply(Session& session, const Speaker& command) {
    turn(session.stage.speaker, command.on);
}

void apply(Session& session, const ClockPause& command) {
    turn(session.stage.clockPaused, command.on);
}

void apply(Session& session, const ClockReset&) {
    session.stage.clock = 0;
}

}  // namespace whorl::app::command
