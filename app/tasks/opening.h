// From an input (a file or a program) and a machine to a run: synchronously, or in the background with progress.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/opened.h"
#include "app/tasks/task.h"
#include "sim/analysis/line_match.h"
#include "sim/analysis/loop_trials.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The machine of a request, checked; if the request names none, the one stored in `trace` (may be null) is used.
sim::Expected<sim::MachineConfig> machineOf(const OpenRequest& request, const sim::Trace* trace = nullptr);

/// Reads or runs the input and applies the layout changes.
sim::Expected<sim::Trace> traceOf(const OpenRequest& request, sim::Progress& progress);

/// Reads or runs the input and creates a run that is not built yet. `known` (may be null) is the input's trace if it is
/// already in memory; it is reused when only the machine or the layout changes.
sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress);

/// The other orders of the loops of a pattern, which run as the request does, and whose trace is `trace`. None for
/// another input, nor where only a part of its accesses is wanted: which part would be another one.
std::vector<sim::OtherLoops> otherLoopsOf(const OpenRequest& request, const sim::Trace& trace);

/// Which times of two traces belong together by source line; null where no line is in both.
std::shared_ptr<const sim::LineMatch> linesOfBoth(const sim::Trace& a, const sim::Trace& b);

/// Opens and builds in the background. The run is returned as soon as its trace is available, and is built while it is
/// played. Destroying this object cancels the work.
class Opening {
  public:
    Opening(TaskRunner& runner, OpenRequest request, std::shared_ptr<const sim::Trace> known);

    const OpenRequest& request() const { return request_; }
    /// Once per frame: returns the run or the error once it is available; later an error that ended the build.
    std::optional<sim::Expected<Opened>> update();
    /// True while the trace is being read; working() also while the run is being built.
    bool reading() const { return reading_.has_value(); }
    bool working() const { return reading_ || building_ || inParts_; }
    /// Progress of the current stage from 0 to 1; negative if unknown.
    double fraction() const;
    /// How many accesses of the trace have been read.
    std::uint64_t accesses() const { return reading_ ? reading_->accesses() : 0; }
    void cancel();

  private:
    struct Built {};

    TaskRunner& runner_;
    OpenRequest request_;
    std::optional<Task<Opened>> reading_;
    std::optional<Task<Built>> building_;
    std::shared_ptr<sim::Run> inParts_;  ///< the run that is built a part a frame; else null
    sim::Progress ofParts_;
};

}  // namespace whorl::app
