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
    std::string alone = {};              ///< the same where it stands alone: if `words` tells of several bindings
};

/// A key that is not bound to a command: it means something only while something else is there, and then only that.
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
/// Those of a talk: while the stage is on there are no others. `hasTour`: steps are those of the tour.
std::span<const Binding> stageBindings(bool hasTour);
/// The binding of a chord, or null.
const Binding* bindingForKey(std::string_view chord);
/// The same while the session is as it is.
const Binding* bindingForKey(std::string_view chord, const Session& session);
/// The binding of exactly this command, or null.
const Binding* bindingOf(const Command& command);
/// The keys bound to a command, separated by commas; empty if there are none.
std::string keysOf(const Command& command);

}  // namespace whorl::app
