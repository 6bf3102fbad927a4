#include "app/tasks/run_requests.h"

#include <utility>

#include "app/session/transitions.h"
#include "app/tours/presenting.h"

namespace whorl::app {

std::optional<RunRequests::Begun> RunRequests::begin(Session& session) {
    const auto request = session.requests.take<request::Open>();
    if (!request) return std::nullopt;
    // For the same input on another machine or with another layout, the trace is already in memory.
    const Opened& open = session.opened;
    const bool sameTrace = open.run && isSameTrace(open.request, *request) && !session.keepsPlace;
    if (!sameTrace) {
        compared_.reset();
        matching_.reset();
    }
    std::shared_ptr<const sim::Trace> known = std::exchange(first_, nullptr);
    if (sameTrace) known = open.run->sharedTrace();
    opening_.emplace(runner_, *request, std::move(known));
    return Begun{opening_->request(), sameTrace};
}

std::optional<sim::Expected<Opened>> RunRequests::takeOpened() {
    return opening_ ? opening_->update() : std::nullopt;
}

void RunRequests::update(Session& session) {
    if (opening_ && !opening_->working()) {
        opening_.reset();
        endBuilding(session);
    }
    updateTour(session);
    updateCompared(session);
}

void RunRequests::cancel() {
    if (opening_) opening_->cancel();
    if (compared_) compared_->cancel();
    readingTour_.reset();
    matching_.reset();
}

/// Opens the requested runs beside the open run one after the other, once the open run is there.
void RunRequests::updateCompared(Session& session) {
    if (session.requests.take<request::DropCompared>()) {
        compared_.reset();
        matching_.reset();
    }
    if (matching_ && matching_->done()) {
        enterCompared(session, **matching_->take());
        matching_.reset();
    }
    if (!compared_) {
        const auto request = takeComparedRequest(session);
        if (!request) return;
        const Opened& open = session.opened;
        compared_.emplace(runner_, *request, isSameTrace(open.request, *request) ? open.run->sharedTrace() : nullptr);
    }
    if (auto result = compared_->update()) {
        if (!*result) {
            showError(session, result->error().sentence());
        } else {
            matching_.emplace(runner_, [opened = **result, first = session.opened.run](sim::Progress&) {
                return sim::Expected<ComparedRun>(
                    ComparedRun{.opened = opened, .lines = linesOfBoth(first->trace(), opened.run->trace())});
            });
        }
    }
    if (!compared_->working()) compared_.reset();
}

void RunRequests::updateTour(Session& session) {
    if (auto wanted = session.requests.take<request::ReadTour>()) {
        const auto& sources = session.opened.request.reading.sources.folders;
        readingTour_.emplace(runner_, [wanted = *std::move(wanted), sources](sim::Progress&) {
            return tourStart(wanted.tour, sources).map([&](TourStart start) {
                if (!wanted.scene.empty()) start.scene = sceneIndex(start.tour, wanted.scene).value_or(0);
                return start;
            });
        });
    }
    if (!readingTour_ || !readingTour_->done()) return;
    if (auto read = *std::exchange(readingTour_, std::nullopt)->take()) {
        enterTour(session, *std::move(read));
    } else {
        showError(session, read.error().sentence());
    }
}

}  // namespace whorl::app
