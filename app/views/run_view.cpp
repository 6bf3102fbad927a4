#include "app/views/run_view.h"

namespace whorl::app {

void RunView::update(const Session& session) {
    cellViews_.update(session);
    timeViews_.update(session, composer_.overview());
    takeHistory();
    if (!session.viewSettings.needsHistory()) return;
    const HistoryRequest request = historyRequestOf(session, *run());
    // A recorded history does not depend on the simulation.
    if (!run()->complete() && !request.recorded) return;
    history_.ask(request, [run = run(), request](sim::Progress& progress) {
        return orCancelled(historyFor(*run, request, progress));
    });
    takeHistory();  // the runner may have run it already
}

void RunView::takeHistory() {
    if (!history_.update() || !history_.answer()) return;
    const auto& history = *history_.answer();
    if (historyViews_ && historyViews_->shared() == history) return;
    historyViews_ = std::make_unique<HistoryViews>(run()->sharedTrace(), history);
    collisionView_ = std::make_unique<CollisionView>(run()->sharedTrace(), history);
}

}  // namespace whorl::app
