// Programs that a command records before it does its own work.
#pragma once

#include <string>

#include "app/tasks/temporary_folder.h"
#include "sim/base/error.h"
#include "sim/capture/capture.h"

namespace whorl::app {

/// Records a program into a file of the folder, and reports what could not be recorded. Returns the path.
sim::Expected<std::string> recordedIn(const TemporaryFolder& folder, const sim::CaptureOptions& options);

}  // namespace whorl::app
