// Programs that are run, and runs that are built.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "sim/programs/program.h"
#include "sim/replay/run.h"
#include "sim/replay/snapshot.h"
#include "support/traces.h"

namespace whorl::sim::test {

/// The trace of a program: "matmul:n=24".
inline Trace ran(const std::string& words) {
    Progress progress;
    auto trace = parseProgramSpec(words).and_then([&](const ProgramSpec& spec) { return runProgram(spec, progress); });
    if (!trace) throw std::runtime_error(trace.error().sentence());
    return *std::move(trace);
}

/// The run of a trace on a machine, built.
inline std::shared_ptr<sim::Run> built(SharedTrace trace, const MachineConfig& machine) {
    auto run = std::make_shared<sim::Run>(std::move(trace), machine);
    Progress progress;
    if (!run->build(progress)) throw std::runtime_error("the run was not built");
    return run;
}
inline std::shared_ptr<sim::Run> built(Trace trace, const MachineConfig& machine) {
    return built(shared(std::move(trace)), machine);
}
inline std::shared_ptr<sim::Run> built(TraceBuilder& builder, const MachineConfig& machine) {
    return built(shared(builder), machine);
}
inline std::shared_ptr<sim::Run> built(std::string_view text, const MachineConfig& machine) {
    return built(shared(text), machine);
}

/// The ages of what the steps of a snapshot did, in accesses; it must outlive the result.
inline auto ageIn(const Snapshot& snapshot) {
    return [&snapshot](const Step& step) { return std::optional(snapshot.t - static_cast<double>(step.tick.value)); };
}

}  // namespace whorl::sim::test
