// All panels, each in the file with its name; interface.cpp lays them out. To add one: write its file, and add it here
// and there.
#pragma once

#include "app/panels/panel_context.h"
#include "render/gl/painter.h"

namespace whorl::app {

// Panels in the columns and at the bottom. Each fills the ImGui child window in which it is called; most draw nothing
// while there is nothing to show.

/// What is open, on which machine, and fields for opening something else.
void drawTracePanel(const PanelContext& c);
/// The values of the machine and the options of the program, to be tried.
void drawLivePanel(const PanelContext& c);
/// The open tour, and how to change it.
void drawTourPanel(const PanelContext& c);
/// The steps of the open tour, which can be dragged to another place; with small pictures if wanted.
void drawTourSteps(const PanelContext& c, const Presentation& p, bool pictures);
/// What was found in the tour that is not right: in its words, and by the last check.
void drawTourFindings(const PanelContext& c, const Presentation& p);
/// A field for all that the step and the tour can say.
void drawTourForm(const PanelContext& c, const Presentation& p);
/// A welcome for users who open Whorl for the first time.
void drawWelcome(const PanelContext& c);
/// Which views are shown, as buttons, and the choices of the active one.
void drawViewsPanel(const PanelContext& c);
/// What is picked: its name, where it is, its accesses, what it is linked to.
void drawPickedPanel(const PanelContext& c);
/// What is watched, and where it is.
void drawWatchedPanel(const PanelContext& c);
/// The classes with their instances and cycles, for choosing their colours.
void drawClassesPanel(const PanelContext& c);
/// Layout changes: those applied, what they save, and a form for another.
void drawWhatIfPanel(const PanelContext& c);
/// The regions of the trace and what is in them, with their figures; and which evict which.
void drawRegionsPanel(const PanelContext& c);
/// Hits, misses and their kinds at each level.
void drawStatisticsPanel(const PanelContext& c);
/// The source of the current access, with its hot lines marked.
void drawSourcePanel(const PanelContext& c);
/// The last accesses.
void drawAccessesPanel(const PanelContext& c);
/// What the current access did, the playback controls, the strip.
void drawTransportPanel(const PanelContext& c);

// A part of the panel of what is picked.

/// What lived in the picked place, and which source lines used it: names with their lifetimes, accesses, misses and
/// penalty, sorted by any of them.
void drawCell(const PanelContext& c);

// Parts of the transport panel.

/// The height of the rows that explain the current access: its address, split into its fields, and why it missed. 0
/// where they are not shown.
float explainHeight(const Session& session, float scale);
/// The strip of the whole trace, `height` pixels high; dragging it seeks, or selects a range.
void drawOverviewStrip(const PanelContext& c, float height);

// A view in its tile: its texts and mouse actions. The picture itself is painted below.

/// All tiles of the canvas, with what is around them.
void drawTiles(const PanelContext& c, const gl::Rect& canvas);
/// Lets go of a tile that is held by its title, so that it stays where it is; false if none is.
bool endTileDrag();
/// The rings: labels, and for the open run also the legend and the minimap.
void drawRingsTile(const PanelContext& c, const Tile& tile);
/// A view in space (SourceView, ObjectView, BlockView).
void drawSpaceTile(const PanelContext& c, const Tile& tile, const scene::SpaceScene& picture);
/// A flat view, with the controls under its title. The mouse acts the same way in all of them: the wheel zooms, a drag
/// moves what is seen, with Shift or the right button it selects a range of time, a double click shows all, a click
/// picks or goes to a time.
void drawFlatTile(const PanelContext& c, const Tile& tile, Views& views, const scene::FlatScene& picture);

// Where runs are compared.

/// The strip above a tile: its run, with hits and misses. Draws nothing if there is no such strip.
void drawTileHeading(const PanelContext& c, const Tile& tile);
/// In the strip below the tiles: of two runs the misses of one against those of the other, of more what they have in
/// common; which accesses are counted; and in the window, also while one is shown alone, how they are compared.
void drawDifferences(const PanelContext& c, const gl::Rect& canvas);

// The menus.

/// The height of the bar of menus, pixels; 0 where it is not shown.
float menuBarHeight(const Session& session, float scale);
/// The menus, and buttons for what is wanted most, at the top of the window.
void drawMenuBar(const PanelContext& c, float width);
/// The menu that was asked for by a right click, or by its key; at the mouse.
void drawContextMenu(const PanelContext& c);

// Over the rings.

/// A line around the selected set, ring, region or CPU. Blocks have their rings in the picture itself.
void drawSelectionMark(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);
/// The signs on the screen, in the lower left corner, and the regions' colours, in the upper left one.
void drawLegend(const PanelContext& c, const gl::Rect& canvas);
/// The signs on the screen, with text of this height, as far as there is room from `at`.
struct DrawnKey {
    float bottom = 0;
    bool isWhole = true;
};
DrawnKey drawKey(const PanelContext& c, ImVec2 at, ImVec2 room, float text);
/// While only a part of the rings is visible: which part, in the lower right corner. A click moves it.
void drawMinimap(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);

// Over all views, in windows of their own.

/// What is being read, with its progress, and errors to be read.
void drawMessages(const PanelContext& c, ImVec2 from, ImVec2 size);
/// What costs most: why, and tables.
void drawCostsCard(const PanelContext& c, const gl::Rect& canvas);
/// Sharing, a tab of that card: the blocks that CPUs invalidate for each other, with a row for each offset that is
/// accessed, and what helps.
void drawSharing(const PanelContext& c);
/// Queues what picks a thing, if there is one. A line is shown where it is, which it is not while accesses are played.
void pickCost(const PanelContext& c, const std::optional<Command>& pick);
/// The search field.
void drawFindCard(const PanelContext& c, const gl::Rect& canvas);
/// What is typed to find something, with what fits it: commands, positions, files, notes.
void drawPromptCard(const PanelContext& c, const gl::Rect& canvas);
/// The open file has changed on disk: whether to read it again.
void drawChangeBar(const PanelContext& c, const gl::Rect& canvas);
/// The access that is predicted, and the answers.
void drawPredictCard(const PanelContext& c, const gl::Rect& canvas);
/// The appearance settings of the picture.
void drawPictureCard(const PanelContext& c, const gl::Rect& canvas);
/// The colour picker of a region.
void drawColourCard(const PanelContext& c, const gl::Rect& canvas);
/// During a talk, hides a resting mouse from ImGui, so that no tooltip covers the picture. Call before drawing.
void hideRestingMouse(const PanelContext& c);
/// Without panels, a button that brings them back comes with the movements of the mouse.
void drawPanelsButton(const PanelContext& c, const gl::Rect& canvas);
/// What lies over the picture during a talk.
void drawStage(const PanelContext& c, const gl::Rect& canvas);
/// The pictures of the main window that the speaker sees, as textures with rows from the bottom; 0: there is none yet.
struct SpeakerSight {
    unsigned now = 0;                    ///< what the audience sees
    unsigned next = 0;                   ///< the next step
    float aspect = 1;                    ///< the width of both, of their height
    std::optional<TourScene> said = {};  ///< the next step with its numbers; none: they are not known
};
/// What the speaker sees, in a window of its own.
void drawSpeaker(const PanelContext& c, const SpeakerSight& sight);
/// The keys.
void drawHelp(const PanelContext& c);

}  // namespace whorl::app
