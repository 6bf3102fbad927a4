// What a talk would trip over in a scene of a tour.
#pragma once

#include <string>
#include <vector>

#include "app/session/tour.h"
#include "app/tours/scene_words.h"
#include "sim/base/error.h"
#include "sim/base/progress.h"
#include "sim/trace/trace.h"

namespace whorl::app {

/// Something wrong, and where it is in the JSON of the tour: "scenes[2].claim".
struct Finding {
    std::string path;
    std::string what;  ///< a sentence
    bool operator==(const Finding&) const = default;
};

/// "scenes[2].claim": a key of a scene.
std::string pathIn(std::size_t scene, const std::string& key);

/// The positions of a resolved scene that are after the end of its trace, by keys.
std::vector<Finding> positionsBeyond(const TourScene& scene, const sim::Trace& trace);
/// The source files of a trace whose texts are missing, as a finding about this key.
std::vector<Finding> missingSources(const sim::Trace& trace, const std::string& key);
/// The claims of a resolved scene that do not hold or cannot be computed, the words without numbers, and the choices of
/// its question that do not differ once they have numbers. The only error is cancellation.
sim::Expected<std::vector<Finding>> untrueIn(const TourScene& scene, const ShownRuns& runs, sim::Progress& progress);

/// The faults of a tour that could not be read, one a line, each with its path.
std::vector<Finding> faultsOf(const sim::Error& error, const std::string& file);

}  // namespace whorl::app
