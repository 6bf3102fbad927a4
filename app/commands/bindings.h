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
    std::string_view section;            ///< section of the ? window
    std::string_view words;              ///< text that starts with … continues that of the preceding binding
    std::vector<std::string_view> keys;  ///< chords such as "Space", "Shift+Right", "Ctrl+Q", "?"; at least one
    std::string alone = {};              ///< words for this binding alone, if `words` describes several bindings
};

/// A key that is not bound to a command: it works only in the context `where`, and replaces its binding there.
struct FixedKey {
    std::string_view key;
    std::string_view where;  ///< "in lists that are open"
    std::string_view words;
};

/// In the order of the ? window.
std::span<const Binding> bindings();
std::span<const FixedKey> fixedKeys();
/// All keys as a table in Markdown, a section after the other.
std::string tableOfKeys();
/// The bindings of a talk, the only ones while the stage is on. `hasTour`: steps go through the tour's scenes.
std::span<const Binding> stageBindings(bool hasTour);
/// The binding of a chord, or null.
const Binding* bindingForKey(std::string_view chord);
/// The binding of a chord in the session's current state (in a talk: a stage binding), or null.
const Binding* bindingForKey(std::string_view chord, const Session& session);
/// The binding of exactly this command, or null.
const Binding* bindingOf(const Command& command);
/// The keys bound to a command, separated by commas; empty if there are none.
std::string keysOf(const Command& command);

}  // namespace whorl::app
