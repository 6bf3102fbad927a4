#include "app/commands/tour_commands.h"

#include <algorithm>
#include <utility>

#include "app/commands/moment.h"
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
    if (session.opened.run) addMoment(session, momentOf(session));
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
    sayInScene(session, command.scene, command.what, command.text);
}

void apply(Session& session, const TourPlay& command) {
    const double size = session.opened.run ? static_cast<double>(session.opened.run->trace().size()) : 0;
    const double now = session.player.position();
    playInScene(session, command.to ? std::optional(command.to->in(size, now)) : std::nullopt);
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

}  // namespace whorl::app::command
