// Records a program and all processes that come from it, each into a file of its own.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/capture/capture.h"
#include "sim/capture/traced_process.h"

namespace whorl::sim {

/// As capture(), of a program whose path and properties are known. The first process is recorded into `path`, the others
/// into files beside it: x.2.whorl, x.3.whorl and so on, by the order in which they begin. It lasts until all recorded
/// processes have ended. Fails only if none of them could be recorded.
Expected<Captured> captureTree(const CaptureOptions& options, const std::string& program, const Executable& executable,
                               const std::string& path, const AskedToStop& asked, Progress& progress);

}  // namespace whorl::sim
