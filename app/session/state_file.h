// Display settings that are saved between sessions as JSON: the window's place, ground, text, panel sizes, appearance
// of the picture. What is open and what is selected in it are not saved.
#pragma once

#include <string>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

class StateFile {
  public:
    /// $XDG_STATE_HOME/whorl/session.json, or the same in ~/.local/state; empty if neither directory is known.
    static std::string usualPath();

    /// With an empty path, nothing is saved.
    explicit StateFile(std::string path) : path_(std::move(path)) {}

    /// Restores the saved settings. A missing file is not an error. If the file is invalid, the session is left
    /// unchanged, and the file is renamed before it is next written.
    sim::Expected<void> load(Session& session);
    /// Marks the session's current settings as set by the command line or a scene, not by the user: they are not saved
    /// until they change.
    void begin(const Session& session);
    /// Saves the changes since then, in a temporary file that replaces the old file; does nothing if there are none.
    sim::Expected<void> save(const Session& session);

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::string kept_;       ///< the contents of the file, in the form of stateOf()
    std::string begun_;      ///< the settings at begin() or at the last save
    bool isBroken_ = false;  ///< the file exists but is invalid and must not be overwritten
};

/// The saved part of a session, as JSON; and the reverse, all or nothing. Error messages start with `file`.
std::string stateOf(const Session& session);
sim::Expected<void> takeState(const std::string& json, const std::string& file, Session& session);

}  // namespace whorl::app
