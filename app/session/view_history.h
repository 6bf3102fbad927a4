// The undo history of the view: shown views and their settings, the selection, the range, the settings of the pictures,
// and what was opened. Playing and moving the playhead are not part of it.
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
struct ViewState {
    Camera::Sight sight;
    Look look;

    bool operator==(const ViewState&) const = default;
};

/// Excludes running animations and what a view chooses by itself, as the user did not choose them.
std::shared_ptr<const ViewState> captureViewState(const Camera& camera, const Look& look);
/// The reverse: the camera glides back to it.
void restoreViewState(const ViewState& state, Camera& camera, Look& look);

/// What was open when something else was opened.
struct WasOpen {
    OpenRequest request;
    std::shared_ptr<const ViewState> state;
    double position = 0;
    std::array<std::uint64_t, 4> shape{};  ///< shapeOf() its trace: distinguishes traces of the same name
    // The tour whose scene was shown; null: none.
    std::shared_ptr<const Tour> tour = nullptr;
    std::string file = {};
    sim::ReadOptions reading = {};
    std::size_t scene = 0;
};

class ViewHistory {
  public:
    static constexpr std::size_t kMax = 200;
    /// Drags and repeated key presses join into one change until they pause for this many seconds.
    static constexpr double kRest = 0.8;

    struct State {
        std::shared_ptr<const ViewState> state;
        std::shared_ptr<const WasOpen> open = nullptr;  ///< null: as what comes next to it
    };

    /// The command of this id has changed how it looked; `joins`: it is one change with those before it that have the
    /// same id.
    void note(std::string_view id, bool joins, std::shared_ptr<const ViewState> before);
    /// Something else is about to be opened, or a tour to begin: undoing that opens again what is open now.
    void leave(State now);
    /// Time has passed.
    void rest(double seconds) { rested_ += seconds; }

    enum class Direction : std::uint8_t { undo, redo };
    /// The state before the last change, or after it; null if there is none.
    const State* next(Direction direction) const;
    /// Takes that one, which must exist; `now` can be come back to.
    State move(Direction direction, State now);

    /// Forgets the changes since the last opening, or all changes, if what was open no longer exists.
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
