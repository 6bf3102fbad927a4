// One of the things that are offered while something is typed: in the command palette, as positions, as files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace whorl::app {

enum class ChoiceKind : std::uint8_t {
    command,
    setting,
    view,
    scene,
    region,
    line,
    bookmark,
    marker,
    recent,
    program,
    tour,
    folder,
    file,
    typed,  ///< what is typed, as it is
};

/// "command", "source line", …
std::string_view wordOf(ChoiceKind kind);

struct Choice {
    ChoiceKind kind = ChoiceKind::command;
    std::string words;       ///< what it is, in the words of the interface
    std::string detail;      ///< more about it: how a command is written, a line's text; may be empty
    std::string key;         ///< the key that does the same; empty if there is none
    std::string command;     ///< the text of the command that chooses it
    bool needsMore = false;  ///< the command lacks its arguments: it is put in the field
    bool isOff = false;      ///< it cannot be chosen now: a file that is not there any more
};

/// The indices of the choices that fit `typed` (see fuzzyScore): those of just that name, then commands, settings,
/// places and scenes, of each the best first. Of equally good ones those come first that have been chosen lately, by
/// their commands' texts in `recent`; those a little ahead of others, too. If nothing is typed: the recent ones, then
/// all the others in their order.
std::vector<std::size_t> ranked(std::string_view typed, const std::vector<Choice>& choices,
                                std::span<const std::string> recent);

}  // namespace whorl::app
