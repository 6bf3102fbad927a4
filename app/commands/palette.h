// What the command palette, the field for positions and the dialog for files offer. Pure functions of the session.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/choice.h"
#include "app/session/session.h"
#include "app/session/tour.h"

namespace whorl::app {

/// A tour, and the name under which it is opened.
struct NamedTour {
    std::string name;
    Tour tour;
};

/// What is in a folder, and which of the recent inputs are there no more.
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
