// Recording: frames at a fixed step from one time to another; and what frames and recordings share.
#pragma once

#include <string>

#include "app/cli/values.h"
#include "app/session/session.h"

namespace whorl::app {

struct Recording {
    double from = 0;
    double to = 0;
    double speed = 8;  ///< accesses a second
    int framesPerSecond = 60;
    PixelSize size;
    std::string path;
    bool transparent = false;
};

/// Draws and writes all frames, with progress. The session determines how things look; its run must be built.
sim::Expected<void> record(const Recording& recording, const Session& session);

}  // namespace whorl::app
