// What to open, and what is open: plain data. Opening takes time and is a task (app/tasks/opening.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "render/scene/region_looks.h"
#include "render/scene/rings/subject.h"
#include "sim/replay/access_clock.h"
#include "sim/replay/run.h"
#include "sim/trace/layout/layout_change.h"
#include "sim/trace/reader.h"

namespace whorl::app {

/// A request to open something. `input` is a file, "-", a program with its options ("matmul:n=16,variant=blocked"), or
/// a pattern ("pattern:for i in 0..16 { read A[i] }").
struct OpenRequest {
    std::string input;
    std::string machine;  ///< as for `loadMachine`; empty: the program's or the trace's own machine, or the default
    std::vector<std::string> settings;  ///< "L2.policy=fifo": changes to the machine, as for `withValue`
    sim::ReadOptions reading;
    std::vector<sim::LayoutChange> changes = {};  ///< changes to the memory layout
};

/// The request for what stands beside a run: another input, another machine, which does not get the settings of the
/// first, or other values of the machine, which replace those of the first; empty: the same.
OpenRequest secondOf(const OpenRequest& first, const std::string& input, const std::string& machine,
                     const std::vector<std::string>& settings = {});

/// The files that a request reads, and "-" if it reads standard input.
std::vector<std::string> inputFiles(const OpenRequest& request);

/// Whether what is otherwise read in the same way is the same trace: the same input, in the same order.
bool isSameTrace(const OpenRequest& a, const OpenRequest& b);
/// Whether it is the same run.
bool isSameRun(const OpenRequest& a, const OpenRequest& b);

/// What is open.
struct Opened {
    OpenRequest request;
    std::shared_ptr<sim::Run> run;
    std::shared_ptr<const scene::MemorySlots> memorySlots;
    std::shared_ptr<const scene::RegionLooks> regionLooks;
    std::shared_ptr<sim::AccessClock> clock = {};  ///< clock of the run, if it is played by cycles; see Session::clock
    std::vector<std::uint64_t> usable = {};        ///< blocks that the caches of each level can hold of the trace
    std::uint64_t idleCpus = 0;                    ///< the CPUs that make no access, a bit each
    /// Where playing starts: the number of accesses before the first recorded one. 0 if none is recorded.
    std::uint64_t start = 0;
};

/// Whether the input is a built-in program or a pattern. A program's name counts as such unless a file of that name
/// exists:
/// "./matmul" is always a file.
bool isProgram(const std::string& input);

/// Whether the input is a built-in program or looks like the name of one.
bool namesProgram(const std::string& input);

/// Whether the request is for a file with a pattern: its name ends in .pattern, and no format of traces is given.
bool isPatternFile(const OpenRequest& request);

/// What to call an input in messages: as it was named, but a pattern is shortened.
std::string nameOfInput(const std::string& input);

}  // namespace whorl::app
