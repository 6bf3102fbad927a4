// Strokes and ribbons as elements of SVG.
#pragma once

#include <cstddef>
#include <span>

#include "render/scene/scene.h"
#include "render/svg/document.h"

namespace whorl::svg {

/// Lines with round ends. Where one begins at the end of the one before, they meet without a seam.
void draw(Document& to, std::span<const scene::Stroke> strokes);
void draw(Document& to, const scene::Ribbon& ribbon);

/// How many of the strokes from `first` on are one line.
std::size_t lengthOfLine(std::span<const scene::Stroke> strokes, std::size_t first);

}  // namespace whorl::svg
