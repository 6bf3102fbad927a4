#include "app/opening.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {

namespace {

/// A name is a program's unless there is a file of that name: "./matmul" is always a file.
bool isProgram(const std::string& input) {
    const std::string name = input.substr(0, input.find(':'));
    return sim::programNamed(name) != nullptr && !std::filesystem::exists(input);
}

bool looksLikeProgram(const std::string& input) {
    return input != "-" && !std::filesystem::exists(input) && input.find('/') == std::string::npos &&
           input.find('.') == std::string::npos;
}

sim::Expected<sim::Trace> traceFrom(const OpenRequest& request, sim::Progress& progress) {
    if (isProgram(request.input) || looksLikeProgram(request.input)) {
        return sim::parseProgramSpec(request.input).and_then([&](const sim::ProgramSpec& spec) {
            return sim::runProgram(spec, progress);
        });
    }
    return sim::readTrace(request.input, request.reading, progress);
}

/// The machine that the request names, or its program's own. Nothing when it is left to the trace.
std::optional<sim::Expected<sim::MachineConfig>> machineNamed(const OpenRequest& request) {
    if (!request.machine.empty()) return sim::machineFrom(request.machine);
    if (!isProgram(request.input)) return std::nullopt;
    return sim::machineFrom(sim::programNamed(request.input.substr(0, request.input.find(':')))->machine);
}

/// The machine that the trace was made on or for, if it says so.
sim::Expected<sim::MachineConfig> machineIn(const sim::Trace& trace, const std::string& input) {
    if (trace.machine().empty()) return sim::machineFrom("default");
    auto machine = sim::parseMachineJson(trace.machine(), fmt::format("{}, the machine in it", input));
    if (!machine) {
        std::string& hint = machine.error().hint;
        hint += std::string(hint.empty() ? "" : "; or ") + "name another machine with --machine";
    }
    return machine;
}

}  // namespace

sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress) {
    // The machine first: a slip in it should not cost the reading of a long trace.
    auto machine = machineNamed(request);
    if (machine && !*machine) return tl::unexpected(machine->error());
    if (!known) {
        auto trace = traceFrom(request, progress);
        if (!trace) return tl::unexpected(trace.error());
        known = std::make_shared<const sim::Trace>(std::move(*trace));
    }
    if (!machine) machine = machineIn(*known, request.input);
    // The run raises the number of CPUs to the trace's, and there may be more caches then than any machine has.
    const auto raised = [&](const sim::MachineConfig& m) {
        return sim::checked(sim::withCpus(m, known->cpus()), request.input);
    };
    const auto sound = machine->and_then(raised);
    if (!sound) return tl::unexpected(sound.error());
    const std::uint32_t block = sound->levels.back().block;
    Opened opened{.request = request, .run = std::make_shared<sim::Run>(known, *sound), .homes = nullptr};
    opened.homes = std::make_shared<const scene::Homes>(*known, block);
    return opened;
}

Opening::Opening(OpenRequest request, std::shared_ptr<const sim::Trace> known)
    : request_(std::move(request)), thread_([this, known = std::move(known)]() mutable { work(std::move(known)); }) {}

Opening::~Opening() {
    cancel();
    thread_.join();
}

void Opening::cancel() {
    readProgress_.cancel();
    buildProgress_.cancel();
}

void Opening::work(std::shared_ptr<const sim::Trace> known) {
    sim::Expected<Opened> opened = open(request_, std::move(known), readProgress_);
    const std::shared_ptr<sim::Run> run = opened ? opened->run : nullptr;
    {
        const std::lock_guard lock(mutex_);
        result_ = std::move(opened);
    }
    read_ = true;
    if (run) run->build(buildProgress_);
    done_ = true;
}

std::optional<sim::Expected<Opened>> Opening::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(result_, std::nullopt);
}

}  // namespace whorl::app
