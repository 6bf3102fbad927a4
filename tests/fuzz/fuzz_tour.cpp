// Any text as a tour: what is read is valid, can be found by its ids, and reads back as the same tour.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/session/opened.h"
#include "app/session/tour.h"
#include "fuzz/check.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {
namespace {

using nlohmann::json;

json written(const TourScene& scene) {
    json out = {
        {"id", scene.id}, {"title", scene.title}, {"words", scene.words}, {"input", scene.input}, {"at", scene.at}};
    if (!scene.machine.empty()) out["machine"] = scene.machine;
    if (scene.history) out["history"] = *scene.history;
    if (scene.lapse) out["lapse"] = *scene.lapse;
    if (scene.elements) out["elements"] = *scene.elements;
    return out;
}

std::string written(const Tour& tour) {
    json out = {{"scenes", json::array()}};
    if (!tour.title.empty()) out["title"] = tour.title;
    if (!tour.source.empty()) out["source"] = tour.source;
    for (const TourScene& scene : tour.scenes) out["scenes"].push_back(written(scene));
    return out.dump();
}

void checkScene(const Tour& tour, const TourScene& scene) {
    check(!scene.title.empty() && !scene.words.empty() && !scene.input.empty());
    check(std::isfinite(scene.at) && scene.at >= 0);
    check(!scene.lapse || *scene.lapse > 0);
    check(!namesProgram(scene.input) || sim::parseProgramSpec(scene.input).has_value());
    check(scene.machine.empty() || sim::loadMachine(scene.machine).has_value());
    const auto found = sceneNamed(tour, scene.id);
    check(found.has_value() && *found == scene);  // no other has its id
}

/// The built-in machines can be named; other words would be files of this computer.
bool namesFiles(std::string_view text) {
    return text.find('/') != std::string_view::npos || text.find('\\') != std::string_view::npos;
}

}  // namespace
}  // namespace whorl::app

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace whorl;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (app::namesFiles(text)) return 0;
    const auto tour = app::parseTour(text, "fuzz.json");
    if (!tour) {
        checkSentences(tour.error());
        return 0;
    }
    check(!tour->scenes.empty());
    for (const app::TourScene& scene : tour->scenes) app::checkScene(*tour, scene);
    check(!app::sceneNamed(*tour, "No Such Id"));
    const auto again = app::parseTour(app::written(*tour), "again.json");
    check(again.has_value() && *again == *tour);
    return 0;
}
