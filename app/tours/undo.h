// Undoing what the user has changed in what is looked at, or what was opened; see ViewHistory.
#pragma once

#include "app/session/session.h"

namespace whorl::app {

/// Gives back what was before the last change, or after it. False if there is none. What has to be opened for that
/// comes later: see comeBack().
bool undo(Session& session);
bool redo(Session& session);

}  // namespace whorl::app
