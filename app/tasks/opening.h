// From what a person names (a file or a program, a machine) to a run: at once, or in the background with progress.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/tasks/task.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The machine of a request, checked; the trace, if it is given, may know one for a request that names none.
sim::Expected<sim::MachineConfig> machineOf(const OpenRequest& request, const sim::Trace* trace = nullptr);

/// Reads or runs the input, and sees it with the changes.
sim::Expected<sim::Trace> traceOf(const OpenRequest& request, sim::Progress& progress);

/// Reads or runs the input, and makes a run that is yet to be built. `known` may hold a trace that is already in memory
/// and is used again when only the machine or the layout changes.
sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress);

/// Opens and builds in the background. The run is handed out as soon as its trace is there, and grows while played.
/// Letting go of this cancels what is under way.
class Opening {
  public:
    Opening(TaskRunner& runner, OpenRequest request, std::shared_ptr<const sim::Trace> known);

    const OpenRequest& request() const { return request_; }
    /// Once a frame: the run or the error, once, when it is there; then an error that ended the building, if one did.
    std::optional<sim::Expected<Opened>> update();
    /// True while the trace is being read; then while the run is being built; false when all is done.
    bool reading() const { return reading_.has_value(); }
    bool working() const { return reading_ || building_; }
    /// From 0 to 1 of the stage; negative when not known.
    double fraction() const;
    void cancel();

  private:
    struct Built {};

    TaskRunner& runner_;
    OpenRequest request_;
    std::optional<Task<Opened>> reading_;
    std::optional<Task<Built>> building_;
};

}  // namespace whorl::app
