// The rings and flat pictures as elements of SVG: what gl::Painter and gl::FlatPainter paint, but for labels.
#pragma once

#include <vector>

#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"
#include "render/svg/document.h"

namespace whorl::svg {

void draw(Document& to, const scene::Scene& scene);

struct ColouredBox {
    scene::PixelBox where;
    scene::Rgba colour;
};

/// The fewest boxes found that together are the picture: rows of one colour, as high as the rows below are the same.
/// Stops when it has found more than `most`.
std::vector<ColouredBox> boxesOf(const scene::Raster& raster, std::size_t most);

void draw(Document& to, const std::vector<ColouredBox>& boxes);
/// The strokes of a flat picture, inside its clip.
void drawStrokes(Document& to, const scene::FlatScene& scene);

}  // namespace whorl::svg
