// The one registry of everything a person can do: id, words, keys, and what it does. Keys, buttons, the ? window and
// the tests all read it; nothing else changes the session.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace whorl::app {

/// A wish, queued by a key or a panel and carried out at the start of the next frame.
struct Command {
    std::string_view action;  ///< an id of the registry
    double number = 0;        ///< for actions that take one
    std::string text = {};
};
using Commands = std::vector<Command>;

struct Action {
    std::string_view id;
    std::string_view section;  ///< where the ? window lists it; empty for actions that only panels queue
    std::string_view words;
    std::vector<std::string_view> keys;  ///< chords such as "Space", "Shift+Right", "Ctrl+Q", "?"
    std::function<void(Session&, const Command&)> apply;
};

/// The parts of the registry that have files of their own.
std::vector<Action> rangeActions();
std::vector<Action> searchActions();
std::vector<Action> lookingActions();   ///< what is shown beside the picture, and whose caches in it
std::vector<Action> zoomActions();      ///< which part of the rings is seen
std::vector<Action> pictureActions();   ///< how the picture looks
std::vector<Action> viewsActions();     ///< which pictures are shown, and how those of the history are looked at
std::vector<Action> choosingActions();  ///< what is selected, found and watched

std::span<const Action> actions();
/// The action with an id; it must exist.
const Action& actionNamed(std::string_view id);
/// The action of a chord, or null.
const Action* actionForKey(std::string_view chord);

/// Carries commands out in order, and writes each to the file that WHORL_ACTION_LOG names, if it is set.
void applyAll(Session& session, const Commands& commands);

}  // namespace whorl::app
