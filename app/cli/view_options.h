// Options for how a picture looks: for commands that draw frames.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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

}  // namespace whorl::app
