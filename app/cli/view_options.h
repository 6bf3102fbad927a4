// Options for how a picture looks: for commands that draw frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/option_parser.h"
#include "app/session/session.h"

namespace whorl::app {

struct ViewOptions {
    std::optional<std::uint32_t> cpu;
    std::optional<std::uint64_t> lapse;
    std::string gauge;
    float zoom = 1;
    std::string focus;
};

/// Adds --ground dark|light.
void addGroundOption(OptionParser& command, scene::Ground& ground);

/// Adds --ground, --panels, --caption, --trails, --cpu, --lapse, --elements, --rings, --disk, --zoom, --focus,
/// --fill-by-use, --scale, --lecture and --reduced-motion.
void addViewOptions(OptionParser& command, ViewOptions& options, Session& session);

/// Applies them to a session whose run is open. An error names an invalid value.
sim::Expected<void> takeOver(const ViewOptions& options, Session& session);

}  // namespace whorl::app
