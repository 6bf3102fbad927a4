// What a person has chosen of how things look, kept from one time to the next as JSON: ground, text, the panels' sizes,
// how the picture looks. Not what is open, nor what is chosen in it.
#pragma once

#include <string>

#include "app/session/session.h"
#include "sim/base/error.h"

namespace whorl::app {

class StateFile {
  public:
    /// $XDG_STATE_HOME/whorl/session.json, or that in ~/.local/state; empty when neither place is known.
    static std::string usualPath();

    /// A file without a path keeps nothing.
    explicit StateFile(std::string path) : path_(std::move(path)) {}

    /// Takes over what is kept. A file that is not there is no error; after one that cannot be understood the session
    /// is as it was, and the file is moved aside before it is written.
    sim::Expected<void> load(Session& session);
    /// What the session says now is not the person's choice but the command's, or a scene's: it is not kept until it
    /// changes.
    void begin(const Session& session);
    /// Writes what has changed since, beside the file and then in its place; nothing when nothing has.
    sim::Expected<void> save(const Session& session);

    const std::string& path() const { return path_; }

  private:
    std::string path_;
    std::string kept_;       ///< what the file says, as stateOf() would
    std::string begun_;      ///< what the session said when it began
    bool isBroken_ = false;  ///< the file is there and is not ours to overwrite
};

/// All that is kept of a session, as JSON; and back, all or nothing. `file` opens the error's sentence.
std::string stateOf(const Session& session);
sim::Expected<void> takeState(const std::string& json, const std::string& file, Session& session);

}  // namespace whorl::app
