// Programs that a command records before it does its own work.
#pragma once

#include <string>

#include "app/system/temporary_folder.h"
#include "sim/base/error.h"
#include "sim/capture/capture.h"

namespace whorl::app {

struct RecordedProgram {
    std::string trace;  ///< the path of the file
    int status = 0;     ///< exit status of the program, as a shell reports it
};

/// Records a program into a file of the folder. The caller reports what could not be recorded, after reading the trace.
sim::Expected<RecordedProgram> recordedIn(const TemporaryFolder& folder, const sim::CaptureOptions& options);

}  // namespace whorl::app
