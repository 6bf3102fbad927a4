// What the pointer does in a view in space: apart, because a small player has none of these.
#pragma once

#include <cmath>
#include <glm/vec2.hpp>

#include "app/commands/cell_commands.h"
#include "app/page/pointer_event.h"
#include "app/session/compared_runs.h"
#include "app/views/run_views.h"

namespace whorl::app {

/// The factor by which notches of the wheel zoom.
inline double zoomFactor(float notches) {
    return std::pow(1.3, static_cast<double>(notches));
}

/// Shows a span of the time of a run.
inline Command timeSeen(const Session& session, std::size_t run, const scene::TimeSpan& span) {
    const scene::TimeSpan in = run == 0 ? span : openRunSeen(session, run, span);
    return command::TimeSeen{in.from, in.to};
}

/// `at`: the pixel of the view's picture.
Commands inSpace(const PointerEvent& event, const Session& session, RunView& run, const ViewQuery& query, glm::vec2 at);

}  // namespace whorl::app
