// A flat picture as plain data: pixels, lines over them, and texts. The views of cells, of histories and of collisions
// are made of it; gl::FlatPainter paints it. Places are in pixels from the upper left corner, y down.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "render/scene/raster.h"
#include "render/scene/scene.h"

namespace whorl::scene {

/// Painted in the order of the members.
struct FlatScene {
    Ground ground = Ground::dark;
    Rgba background;
    Raster raster;                ///< as large as the picture
    std::vector<Stroke> strokes;  ///< inside `clip` only
    PixelBox clip;
    std::vector<Label> labels;  ///< painted by whoever has a font: plain and corner ones only
};

/// A text without an outline, with its upper left corner at `at`.
inline Label cornerLabel(std::string text, glm::ivec2 at, float size, Rgba colour) {
    Label label;
    label.kind = Label::Kind::corner;
    label.text = std::move(text);
    label.at = at;
    label.size = size;
    label.colour = colour;
    label.isBare = true;
    return label;
}

}  // namespace whorl::scene
