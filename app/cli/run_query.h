// What the subcommands that ask about a range of a run share: their options, and the run.
#pragma once

#include <functional>
#include <memory>

#include "app/cli/option_parser.h"
#include "app/cli/stats.h"
#include "sim/base/error.h"
#include "sim/base/types.h"
#include "sim/machine/machine_config.h"
#include "sim/replay/run.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// A built run, and the requested range of it.
struct RunQuery {
    std::shared_ptr<const sim::Run> run;
    sim::Range range;
};

/// The input, the range and the form of the output: those of StatsOptions, but for --csv. `top` says what --top limits.
void addQueryOptions(OptionParser& command, StatsOptions& options, const std::string& top);

/// What is wrong with a query can often be said before the trace is played on the machine.
using QueryCheck = std::function<sim::Expected<void>(const sim::Trace&, const sim::MachineConfig&)>;

/// Reads the input, checks the query, and plays the input, with progress.
sim::Expected<RunQuery> queriedBy(const StatsOptions& options, const OptionParser& command, const QueryCheck& check);

}  // namespace whorl::app
