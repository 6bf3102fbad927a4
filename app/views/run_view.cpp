#include "app/views/run_view.h"

namespace whorl::app {

void RunView::update(const Session& session) {
    history_.update(run_, session);
    const auto& history = history_.history();
    if (!history) {
        historyViews_.reset();
    } else if (!historyViews_ || historyViews_->shared() != history) {
        historyViews_ = std::make_unique<HistoryViews>(run_->sharedTrace(), history);
    }
}

}  // namespace whorl::app
