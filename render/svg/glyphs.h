// The glyphs of blocks as elements of SVG: shape, rim, core, halo, stripes and shading as the shader glyph.frag paints
// them.
#pragma once

#include "render/scene/scene.h"
#include "render/svg/document.h"

namespace whorl::svg {

void draw(Document& to, const scene::Glyph& glyph);

}  // namespace whorl::svg
