// What the user has changed in what is looked at, to undo it: which views are shown and how, what is selected, the
// range, the settings of the pictures; and what was opened. Playing and moving the playhead are no part of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/camera.h"
#include "app/session/look.h"
#include "app/session/opened.h"

namespace whorl::app {

struct Tour;

/// How a session looks. Two are equal if they look the same.
struct Looked {
    Camera::Sight sight;
    Look look;

    bool operator==(const Looked&) const = default;
};

/// Without what is on its way, and what a view chooses by itself: neither is the user's choice.
std::shared_ptr<const Looked> lookedAt(const Camera& camera, const Look& look);
/// The reverse: the camera glides back to it.
void lookAgain(const Looked& looked, Camera& camera, Look& look);

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

    struct State {
        std::shared_ptr<const Looked> looked;
        std::shared_ptr<const WasOpen> open = nullptr;  ///< null: as what comes next to it
    };

    /// The command of this id has changed how it looked; `joins`: it is one change with those before it that have the
    /// same id.
    void note(std::string_view id, bool joins, std::shared_ptr<const Looked> before);
    /// Something else is about to be opened, or a tour to begin: undoing that opens again what is open now.
    void leave(State now);
    /// Time has passed.
    void rest(double seconds) { rested_ += seconds; }

    enum class Direction : std::uint8_t { undo, redo };
    /// The state before the last change, or after it; null if there is none.
    const State* next(Direction direction) const;
    /// Takes that one, which must exist; `now` can be come back to.
    State move(Direction direction, State now);

    /// Forgets what was changed since something was opened last; or all, as what was open is not there any more.
    void forgetChanges();
    void clear();

    std::size_t undoable() const { return past_.size(); }
    std::size_t redoable() const { return future_.size(); }
    /// Changes whenever a state was given back, or all were forgotten.
    std::uint64_t moves() const { return moves_; }

  private:
    void add(State state);

    std::vector<State> past_;  ///< the oldest first
    std::vector<State> future_;
    std::string last_;  ///< the id of the last change; empty: nothing can join it
    double rested_ = 0;
    std::uint64_t moves_ = 0;
};

}  // namespace whorl::app
