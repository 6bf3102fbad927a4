// What a scene of a tour gets from its run: where it looks, and its question.
#pragma once

#include <vector>

#include "app/session/camera.h"
#include "app/session/opened.h"
#include "app/session/tour.h"
#include "render/scene/rings/view.h"
#include "sim/base/error.h"

namespace whorl::app {

// Where a scene looks: its camera in a run.

/// The outer radii of the rings of a run's machine, as shares of the unit.
std::vector<float> ringsOf(const Opened& opened, scene::View view);

/// The sight of a scene; all of the rings without a camera, or where its region is not there.
Camera::Sight sightOf(const TourScene& scene, const Opened& opened, const scene::View& view);

// The question of a scene: as it is written, or made of the access at which the scene begins.

/// Whether the run of a resolved scene is built so far that its question is known.
bool isQuestionKnown(const TourScene& scene, const Opened& opened);

/// The question of a resolved scene that has one, with its choices, answer and reason; `opened` is the scene's run. The
/// error says why the access at which the scene begins cannot be asked about.
sim::Expected<Question> questionOf(const TourScene& scene, const Opened& opened);

}  // namespace whorl::app
