// Where a scene looks: its camera in a run.
#pragma once

#include <vector>

#include "app/session/camera.h"
#include "app/session/opened.h"
#include "app/session/tour.h"
#include "render/scene/rings/view.h"

namespace whorl::app {

/// The outer radii of the rings of a run's machine, as shares of the unit.
std::vector<float> ringsOf(const Opened& opened, scene::View view);

/// The sight of a scene; all of the rings without a camera, or where its region is not there.
Camera::Sight sightOf(const TourScene& scene, const Opened& opened, const scene::View& view);

}  // namespace whorl::app
