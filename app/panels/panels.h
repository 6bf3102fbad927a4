// All panels, each in the file that has its name; interface.cpp gives them their places. To add one: write its file,
// and add it here and there.
#pragma once

#include "app/panels/panel_context.h"
#include "render/gl/painter.h"

namespace whorl::app {

// In the columns and at the bottom. Each fills the ImGui child window that it is called in; most draw nothing while
// there is nothing to be shown.

/// What is open, on which machine, and fields to open something else.
void drawTracePanel(const PanelContext& c);
/// Which views are shown, as buttons, and the choices of the active one.
void drawViewsPanel(const PanelContext& c);
/// The picked source line, object and stay, in words.
void drawPicksPanel(const PanelContext& c);
/// What is selected in the rings, in words, and the blocks that are watched.
void drawSelectionPanel(const PanelContext& c);
/// The classes with their instances and cycles, to be coloured.
void drawClassesPanel(const PanelContext& c);
/// Changes of where things lie in memory: those that are made, what they save, and another to be tried.
void drawWhatIfPanel(const PanelContext& c);
/// The regions of the trace with their figures.
void drawRegionsPanel(const PanelContext& c);
/// Hits, misses and their kinds at each level.
void drawStatisticsPanel(const PanelContext& c);
/// The source of the access in motion, its hot lines marked.
void drawSourcePanel(const PanelContext& c);
/// The last accesses.
void drawAccessesPanel(const PanelContext& c);
/// What the access in motion did, the controls of time, the strip.
void drawTransportPanel(const PanelContext& c);

// Parts of the transport panel.

/// The address of the access in motion, taken apart, and why it missed; and how high these rows are, 0 where they are
/// not shown.
void drawExplainRows(const PanelContext& c);
float explainHeight(const Session& session, float scale);
/// The strip of the whole trace, `height` pixels high; dragging it seeks, or chooses a range.
void drawOverviewStrip(const PanelContext& c, float height);

// Over the rings.

/// A line around the set, ring, region or CPU that is selected. Blocks have their rings in the picture itself.
void drawSelectionMark(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);
/// The signs that are on the screen, in the lower left corner, and the regions' colours, in the upper left one.
void drawLegend(const PanelContext& c, const gl::Rect& canvas);
/// While only a part of the rings is seen: which, in the lower right corner. A click moves it.
void drawMinimap(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);

// Over all views, in windows of their own.

/// What is being read, with its progress, and errors that wait to be read.
void drawMessages(const PanelContext& c, ImVec2 from, ImVec2 size);
/// The field that looks things up.
void drawFindCard(const PanelContext& c, const gl::Rect& canvas);
/// How the picture looks, to be changed.
void drawPictureCard(const PanelContext& c, const gl::Rect& canvas);
/// The colour of a region, to be chosen.
void drawColourCard(const PanelContext& c, const gl::Rect& canvas);
/// The keys.
void drawHelp(const PanelContext& c);

}  // namespace whorl::app
