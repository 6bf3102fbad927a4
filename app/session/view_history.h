// What the user has changed in what is looked at, to undo it: which views are shown and how, what is selected, the
// range, the settings of the pictures. Playing, moving the playhead and opening are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::app {

struct Session;
struct Looked;

/// The part of the session that is remembered; see view_history.cpp. Two are equal if they look the same.
std::shared_ptr<const Looked> lookedAt(const Session& session);
bool areEqual(const Looked& a, const Looked& b);

class ViewHistory {
  public:
    static constexpr std::size_t kMost = 200;
    /// Drags, and presses of a key that is held down, are one change as long as they do not rest for so many seconds.
    static constexpr double kRest = 0.8;

    /// A command has been executed; `before` is how the session looked until then. Nothing if that has not changed.
    void note(std::string_view id, const std::shared_ptr<const Looked>& before, const Session& after);
    /// Time has passed.
    void rest(double seconds) { rested_ += seconds; }
    /// Gives back what was before the last change, or after it. False if there is none.
    bool undo(Session& session);
    bool redo(Session& session);
    /// What was remembered is of another run.
    void clear();

    std::size_t undoable() const { return past_.size(); }
    std::size_t redoable() const { return future_.size(); }
    /// Changes whenever a state was given back, or all were forgotten.
    std::uint64_t moves() const { return moves_; }

  private:
    using States = std::vector<std::shared_ptr<const Looked>>;

    static bool move(Session& session, States& from, States& to);

    States past_;  ///< the oldest first
    States future_;
    std::string last_;  ///< the id of the last change; empty: nothing can join it
    double rested_ = 0;
    std::uint64_t moves_ = 0;
};

}  // namespace whorl::app
