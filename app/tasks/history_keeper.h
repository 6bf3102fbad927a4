// The history of one run, worked out in the background when views need it. Keeps the last one until another is there.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/tasks/background.h"
#include "app/tasks/figures.h"

namespace whorl::app {

struct Session;

class HistoryKeeper {
  public:
    /// Once a frame: takes the answer that has come, and asks for the history that the session's views want of a run.
    /// Another run than before: nothing that is known holds any more.
    void update(const std::shared_ptr<sim::Run>& run, const Session& session);
    void forget();
    /// Stops what is being worked out; it is asked for again only when another is wanted.
    void cancel();

    /// Null while it is not known.
    const std::shared_ptr<const sim::History>& history() const { return history_; }
    bool working() const { return question_ != nullptr; }
    /// How far it is, from 0 to 1; negative when not known.
    double fraction() const { return question_ ? question_->fraction() : -1; }

  private:
    using Question = Background<std::shared_ptr<const sim::History>>;
    void giveUp();

    const sim::Run* of_ = nullptr;
    std::shared_ptr<const sim::History> history_;
    std::unique_ptr<Question> question_;
    std::optional<HistoryWish> wished_;           ///< of the last question
    std::vector<std::unique_ptr<Question>> old_;  ///< given up, and perhaps still busy
};

/// What the views of a session want of a run's history.
HistoryWish historyWished(const Session& session, const sim::Run& run);

}  // namespace whorl::app
