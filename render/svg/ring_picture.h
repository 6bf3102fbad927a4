// The rings as elements of SVG: what gl::Painter paints, but for labels.
#pragma once

#include "render/scene/scene.h"
#include "render/svg/document.h"

namespace whorl::svg {

void draw(Document& to, const scene::Scene& scene);

}  // namespace whorl::svg
