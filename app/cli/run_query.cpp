#include "app/cli/run_query.h"

#include <utility>

#include "app/cli/input_options.h"
#include "app/cli/terminal.h"
#include "sim/replay/measures.h"

namespace whorl::app {

void addQueryOptions(OptionParser& command, StatsOptions& options, const std::string& top) {
    addInputOptions(command, options.input, true);
    command.add("--from", options.from, "the first access that counts; those before only fill the caches",
                {.showDefault = true});
    command.add("--to", options.to, "the access before which counting ends, or end",
                {.showDefault = true, .among = {"end"}});
    command.add("--top", options.top, top, {.showDefault = true, .limits = Limits<int>{1, 1000000000}});
    command.addFlag("--json", options.json, "as JSON instead of text");
    command.add("-o,--output", options.output, "a file; - for standard output",
                {.showDefault = true, .kind = ValueKind::output});
}

sim::Expected<RunQuery> queriedBy(const StatsOptions& options, const OptionParser& command, const QueryCheck& check) {
    auto request = requestOf(options.input, command, options.output);
    if (!request) return tl::unexpected(request.error());
    auto trace = readTrace(*request);
    if (!trace) return tl::unexpected(trace.error());
    auto range = rangeOf(options, **trace);
    if (!range) return tl::unexpected(range.error());
    auto named = machineOf(*request, trace->get());
    if (!named) return tl::unexpected(named.error());
    const auto machine = sim::grownFor(*named, **trace);
    if (!machine) return tl::unexpected(machine.error());
    if (auto sound = check(**trace, *machine); !sound) return tl::unexpected(sound.error());
    sim::Progress progress;
    sim::Expected<std::shared_ptr<const sim::Run>> run = tl::unexpected(sim::Error{});
    withProgress("simulating", progress, [&] { run = sim::builtRun(*trace, *machine, progress); });
    if (!run) return tl::unexpected(run.error());
    return RunQuery{.run = *std::move(run), .range = *range};
}

}  // namespace whorl::app
