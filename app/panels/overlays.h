// What lies over the picture, beside messages: signs that belong to it, and small windows that a key opens.
#pragma once

#include "app/panels/panel.h"
#include "app/views/rings/frame_composer.h"
#include "render/gl/painter.h"

namespace whorl::app {

/// A line around the set, ring, region or CPU that is selected. Blocks have their rings in the picture itself.
void drawSelectionMark(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);
/// The signs that are on the screen, in the lower left corner, and the regions' colours, in the upper left one.
void drawLegend(const PanelContext& c, const gl::Rect& canvas);
/// While only a part of the rings is seen: which, in the lower right corner. A click moves it.
void drawMinimap(const PanelContext& c, const FrameComposer& composer, const gl::Rect& canvas);

/// How the picture looks, to be changed.
void drawPictureCard(const PanelContext& c, const gl::Rect& canvas);
/// The colour of a region, to be chosen.
void drawColourCard(const PanelContext& c, const gl::Rect& canvas);
/// The field that looks things up.
void drawFindCard(const PanelContext& c, const gl::Rect& canvas);
/// The address of the access in motion, taken apart, and why it missed: rows for the bottom, and how high they are
/// there; 0 where they are not shown.
void drawExplainRows(const PanelContext& c);
float explainHeight(const Session& session, float scale);

/// The colour that a region wears.
scene::Rgba hueOfRegion(const PanelContext& c, std::size_t region);
/// A region's sign, as its glyphs look.
void drawRegionSign(ImDrawList& list, ImVec2 centre, float radius, scene::Shape shape, ImU32 colour);
/// A small window over the picture, as high as its content; ImGui::End() ends it in any case. `pivot`: which of its
/// points lies at `at`, from 0 to 1.
bool beginOverlay(const char* id, const PanelContext& c, ImVec2 at, ImVec2 pivot, float width);

}  // namespace whorl::app
