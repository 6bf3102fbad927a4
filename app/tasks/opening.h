// From what a person names (a file or a program, a machine) to a run: at once, or in the background with progress.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/session/opened.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"

namespace whorl::app {

/// The machine of a request, checked; the trace, if it is given, may know one for a request that names none.
sim::Expected<sim::MachineConfig> machineOf(const OpenRequest& request, const sim::Trace* trace = nullptr);

/// The changes of the layout that a request asks for.
sim::Expected<std::vector<sim::LayoutChange>> changesOf(const OpenRequest& request);

/// Reads or runs the input, and sees it with the changes.
sim::Expected<sim::Trace> traceOf(const OpenRequest& request, sim::Progress& progress);

/// Reads or runs the input, and makes a run that is yet to be built. `known` may hold a trace that is already in memory
/// and is used again when only the machine or the layout changes.
sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress);

/// Opens and builds in a thread of its own. The run is handed out as soon as its trace is there, and grows while
/// played.
class Opening {
  public:
    Opening(OpenRequest request, std::shared_ptr<const sim::Trace> known);
    /// Cancels and waits.
    ~Opening();
    Opening(const Opening&) = delete;
    Opening& operator=(const Opening&) = delete;

    const OpenRequest& request() const { return request_; }
    /// The run or the error, once, when it is there.
    std::optional<sim::Expected<Opened>> take();
    /// True while the trace is being read; then while the run is being built; false when all is done.
    bool reading() const { return !read_.load(); }
    bool working() const { return !done_.load(); }
    /// From 0 to 1 of the stage; negative when not known.
    double fraction() const { return (reading() ? readProgress_ : buildProgress_).fraction(); }
    void cancel();

  private:
    void work(std::shared_ptr<const sim::Trace> known);

    OpenRequest request_;
    sim::Progress readProgress_;
    sim::Progress buildProgress_;
    std::atomic<bool> read_{false};
    std::atomic<bool> done_{false};
    std::mutex mutex_;
    std::optional<sim::Expected<Opened>> result_;
    std::thread thread_;  ///< last, so that it starts when all else is there
};

}  // namespace whorl::app
