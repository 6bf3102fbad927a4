#include "app/cli/given_input.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/tasks/opening.h"
#include "app/tasks/ticker.h"
#include "app/tours/tour_catalogue.h"

namespace whorl::app {

namespace {

/// Who presses a key waits no longer.
constexpr std::chrono::milliseconds kMoment{400};

/// Shells leave the ~ of words that they have not run.
std::string fromHome(const std::string& path) {
    const char* const home = std::getenv("HOME");
    return home != nullptr && path.starts_with("~/") ? home + path.substr(1) : path;
}

OpenRequest requestFor(const GivenInput& given) {
    OpenRequest request{.input = fromHome(given.input), .machine = given.machine, .settings = given.settings};
    if (!given.scene.empty()) {
        const auto tour = tourOf(given);
        const auto scene = tour ? sceneNamed(*tour, given.scene) : sim::fail({}, {});
        if (scene) {
            request.input = scene->input;
            if (request.machine.empty()) request.machine = scene->machine;
        }
    }
    request.reading.sources.none = true;
    request.reading.format = sim::formatNamed(given.format);
    request.reading.regions = fromHome(given.regions);
    request.reading.chironSources = fromHome(given.chironSources);
    return request;
}

std::shared_ptr<const sim::Trace> readWithin(std::chrono::milliseconds time, const OpenRequest& request) {
    sim::Progress progress;
    const Ticker limit(time, [&] { progress.cancel(); });
    auto trace = traceOf(request, progress);
    return trace ? std::make_shared<const sim::Trace>(*std::move(trace)) : nullptr;
}

}  // namespace

std::optional<Tour> tourOf(const GivenInput& given) {
    auto tour = tourFrom(fromHome(tourWords(given.input, given.tour)), given.sources);
    return tour ? std::optional(*std::move(tour)) : std::nullopt;
}

std::shared_ptr<const sim::Trace> traceAtOnce(const GivenInput& given) {
    OpenRequest request = requestFor(given);
    std::error_code unknown;
    const bool isBuiltIn = isProgram(request.input);
    if (!isBuiltIn && !std::filesystem::is_regular_file(request.input, unknown)) return nullptr;
    auto trace = readWithin(kMoment, request);
    if (trace || !isBuiltIn) return trace;
    // Its arrays have the same names when it works on less.
    request.input = request.input.substr(0, request.input.find(':'));
    return readWithin(kMoment, request);
}

sim::MachineConfig machineOrUsual(const GivenInput& given, const sim::Trace* trace) {
    OpenRequest request = requestFor(given);
    if (auto machine = machineOf(request, trace)) return *std::move(machine);
    return sim::loadMachine("default").value_or(sim::MachineConfig{});
}

}  // namespace whorl::app
