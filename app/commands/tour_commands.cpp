#include "app/commands/tour_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/commands/file_commands.h"
#include "app/commands/moment.h"
#include "app/session/transitions.h"
#include "app/tours/presenting.h"
#include "app/tours/tour_catalogue.h"
#include "app/tours/tour_editing.h"

namespace whorl::app::command {

void apply(Session& session, const TourOpen& command) {
    session.error.clear();
    session.welcome = false;
    session.requests.add(request::ReadTour{command.tour});
}

void apply(Session& session, const TourClose&) {
    closeTour(session);
}

void apply(Session& session, const TourNext&) {
    if (session.welcome) return apply(session, TourOpen{kFirstTour});
    nextStep(session);
}

void apply(Session& session, const TourPrevious&) {
    previousStep(session);
}

void apply(Session& session, const TourGo& command) {
    goToScene(session, command.scene);
}

void apply(Session& session, const TourAnswer& command) {
    answer(session, command.choice);
}

void apply(Session& session, const TourAdd&) {
    session.welcome = false;
    if (!session.opened.run) return;
    if (!session.presentation) session.overlays.tourForm = true;
    addMoment(session, momentOf(session));
}

void apply(Session& session, const TourSet&) {
    if (session.opened.run) setMoment(session, momentOf(session));
}

void apply(Session& session, const TourRemove& command) {
    removeScene(session, command.scene);
}

void apply(Session& session, const TourMove& command) {
    moveScene(session, command.scene, command.to);
}

void apply(Session& session, const TourSay& command) {
    sayInTour(session, command.scene, command.key, command.text);
}

void apply(Session& session, const TourPlay& command) {
    if (!session.presentation) return;
    const double size = session.opened.run ? static_cast<double>(session.opened.run->trace().size()) : 0;
    const auto to = [&] { return std::round(100 * command.to->in(size, session.player.position())) / 100; };
    sayInTour(session, session.presentation->scene, "to", command.to ? fmt::format("{}", to()) : "");
}

void apply(Session& session, const TourUndo&) {
    undoEdit(session);
}

void apply(Session& session, const TourRedo&) {
    redoEdit(session);
}

void apply(Session& session, const TourSave& command) {
    if (!session.presentation) return;
    const std::string file = command.file.value_or(session.presentation->file);
    if (file.empty()) {
        session.error = "The tour has no file yet: type a name such as lecture.tour.json.";
    } else {
        session.requests.add(request::SaveTour{file});
    }
}

void apply(Session& session, const TourEdit& command) {
    turn(session.overlays.tourForm, command.on);
    if (session.overlays.tourForm) session.panels = true;
}

namespace {

void make(Session& session, TourWish::What what) {
    if (!session.presentation) return refuse(session, "No tour is open: begin one, or open one.");
    session.requests.add(request::MakeOfTour{std::make_shared<const TourWish>(wishOf(session, what))});
}

}  // namespace

void apply(Session& session, const TourFilm&) {
    make(session, TourWish::What::film);
}

void apply(Session& session, const TourSlides&) {
    make(session, TourWish::What::slides);
}

void apply(Session& session, const TourCheck&) {
    make(session, TourWish::What::check);
}

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
