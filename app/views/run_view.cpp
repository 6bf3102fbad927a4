#include "app/views/run_view.h"

#include <algorithm>

namespace whorl::app {

void RunView::update(const Session& session) {
    cellViews_.update(session);
    timeViews_.update(session, composer_.overview());
    lifeViews_.update(session);
    ofRange_.update(*run());
    ofAll_.update(*run());
    if (session.viewSettings.needsHistory() || session.overlays.needsHistory()) askForHistories(session);
    const auto& views = session.range ? ofRange_.views() : ofAll_.views();
    if (!views || views == historyViews_) return;
    historyViews_ = views;
    collisionView_ = std::make_unique<CollisionView>(run()->sharedTrace(), views->shared());
}

void RunView::askForHistories(const Session& session) {
    const HistoryRequest request = historyRequestOf(session, *run());
    // A recorded history does not depend on the simulation.
    if (!run()->complete() && !request.recorded) return;
    const auto& shown = session.viewSettings.shown;
    const bool hasBlocks =
        std::any_of(shown.begin(), shown.end(), [](const ViewId& v) { return v.kind == ViewId::Kind::blocks; });
    const bool needsAll = !request.range || hasBlocks;
    // What was cancelled is repeated once another history is needed.
    const bool wasCancelled = asked_ != request && !ofAll_.views() && !ofAll_.working();
    const bool isOutdated = asked_ && asked_->recorded != request.recorded && !needsAll;
    if (wasCancelled || isOutdated) ofAll_.reset();
    asked_ = request;
    if (request.range) {
        ofRange_.ask(request, run());
    } else {
        ofRange_.reset();
    }
    if (needsAll) ofAll_.ask({.range = std::nullopt, .recorded = request.recorded}, run());
}

std::optional<sim::Counters> RunView::countsOf(const Session& session) {
    if (!session.range) {
        if (composer_.picture() == nullptr) return std::nullopt;
        return composer_.picture()->snapshot.now.counters();
    }
    const sim::Range range = *session.range;
    if (range.to > run()->built()) return std::nullopt;
    if (!counted_ || counted_->range != range) {
        counted_.emplace(Counted{range, run()->stateAt(range.to).counters()});
        counted_->counters -= run()->stateAt(range.from).counters();
    }
    return counted_->counters;
}

std::optional<double> RunView::largest(const ViewId& view, const Session& session, glm::ivec2 size, float scale) {
    if (view.cells()) return cellViews_.largest(view, session, size, scale);
    if (view.isOverTime()) return timeViews_.largest(view, session, composer_.overview(), size, scale);
    const bool collides = view.kind == ViewId::Kind::collisions && collisionView_;
    return collides ? std::optional(collisionView_->largest(session)) : std::nullopt;
}

void RunView::setCommon(const ViewId& view, std::optional<double> most) {
    if (view.cells()) cellViews_.setCommon(view, most);
    if (view.isOverTime()) timeViews_.setCommon(view, most);
    if (view.kind == ViewId::Kind::collisions && collisionView_) collisionView_->setCommon(most);
}

std::optional<sim::Error> RunView::takeError() {
    for (HistoryQuery* query : {&ofRange_, &ofAll_}) {
        if (auto error = query->takeError()) return error;
    }
    if (auto error = timeViews_.takeError()) return error;
    if (auto error = lifeViews_.takeError()) return error;
    return cellViews_.takeError();
}

}  // namespace whorl::app
