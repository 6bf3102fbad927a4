// Options for which views a picture contains and how those of the run's history are shown: for commands that draw
// frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/session/session.h"
#include "sim/analysis/place.h"

namespace whorl::app {

struct SpaceOptions {
    std::vector<std::string> views;
    std::string sort;  ///< empty, as all others: as the session has it
    bool words = false;
    bool objects = false;
    std::string draw;
    std::string colour;
    std::string shows;
    std::string rows;
    std::string lens;
    bool solid = false;
    bool highlightedOnly = false;
    std::string range;
    std::string seen;
    std::string line;
    std::string object;
    std::string turn;
    std::optional<float> perspective;
    float height = 1;
    std::string by;     ///< collisions: "region", "object" or "class"
    std::string level;  ///< collisions: name of the level
};

/// A view that --view names, and the place or the array to which it keeps.
struct NamedView {
    ViewId view;
    std::optional<sim::Place> place;
    std::string array;  ///< the name of its region; may be empty
};

/// Adds --view.
void addViewOption(OptionParser& command, std::vector<std::string>& views);
/// The views that the words of --view name. An error names an invalid word.
sim::Expected<std::vector<NamedView>> namedViews(const std::vector<std::string>& words, const sim::Trace& trace,
                                                 const sim::MachineConfig& machine);

/// Adds --view, --sort, --words, --objects, --classes, --draw, --colour, --shows, --solid, --lit-only, --rows, --lens,
/// --range, --seen, --line,
/// --object, --turn, --perspective, --height, --by and --level.
void addSpaceOptions(OptionParser& command, SpaceOptions& options, Session& session);

/// Applies them to a session whose run is open. An error names an invalid value.
sim::Expected<void> takeOver(const SpaceOptions& options, Session& session);

}  // namespace whorl::app
