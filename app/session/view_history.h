// What the user has changed in what is looked at, to undo it: which views are shown and how, what is selected, the
// range, the settings of the pictures; and what was opened. Playing and moving the playhead are no part of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/opened.h"

namespace whorl::app {

class Command;
struct Session;
struct Looked;
struct Tour;

/// The part of the session that is remembered; see view_history.cpp. Two are equal if they look the same.
std::shared_ptr<const Looked> lookedAt(const Session& session);
bool areEqual(const Looked& a, const Looked& b);

/// What was open when something else was opened.
struct WasOpen {
    OpenRequest request;
    std::shared_ptr<const Looked> looked;
    double position = 0;
    std::array<std::uint64_t, 4> shape{};  ///< of its trace: what tells two of one name apart
    // The tour of which a scene was shown; null: none.
    std::shared_ptr<const Tour> tour = nullptr;
    std::string file = {};
    sim::ReadOptions reading = {};
    std::size_t scene = 0;
};

class ViewHistory {
  public:
    static constexpr std::size_t kMost = 200;
    /// Drags, and presses of a key that is held down, are one change as long as they do not rest for so many seconds.
    static constexpr double kRest = 0.8;

    /// A command has been executed; `before` is how the session looked until then. Nothing if that has not changed.
    void note(const Command& command, const std::shared_ptr<const Looked>& before, const Session& after);
    /// Something else is about to be opened, or a tour to begin: undoing that opens again what is open now.
    void leave(const Session& session);
    /// Time has passed.
    void rest(double seconds) { rested_ += seconds; }
    /// Gives back what was before the last change, or after it. False if there is none. What has to be opened for that
    /// comes later: see comeBack().
    bool undo(Session& session);
    bool redo(Session& session);
    /// The open run looks as it did when it was left, if it is the one that undo(), or redo(), asked for.
    static void comeBack(Session& session);
    /// Forgets what was changed since something was opened last; or all, as what was open is not there any more.
    void forgetChanges();
    void clear();

    std::size_t undoable() const { return past_.size(); }
    std::size_t redoable() const { return future_.size(); }
    /// Changes whenever a state was given back, or all were forgotten.
    std::uint64_t moves() const { return moves_; }

  private:
    struct State {
        std::shared_ptr<const Looked> looked;
        std::shared_ptr<const WasOpen> open = nullptr;  ///< null: as what comes next to it
    };
    using States = std::vector<State>;

    void add(State state);
    bool move(Session& session, States ViewHistory::*from, States ViewHistory::*to);

    States past_;  ///< the oldest first
    States future_;
    std::string last_;  ///< the id of the last change; empty: nothing can join it
    double rested_ = 0;
    std::uint64_t moves_ = 0;
};

}  // namespace whorl::app
