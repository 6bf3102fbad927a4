// Any text as a tour: what is read is valid, can be found by its ids, and reads back as the same tour.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/session/opened.h"
#include "app/session/tour.h"
#include "app/tours/presenting.h"
#include "app/tours/scene_words.h"
#include "app/tours/tour_editing.h"
#include "app/tours/tour_json.h"
#include "fuzz/check.h"
#include "sim/machine/machine_config.h"
#include "sim/programs/program.h"

namespace whorl::app {
namespace {

/// What is accepted can be computed, but for divisions by 0, and sizes beyond those of numbers.
void checkExpressions(TourScene scene) {
    const NamedQuantity three = [](std::string_view) { return sim::Quantity{3}; };
    const auto isFine = [](const auto& result) {
        return result || result.error().what.find("divided by 0") != std::string::npos ||
               result.error().what.find("too large") != std::string::npos;
    };
    eachText(scene, [&](const std::string&, std::string& text) { check(isFine(filledIn(text, three))); });
    for (const std::string& claim : scene.claims) check(isFine(triedClaim(claim, three)));
}

void checkScene(const Tour& tour, std::size_t index) {
    const TourScene scene = resolvedScene(tour, index);
    check(!scene.title.empty() && !scene.words.empty() && !scene.input.empty() && !scene.continues);
    check(std::isfinite(scene.position()) && scene.position() >= 0);
    check(!scene.range || scene.range->to > scene.position());
    Look look;
    takeFields(scene, look);
    check(!look.lapse || *look.lapse > 0);
    check(!namesProgram(scene.input) || sim::parseProgramSpec(scene.input).has_value());
    check(scene.machine.empty() || sim::loadMachine(scene.machine).has_value());
    check(hasBraces(scene) || withGaps(scene) == scene);
    checkExpressions(scene);
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
    for (std::size_t i = 0; i < tour->scenes.size(); ++i) app::checkScene(*tour, i);
    check(!app::sceneNamed(*tour, "No Such Id"));
    const auto again = app::parseTour(app::tourText(*tour), "again.json");
    check(again.has_value() && *again == *tour);
    return 0;
}
