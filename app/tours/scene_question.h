// The question of a scene: as it is written, or made of the access at which the scene begins.
#pragma once

#include "app/session/opened.h"
#include "app/session/tour.h"
#include "sim/base/error.h"

namespace whorl::app {

/// Whether the run of a resolved scene is built so far that its question is known.
bool isQuestionKnown(const TourScene& scene, const Opened& opened);

/// The question of a resolved scene that has one, with its choices, answer and reason; `opened` is the scene's run. The
/// error says why the access at which the scene begins cannot be asked about.
sim::Expected<Question> questionOf(const TourScene& scene, const Opened& opened);

}  // namespace whorl::app
