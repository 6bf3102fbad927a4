// Scenes of tours as they are said: with the numbers of their runs, which are opened once.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "app/session/tour.h"
#include "app/tasks/opening.h"
#include "app/tours/presenting.h"
#include "app/tours/scene_words.h"

namespace whorl::app {

/// What a request opens, or why it cannot be opened; scenes with the same one share it.
inline const sim::Expected<std::shared_ptr<sim::Run>>& runOfScene(const OpenRequest& request) {
    static std::map<std::string, sim::Expected<std::shared_ptr<sim::Run>>> runs;
    std::string key = request.input + " on " + request.machine;
    for (const std::string& setting : request.settings) key += ", " + setting;
    const auto known = runs.find(key);
    if (known != runs.end()) return known->second;
    sim::Progress progress;
    auto run = open(request, nullptr, progress).map([](const Opened& o) { return o.run; });
    if (run) (*run)->build(progress);
    return runs.emplace(key, std::move(run)).first->second;
}

/// The runs of a resolved scene.
inline ShownRuns runsOfScene(const TourScene& scene) {
    const SceneRuns wanted = runsOf(scene, {});
    ShownRuns runs{.first = runOfScene(wanted.first).value(), .input = wanted.first.input};
    if (wanted.second) {
        runs.second = runOfScene(*wanted.second).value();
        runs.secondInput = wanted.second->input;
        runs.lines = linesOfBoth(runs.first->trace(), runs.second->trace());
    }
    return runs;
}

inline TourScene withNumbers(const TourScene& scene) {
    if (!hasBraces(scene)) return scene;
    sim::Progress progress;
    const SceneInWords said = inWords(scene, runsOfScene(scene), progress).value();
    for (const sim::Error& error : said.errors) ADD_FAILURE() << scene.id << ": " << error.sentence();
    return said.scene;
}

/// The range that the commands of a scene choose last.
inline std::pair<std::uint64_t, std::uint64_t> rangeOf(const TourScene& scene) {
    unsigned long long from = 0;
    unsigned long long to = 0;
    for (const std::string& command : scene.commands) std::sscanf(command.c_str(), "range %llu %llu", &from, &to);
    return {from, to};
}

}  // namespace whorl::app
