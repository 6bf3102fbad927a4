// What other panels know of the tree of regions.
#pragma once

#include "app/panels/panel_context.h"
#include "app/panels/table_widget.h"

namespace whorl::app {

/// The tree of the regions of the open trace, with the figures of the range or of the whole run, as they are known.
/// What its rows are about is in Edits::regionRows.
KeptTable& keptRegions(const PanelContext& c);

}  // namespace whorl::app
