#include "app/tasks/opening.h"

#include <fmt/format.h>

#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"
#include "sim/trace/layout/mapped_trace.h"

namespace whorl::app {

namespace {

/// The machine that the trace was made on or for.
sim::Expected<sim::MachineConfig> machineIn(const sim::Trace& trace, const std::string& input) {
    auto machine = sim::parseMachineJson(trace.machine(), fmt::format("{}, the machine in it", input));
    if (!machine) {
        std::string& hint = machine.error().hint;
        hint += std::string(hint.empty() ? "" : "; or ") + "name another machine with --machine";
    }
    return machine;
}

/// Before any settings.
sim::Expected<sim::MachineConfig> plainMachine(const OpenRequest& request, const sim::Trace* trace) {
    if (!request.machine.empty()) return sim::machineFrom(request.machine);
    if (isProgram(request.input)) {
        return sim::machineFrom(sim::programNamed(request.input.substr(0, request.input.find(':')))->machine);
    }
    const bool knows = trace != nullptr && !trace->machine().empty();
    return knows ? machineIn(*trace, request.input) : sim::machineFrom("default");
}

/// As it is, without changes.
sim::Expected<sim::Trace> readOf(const OpenRequest& request, sim::Progress& progress) {
    if (namesProgram(request.input)) {
        return sim::parseProgramSpec(request.input).and_then([&](const sim::ProgramSpec& spec) {
            return sim::runProgram(spec, progress);
        });
    }
    return sim::readTrace(request.input, request.reading, progress);
}

using SharedTrace = std::shared_ptr<const sim::Trace>;

SharedTrace shared(sim::Trace&& trace) {
    return std::make_shared<const sim::Trace>(std::move(trace));
}

/// The trace of a request, made from what is in memory as far as that goes.
sim::Expected<SharedTrace> sharedTraceOf(const OpenRequest& request, const std::vector<sim::LayoutChange>& changes,
                                         SharedTrace known, sim::Progress& progress) {
    if (known && known->changes() == changes) return known;
    if (known && known->original()) known = known->original();
    if (!known) {
        auto read = readOf(request, progress);
        if (!read) return tl::unexpected(read.error());
        known = shared(*std::move(read));
    }
    if (changes.empty()) return known;
    return sim::mapped(known, changes, progress).map(shared);
}

}  // namespace

sim::Expected<sim::MachineConfig> machineOf(const OpenRequest& request, const sim::Trace* trace) {
    auto machine = plainMachine(request, trace);
    if (!machine || request.settings.empty()) return machine;
    for (const std::string& words : request.settings) {
        machine = sim::withValue(*std::move(machine), words);
        if (!machine) return machine;
    }
    return sim::checked(*std::move(machine), {});
}

sim::Expected<std::vector<sim::LayoutChange>> changesOf(const OpenRequest& request) {
    std::vector<sim::LayoutChange> changes;
    changes.reserve(request.changes.size());
    for (const std::string& words : request.changes) {
        auto change = sim::layoutChangeFrom(words);
        if (!change) return tl::unexpected(change.error());
        changes.push_back(*std::move(change));
    }
    return changes;
}

sim::Expected<sim::Trace> traceOf(const OpenRequest& request, sim::Progress& progress) {
    const auto changes = changesOf(request);
    if (!changes) return tl::unexpected(changes.error());
    auto trace = readOf(request, progress);
    if (!trace || changes->empty()) return trace;
    return sim::mapped(shared(*std::move(trace)), *changes, progress);
}

sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress) {
    // The machine and the changes first: a slip in them should not cost the reading of a long trace.
    const bool isNamed = !request.machine.empty() || namesProgram(request.input);
    auto machine = isNamed ? machineOf(request) : sim::MachineConfig{};
    if (!machine) return tl::unexpected(machine.error());
    const auto changes = changesOf(request);
    if (!changes) return tl::unexpected(changes.error());
    auto trace = sharedTraceOf(request, *changes, std::move(known), progress);
    if (!trace) return tl::unexpected(trace.error());
    known = *std::move(trace);
    if (!isNamed) machine = machineOf(request, known.get());
    // The run raises the number of CPUs to the trace's, and there may be more caches then than any machine has.
    auto sound = std::move(machine).and_then(
        [&](sim::MachineConfig m) { return sim::checked(sim::withCpus(std::move(m), known->cpus()), request.input); });
    if (!sound) return tl::unexpected(sound.error());
    const std::uint32_t block = sound->levels.back().block;
    Opened opened{
        .request = request, .run = std::make_shared<sim::Run>(known, *std::move(sound)), .memorySlots = nullptr};
    opened.memorySlots = std::make_shared<const scene::MemorySlots>(*known, block);
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
