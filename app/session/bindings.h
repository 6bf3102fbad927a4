// The key bindings: which command each key triggers, as listed in the ? window.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/command.h"

namespace whorl::app {

struct Binding {
    Command command;
    std::string_view section;            ///< of the ? window
    std::string_view words;              ///< text that starts with … continues that of the preceding binding
    std::vector<std::string_view> keys;  ///< chords such as "Space", "Shift+Right", "Ctrl+Q", "?"; at least one
};

/// In the order of the ? window.
std::span<const Binding> bindings();
/// The binding of a chord, or null.
const Binding* bindingForKey(std::string_view chord);
/// The binding of exactly this command, or null.
const Binding* bindingOf(const Command& command);
/// The keys bound to a command, separated by commas; empty if there are none.
std::string keysOf(const Command& command);

}  // namespace whorl::app
