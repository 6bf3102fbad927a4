// What the command palette, the field for positions and the dialog for files offer. Pure functions of the session.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "app/session/tour.h"

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

/// One of the things that are offered while something is typed: in the command palette, as positions, as files.
struct Choice {
    ChoiceKind kind = ChoiceKind::command;
    std::string words;       ///< what it is, in the words of the interface
    std::string detail;      ///< more about it: how a command is written, a line's text; may be empty
    std::string key;         ///< the key that does the same; empty if there is none
    std::string command;     ///< the text of the command that chooses it
    bool needsMore = false;  ///< the command lacks its arguments: it is put in the field
    bool isOff = false;      ///< it cannot be chosen now, for example a file that no longer exists
};

/// The indices of the choices that fit `typed` (see fuzzyScore): those of just that name, then commands, settings,
/// places and scenes, of each the best first. Of equally good ones those come first that have been chosen lately, by
/// their commands' texts in `recent`; those a little ahead of others, too. If nothing is typed: the recent ones, then
/// all the others in their order.
std::vector<std::size_t> ranked(std::string_view typed, const std::vector<Choice>& choices,
                                std::span<const std::string> recent);

/// A tour, and the name under which it is opened.
struct NamedTour {
    std::string name;
    Tour tour;
};

/// The contents of a folder, and the recent inputs whose files no longer exist.
struct FolderListing {
    struct Entry {
        std::string name;
        bool isFolder = false;
        std::uint64_t bytes = 0;
    };
    std::string folder;
    std::vector<Entry> entries;  ///< folders first, by name; without hidden ones
    std::set<std::string> missing;
    std::string fault;  ///< why the folder cannot be read; empty if it can
};

/// Commands with their keys, settings, views, scenes, and the regions, source lines and bookmarks of the open run.
std::vector<Choice> paletteChoices(const Session& session, const std::vector<NamedTour>& tours);
/// Bookmarks and the trace's markers.
std::vector<Choice> positionChoices(const Session& session);
/// Recent inputs, the folder, the built-in programs and tours. `listing` is null until the folder has been read.
std::vector<Choice> fileChoices(const Session& session, const std::vector<NamedTour>& tours,
                                const FolderListing* listing);

/// What entering the text itself does, if that means something; it stands before the other choices if `isFirst`.
struct TypedChoice {
    Choice choice;
    bool isFirst = false;
};
std::optional<TypedChoice> typedChoice(const Session& session, std::string_view typed);

}  // namespace whorl::app
