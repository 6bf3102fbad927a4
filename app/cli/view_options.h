// Options for how a picture looks: for commands that draw frames, of any view and of cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/session/session.h"
#include "app/session/settings.h"

namespace whorl::app {

struct ViewOptions {
    std::optional<std::uint32_t> cpu;
    std::string gauge;
    float zoom = 1;
    std::string focus;
};

/// Adds the option of a setting, which changes it in `look`.
void addSettingOption(OptionParser& command, const Setting& setting, Look& look);

/// Adds those of all settings that have one, and --cpu, --disk, --zoom and --focus.
void addViewOptions(OptionParser& command, ViewOptions& options, Session& session);

/// Applies them to a session whose run is open. An error names an invalid value.
sim::Expected<void> takeOver(const ViewOptions& options, Session& session);

// Options for views of cells of memory and of caches: for commands that draw frames.

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
    bool treemap = false;
    bool logarithmic = false;
    bool interleaved = false;
};

/// Adds --metric, --cell, --width, --pixels, --groups, --hilbert, --treemap, --log, --boundaries, --half-life,
/// --conflicts and --interleaved.
void addCellOptions(OptionParser& command, CellOptions& options);

/// Applies them to the views of cells that a session shows; its run is open. An error names an invalid value.
sim::Expected<void> takeOver(const CellOptions& options, Session& session);

}  // namespace whorl::app
