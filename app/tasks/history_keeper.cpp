#include "app/tasks/history_keeper.h"

#include "app/session/session.h"

namespace whorl::app {

void HistoryKeeper::update(const std::shared_ptr<sim::Run>& run, const Session& session) {
    std::erase_if(old_, [](const auto& question) { return question->done(); });
    if (run.get() != of_) forget();
    of_ = run.get();
    if (question_ && question_->done()) {
        if (auto answer = question_->take(); answer && *answer) history_ = *answer;
        question_.reset();
    }
    if (!run || !session.viewSettings.needsHistory()) return;
    const HistoryWish wish = historyWished(session, *run);
    // What was recorded need not wait for what is simulated.
    if (!run->complete() && !wish.recorded) return;
    if (wished_ == wish) return;
    giveUp();
    wished_ = wish;
    question_ =
        std::make_unique<Question>([run, wish](sim::Progress& progress) { return historyFor(*run, wish, progress); });
}

void HistoryKeeper::forget() {
    giveUp();
    history_.reset();
    wished_.reset();
}

void HistoryKeeper::cancel() {
    if (question_) question_->cancel();
}

void HistoryKeeper::giveUp() {
    if (!question_) return;
    question_->cancel();
    old_.push_back(std::move(question_));
}

HistoryWish historyWished(const Session& session, const sim::Run& run) {
    return {session.range, session.viewSettings.recorded && run.trace().recording() != nullptr};
}

}  // namespace whorl::app
