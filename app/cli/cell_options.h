// Options for views of cells of memory and of caches: for commands that draw frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/session/session.h"

namespace whorl::app {

struct CellOptions {
    std::string metric;
    std::string cell;
    std::string width;
    std::string groups;
    std::vector<std::string> boundaries;
    std::string conflicts;
    std::string order;
    std::optional<float> halfLife;
    int pixels = 0;
    bool hilbert = false;
    bool logarithmic = false;
    bool interleaved = false;
};

/// Adds --metric, --cell, --width, --pixels, --groups, --hilbert, --log, --boundaries, --half-life, --conflicts and
/// --interleaved.
void addCellOptions(OptionParser& command, CellOptions& options);

/// Applies them to the views of cells that a session shows; its run is open. An error names an invalid value.
sim::Expected<void> takeOver(const CellOptions& options, Session& session);

}  // namespace whorl::app
