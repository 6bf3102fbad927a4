#include "app/tours/undo.h"

#include <memory>

#include "app/session/transitions.h"
#include "app/tours/presenting.h"

namespace whorl::app {

namespace {

void openAgain(Session& session, const std::shared_ptr<const WasOpen>& open) {
    session.error.clear();
    if (open->tour) {
        beginTour(session, *open->tour, open->file, open->scene, open->reading);
        goToScene(session, open->scene);
    } else {
        closeTour(session);
        if (!isSameRun(session.opened.request, open->request)) session.requests.add(request::Open{open->request});
    }
    session.comesBack = open;
    if (!session.requests.has<request::Open>()) comeBack(session);
}

bool move(Session& session, ViewHistory::Direction direction) {
    const ViewHistory::State* const next = session.history.next(direction);
    // Nothing joins what was changed before.
    session.history.rest(ViewHistory::kRest);
    if (next == nullptr) return false;
    const ViewHistory::State wanted = session.history.move(
        direction, next->open ? whatIsOpen(session) : ViewHistory::State{.looked = lookedAt(session)});
    // Opening changes the history, which is not to lose what it has.
    const ViewHistory kept = session.history;
    if (wanted.open) {
        openAgain(session, wanted.open);
    } else {
        lookAgain(*wanted.looked, session.camera, session.look());
    }
    session.history = kept;
    return true;
}

}  // namespace

bool undo(Session& session) {
    return move(session, ViewHistory::Direction::undo);
}

bool redo(Session& session) {
    return move(session, ViewHistory::Direction::redo);
}

}  // namespace whorl::app
