#include "app/tours/running.h"

#include <utility>

#include "app/session/transitions.h"
#include "app/tours/presenting.h"

namespace whorl::app {

void startSession(Session& session, SessionStart start) {
    if (start.ground) session.ground = *start.ground;
    session.welcome = start.welcomes && session.recentInputs.empty();
    const sim::ReadOptions reading = start.request.reading;
    session.requests.add(request::Open{std::move(start.request)});
    for (OpenRequest& other : start.compared) session.requests.add(request::OpenCompared{std::move(other)});
    session.lock = start.lock;
    session.playWhenOpen = !start.paused && !start.tour;
    if (start.presents) beginTalk(session);
    session.talk.speaker = start.speaker;
    if (!start.tour) return;
    beginTour(session, std::move(start.tour->tour), std::move(start.tour->file), start.tour->scene, reading);
    session.presentation->asStarted = true;
    applySceneView(session, resolvedScene(*session.presentation->tour, session.presentation->scene));
}

void enterRun(Session& session, Opened next) {
    const bool forScene = isOfScene(session, next.request);
    const bool sameAccesses = session.opened.run && session.opened.run->trace().sharesAccesses(next.run->trace());
    const bool isNewMachine = sameAccesses && session.opened.run->machine() != next.run->machine();
    std::vector<float> rings = forScene && isNewMachine ? ringsOf(session) : std::vector<float>{};
    takeRun(session, std::move(next), forScene);
    if (forScene) enterScene(session, sameAccesses, std::move(rings));
    comeBack(session);
    if (std::exchange(session.playWhenOpen, false)) session.player.play();
}

void passTime(Session& session, double seconds) {
    movePlayhead(session, seconds);
    passSceneTime(session, seconds, session.talk.on && !session.prompt.isOpen());
    moveLook(session, seconds);
}

}  // namespace whorl::app
