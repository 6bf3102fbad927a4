// The texts of a scene, drawn with the interface's font, and the tooltip for what is under the mouse.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/panels/panel_context.h"
#include "render/gl/painter.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"

namespace whorl::app {

/// The upper left corner of a box of this size beside another one, `gap` pixels away: to the right, to the left, below
/// or above, the first of these where it is inside of the screen. Where there is no room on any side, at the right
/// edge.
glm::ivec2 placeBeside(const scene::PixelBox& highlighted, glm::ivec2 size, glm::ivec2 screen, int gap);

/// Draws labels into a picture's area; `centre` is that of curved ones. `ground` is the colour of their outline.
void drawLabels(const PanelContext& c, const gl::Rect& canvas, std::span<const scene::Label> labels, scene::Rgba ground,
                glm::vec2 centre);

/// A tooltip whose first line is its heading. Draws nothing if there are no lines. It is near the pointer, or beside
/// what is lit, in pixels of the window.
void drawTooltip(const PanelContext& c, std::vector<std::string> lines,
                 const std::optional<scene::PixelBox>& highlighted = std::nullopt);

}  // namespace whorl::app
