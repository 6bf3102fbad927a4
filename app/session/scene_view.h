// How a tour's scene is looked at.
#pragma once

#include "app/session/session.h"
#include "app/session/tour.h"

namespace whorl::app {

/// Takes over what the scene says; the rest stays.
void takeView(const TourScene& scene, Session& session);

}  // namespace whorl::app
