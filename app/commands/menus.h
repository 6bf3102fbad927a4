// The menus of the window as rows of commands: those of the bar, and the one of what is under the mouse. Pure functions
// of the session; panels draw them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/menu_items.h"
#include "app/session/session.h"

namespace whorl::app {

struct Menu {
    const char* title;
    std::vector<MenuItem> (*items)(const Session& session);
};

/// The menus of the bar, from the left.
std::span<const Menu> menuBar();

/// The buttons at the right end of the bar: what is wanted most, in few words.
std::vector<MenuItem> menuButtons(const Session& session);

/// What a menu was asked about. What is under the mouse is picked before the menu is made.
struct MenuSubject {
    std::string name = {};             ///< stands above the menu
    std::optional<Command> pick = {};  ///< picks what was under the mouse; none: there was nothing to pick
    std::optional<ViewId> view = {};   ///< the view in which it was asked for
    std::optional<double> time = {};   ///< the accesses that had happened under the mouse
    std::optional<double> next = {};   ///< where a click moves the playhead
    bool ofRange = false;              ///< it is about the range
};

/// Whether it picks something that has a menu.
bool picksForMenu(const Command& command);
/// What can be done with it, with what is selected, and with the view.
std::vector<MenuItem> contextMenu(const Session& session, const MenuSubject& subject);

}  // namespace whorl::app
