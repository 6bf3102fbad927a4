// Beside the pictures: which of them are shown, how the one that a person works in is looked at, what is picked, and
// the classes.
#pragma once

#include "app/panels/panel.h"

namespace whorl::app {

/// Which views are shown, as buttons, and the choices of the active one.
void drawViewsPanel(const PanelContext& c);
/// The picked source line, object and stay, in words. Nothing where nothing is picked.
void drawPicksPanel(const PanelContext& c);
/// The classes with their instances and cycles, to be coloured. Nothing while no view of the history is shown.
void drawClassesPanel(const PanelContext& c);

/// Changes of where things lie in memory: those that are made, what they save, and another to be tried.
void drawWhatIfPanel(const PanelContext& c);

}  // namespace whorl::app
