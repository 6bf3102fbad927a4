// The parts of the panel that says what is picked.
#pragma once

#include "app/commands/cell_commands.h"
#include "app/panels/panels.h"
#include "app/panels/picked/picked_thing.h"

namespace whorl::app {

/// Where it is now: a row for each level, TLB and bounded memory, also for those that do not hold it.
void drawWhere(const PanelContext& c, const PickedThing& thing);
/// The ways of a set, and what they hold: of the picked set, or that of the picked way.
void drawSet(const PanelContext& c, const scene::Target& set);
/// The last access to it before the playhead, and how many there are in the range or in the whole run.
void drawAccessesTo(const PanelContext& c, const PickedThing& thing);
/// What it is a part of, what is in its block, and where it was accessed last, as buttons that pick them.
void drawLinks(const PanelContext& c, const PickedThing& thing);

}  // namespace whorl::app
