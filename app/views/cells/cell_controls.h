// The controls of a view of cells: its metric, its cells, their order, what is drawn over them.
#pragma once

#include "app/session/session.h"
#include "app/views/view_control.h"

namespace whorl::app {

/// `view` without its run.
ViewControls cellControls(const ViewId& view, const RunContext& context, const sim::MachineConfig& machine);

}  // namespace whorl::app
