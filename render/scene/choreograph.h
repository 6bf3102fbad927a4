// From a moment of a run to a picture of it. A pure function: the same moment, layout and view give the same scene, to
// the byte, however the moment was come to.
#pragma once

#include "render/scene/ring_layout.h"
#include "render/scene/scene.h"
#include "render/scene/view.h"
#include "sim/machine/machine_config.h"
#include "sim/run/moment.h"
#include "sim/trace/trace.h"

namespace whorl::scene {

/// What a picture shows that does not change with time or view.
struct Subject {
    const sim::Trace& trace;
    const sim::MachineConfig& machine;
    const Homes& homes;
};

/// The moment must hold lookbackOf(view) accesses, or all since the start; the layout must be of the view's size.
Scene choreograph(const sim::Moment& moment, const Subject& subject, const RingLayout& layout, const View& view);

}  // namespace whorl::scene
