#include "app/tasks/opening.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/analysis/reuse.h"
#include "sim/base/memory_budget.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/pattern/loop_orders.h"
#include "sim/programs/program.h"
#include "sim/trace/filter.h"
#include "sim/trace/layout/mapped_trace.h"
#include "sim/trace/region_file.h"
#include "sim/trace/trace_passes.h"

namespace whorl::app {

namespace {

/// The machine stored in the trace, on or for which it was made.
sim::Expected<sim::MachineConfig> machineIn(const sim::Trace& trace, const std::string& input) {
    auto machine = sim::parseMachineJson(trace.machine(), fmt::format("{}, its machine", input));
    if (!machine) {
        std::string& hint = machine.error().hint;
        hint += std::string(hint.empty() ? "" : "; or ") + "name another machine with --machine";
    }
    return machine;
}

/// The machine without the request's settings.
sim::Expected<sim::MachineConfig> plainMachine(const OpenRequest& request, const sim::Trace* trace) {
    if (!request.machine.empty()) return sim::loadMachine(request.machine);
    if (isProgram(request.input)) {
        return sim::loadMachine(sim::programNamed(request.input.substr(0, request.input.find(':')))->machine);
    }
    const bool knows = trace != nullptr && !trace->machine().empty();
    return knows ? machineIn(*trace, request.input) : sim::loadMachine("default");
}

/// The trace with the regions of a file.
sim::Expected<sim::Trace> named(sim::Trace trace, const std::string& path) {
    auto regions = WHORL_TRY(sim::readRegions(path));
    return sim::withRegions(std::move(trace), std::move(regions), path);
}

/// Whether the input is a program, which is run, or is said not to be one.
bool isRun(const OpenRequest& request) {
    return isPatternFile(request) || namesProgram(request.input);
}

sim::Expected<sim::ProgramSpec> programOf(const OpenRequest& request) {
    return isPatternFile(request) ? sim::patternIn(request.input) : sim::parseProgramSpec(request.input);
}

/// The trace without layout changes.
sim::Expected<sim::Trace> readOf(const OpenRequest& request, sim::Progress& progress) {
    if (isRun(request)) {
        return programOf(request).and_then([&](const sim::ProgramSpec& spec) {
            auto trace = sim::runProgram(spec, progress);
            if (trace && request.reading.sources.none) trace = sim::withoutSourceTexts(*std::move(trace));
            if (trace && !request.reading.regions.empty()) trace = named(*std::move(trace), request.reading.regions);
            const std::string name = nameOfInput(request.input);
            if (trace) trace = sim::inOrder(*std::move(trace), request.reading.order, name, progress);
            if (!trace || request.reading.only.wantsAll()) return trace;
            return sim::filtered(*trace, request.reading.only, name);
        });
    }
    return sim::readTrace(request.input, request.reading, progress);
}

/// Whether a trace was made from another text: a file may have changed since.
bool isOtherText(const sim::Trace& trace, const std::string& text) {
    if (trace.files().empty()) return false;
    const sim::SourceText& was = trace.files().front().lines;
    const sim::SourceText is(text);
    return !std::equal(was.begin(), was.end(), is.begin(), is.end());
}

using SharedTrace = std::shared_ptr<const sim::Trace>;

SharedTrace shared(sim::Trace&& trace) {
    return std::make_shared<const sim::Trace>(std::move(trace));
}

/// The trace of a request, derived from `known` where possible.
sim::Expected<SharedTrace> sharedTraceOf(const OpenRequest& request, SharedTrace known, sim::Progress& progress) {
    const std::vector<sim::LayoutChange>& changes = request.changes;
    if (known && known->changes() == changes) return known;
    if (known && known->original()) known = known->original();
    if (!known) known = shared(WHORL_TRY(readOf(request, progress)));
    if (changes.empty()) return known;
    return sim::mapped(known, changes, progress).map(shared);
}

}  // namespace

sim::Expected<sim::MachineConfig> machineOf(const OpenRequest& request, const sim::Trace* trace) {
    auto machine = WHORL_TRY(plainMachine(request, trace));
    if (request.settings.empty()) return machine;
    for (const std::string& words : request.settings) machine = WHORL_TRY(sim::withValue(std::move(machine), words));
    return sim::checked(std::move(machine), {});
}

sim::Expected<sim::Trace> traceOf(const OpenRequest& request, sim::Progress& progress) {
    auto trace = WHORL_TRY(readOf(request, progress));
    if (request.changes.empty()) return trace;
    return sim::mapped(shared(std::move(trace)), request.changes, progress);
}

sim::Expected<Opened> open(const OpenRequest& request, std::shared_ptr<const sim::Trace> known,
                           sim::Progress& progress) {
    // Check the machine and the changes first, so that an error in them is reported before a long trace is read.
    const bool isNamed = !request.machine.empty() || namesProgram(request.input);
    sim::MachineConfig machine;
    if (isNamed) machine = WHORL_TRY(machineOf(request));
    for (const sim::LayoutChange& change : request.changes) {
        WHORL_TRY(sim::checkedChange(change));
    }
    known = WHORL_TRY(sharedTraceOf(request, std::move(known), progress));
    sim::returnFreedMemory();
    if (!isNamed) machine = WHORL_TRY(machineOf(request, known.get()));
    // The run raises the number of CPUs to the trace's; the machine may then exceed the maximum number of caches.
    machine = WHORL_TRY(sim::checked(sim::withCpus(std::move(machine), known->cpus()), nameOfInput(request.input)));
    auto usable = sim::usableParts(*known, machine, progress);
    if (!usable) return tl::unexpected(sim::Error::byUser());
    const std::uint32_t block = machine.levels.empty() ? sim::kMemoryWord : machine.levels.back().block;
    Opened opened{.request = request,
                  .run = std::make_shared<sim::Run>(known, std::move(machine)),
                  .memorySlots = nullptr,
                  .regionLooks = nullptr,
                  .usable = std::move(usable->blocks),
                  .idleCpus = usable->idleCpus};
    opened.memorySlots = std::make_shared<const scene::MemorySlots>(*known, block);
    opened.regionLooks = std::make_shared<const scene::RegionLooks>(*known);
    const std::uint64_t first = sim::firstRecorded(*known).value;
    if (first < known->size()) opened.start = first;
    return opened;
}

std::vector<sim::OtherLoops> otherLoopsOf(const OpenRequest& request, const sim::Trace& trace) {
    if (!isRun(request) || !request.reading.only.wantsAll()) return {};
    const auto program = programOf(request);
    if (!program || !program->options.contains("text")) return {};
    const std::string& text = program->options.at("text");
    const auto pattern = sim::parsePattern(text, nameOfInput(request.input));
    if (!pattern || isOtherText(trace, text)) return {};
    std::vector<sim::OtherLoops> out;
    for (sim::LoopOrder& order : sim::loopOrders(*pattern)) {
        OpenRequest other = request;
        other.input = "pattern:" + order.text;
        out.push_back(
            {.words = std::move(order.words),
             .line = order.line,
             .text = std::move(order.text),
             .run = [other = std::move(other)](sim::Progress& progress) { return traceOf(other, progress); }});
    }
    return out;
}

std::shared_ptr<const sim::LineMatch> linesOfBoth(const sim::Trace& a, const sim::Trace& b) {
    auto lines = std::make_shared<const sim::LineMatch>(a, b);
    return lines->any() ? lines : nullptr;
}

Opening::Opening(TaskRunner& runner, OpenRequest request, std::shared_ptr<const sim::Trace> known)
    : runner_(runner), request_(std::move(request)) {
    reading_.emplace(runner_, [request = request_, known = std::move(known)](sim::Progress& progress) {
        return open(request, known, progress);
    });
}

std::optional<sim::Expected<Opened>> Opening::update() {
    if (reading_ && reading_->done()) {
        const bool stopped = reading_->cancelled();
        auto opened = reading_->take();
        reading_.reset();
        if (*opened && runner_.holdsUpFrames()) {
            inParts_ = (*opened)->run;
            if (stopped) ofParts_.cancel();
        } else if (*opened) {
            building_.emplace(
                runner_,
                [run = (*opened)->run, threads = runner_.threads()](sim::Progress& progress) -> sim::Expected<Built> {
                    const bool isWhole = run->build(progress, threads);
                    sim::returnFreedMemory();
                    if (!isWhole) return tl::unexpected(sim::Error::byUser());
                    return Built{};
                });
            if (stopped) building_->cancel();
        }
        return opened;
    }
    constexpr std::uint64_t kPart = 1;  // the least: a few hundredths of a second
    if (inParts_ && (!inParts_->buildPart(kPart, ofParts_) || inParts_->complete())) inParts_.reset();
    if (building_ && building_->done()) {
        const auto built = *building_->take();
        building_.reset();
        if (!built && !built.error().cancelled) return tl::unexpected(built.error());
    }
    return std::nullopt;
}

double Opening::fraction() const {
    if (reading_) return reading_->fraction();
    if (inParts_) return ofParts_.fraction();
    return building_ ? building_->fraction() : -1;
}

void Opening::cancel() {
    if (reading_) reading_->cancel();
    if (building_) building_->cancel();
    ofParts_.cancel();
}

}  // namespace whorl::app
