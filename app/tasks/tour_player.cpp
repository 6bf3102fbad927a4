#include "app/tasks/tour_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/transitions.h"
#include "app/tasks/opening.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

TourPlayer::TourPlayer(Session session, const TourStart& tour, const sim::ReadOptions& reading, OpenRun open)
    : session_(std::move(session)), open_(std::move(open)) {
    beginTour(session_, tour.tour, tour.file, tour.scene, reading);
    first_ = session_;
}

sim::Expected<Opened> TourPlayer::opened(const OpenRequest& request) {
    std::shared_ptr<const sim::Trace> known;
    for (const Opened& run : runs_) {
        if (isSameRun(run.request, request)) return run;
        if (isSameTrace(run.request, request)) known = run.run->sharedTrace();
    }
    auto opened = open_(request, std::move(known));
    if (opened) runs_.push_back(*opened);
    return opened;
}

sim::Expected<void> TourPlayer::enter(std::size_t scene) {
    goToScene(session_, scene);
    if (const auto request = session_.requests.take<request::Open>()) enterRun(session_, WHORL_TRY(opened(*request)));
    while (const auto request = takeComparedRequest(session_)) {
        auto second = WHORL_TRY(opened(*request));
        auto lines = linesOfBoth(session_.opened.run->trace(), second.run->trace());
        enterCompared(session_, {.opened = std::move(second), .lines = std::move(lines)});
    }
    // A film has no place for the messages that a window shows beside the picture.
    session_.message.clear();
    const TourScene entered = resolvedScene(tour(), scene);
    if (const double end = session_.end(); entered.end() > end) {
        return sim::fail("",
                         fmt::format("scene \"{}\": {:g} is not a position in its trace, which has {:g} accesses",
                                     entered.id, entered.end(), end),
                         "change its at or its stretch in the tour");
    }
    if (const auto untold = untoldScene(session_)) {
        sim::Progress progress;
        auto said = WHORL_TRY(told(*untold, progress));
        if (!said->error.empty()) return sim::fail("", said->error);
        takeTold(session_, untold->index, std::move(said));
    }
    // The run is complete: a question that is still unknown has no answer.
    if (entered.question && !session_.presentation->question) return sim::fail("", session_.error);
    return {};
}

void TourPlayer::passUntil(double seconds) {
    passTime(session_, std::max(0.0, seconds - session_.presentation->seconds));
}

void TourPlayer::answerQuestion() {
    if (asks()) nextStep(session_);
}

}  // namespace whorl::app
