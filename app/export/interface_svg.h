// What ImGui draws, as elements of SVG: text as text, all else as filled polygons.
#pragma once

#include <imgui.h>

#include "app/panels/imgui_style.h"
#include "render/svg/document.h"

namespace whorl::app {

/// While it lives, ImGui draws shapes whose edges are not smoothed by faint borders: for pictures that are scaled.
class SharpEdges {
  public:
    SharpEdges();
    ~SharpEdges();
    SharpEdges(const SharpEdges&) = delete;
    SharpEdges& operator=(const SharpEdges&) = delete;

  private:
    ImGuiStyle before_;
};

/// `data` must have been drawn with sharp edges; `fonts` are those of the current context.
void draw(svg::Document& to, const ImDrawData& data, const Fonts& fonts);

}  // namespace whorl::app
