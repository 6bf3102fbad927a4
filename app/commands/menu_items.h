// Items of a menu, added one after the other, each with the keys of its command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/command.h"
#include "app/session/session.h"

namespace whorl::app {

struct MenuItem {
    std::string words;
    Commands commands = {};         ///< what choosing it does, in this order
    std::string keys = {};          ///< the keys that do the same; empty: there are none
    std::optional<bool> on = {};    ///< whether what it switches is on; none: it switches nothing
    bool isOff = false;             ///< it cannot be chosen now
    bool begins = false;            ///< a line separates it from those above
    std::vector<MenuItem> items{};  ///< those of the menu that it opens
};

class MenuItems {
  public:
    /// The next item begins a group.
    MenuItems& line();
    MenuItems& add(MenuItem item);
    MenuItems& add(std::string words, const Command& command, bool can = true);
    /// Several commands, one after the other.
    MenuItems& all(std::string words, Commands commands, bool can = true);
    MenuItems& toggle(std::string words, const Command& command, bool on, bool can = true);
    /// A menu of items; it cannot be opened without any.
    MenuItems& add(std::string words, std::vector<MenuItem> items);
    /// The setting with this id: an item that switches it, or a menu of its words.
    MenuItems& setting(const Session& session, std::string words, std::string_view id);
    std::vector<MenuItem> take() && { return std::move(items_); }

  private:
    std::vector<MenuItem> items_;
    bool begins_ = false;
};

}  // namespace whorl::app
