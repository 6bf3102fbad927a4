#include "app/views/history_query.h"

namespace whorl::app {

void HistoryQuery::ask(const HistoryRequest& request, const std::shared_ptr<sim::Run>& run) {
    task_.ask(request,
              [run, request](sim::Progress& progress) { return orCancelled(historyFor(*run, request, progress)); });
    update(*run);  // the runner may have run it already
}

void HistoryQuery::update(const sim::Run& run) {
    if (!task_.update() || !task_.answer()) return;
    const auto& history = *task_.answer();
    if (views_ && views_->shared() == history) return;
    views_ = std::make_shared<HistoryViews>(run.sharedTrace(), history);
}

void HistoryQuery::reset() {
    task_.reset();
    views_.reset();
}

}  // namespace whorl::app
