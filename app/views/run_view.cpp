#include "app/views/run_view.h"

namespace whorl::app {

void Companion::update(const Session& session) {
    history_.update(run_, session);
    const auto& history = history_.history();
    if (!history) {
        gallery_.reset();
    } else if (!gallery_ || gallery_->shared() != history) {
        gallery_ = std::make_unique<Gallery>(run_->sharedTrace(), history);
    }
}

}  // namespace whorl::app
