// The media player signs (⏸ ⏮ ⏭ and the like), which DejaVu lacks, drawn into ImGui's atlas as characters of its
// fonts.
#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <vector>

namespace whorl::app {

class PlayerSigns {
  public:
    /// Reserves space for the signs in a DejaVu font with lines `size` pixels high. Call before the atlas is built.
    void reserve(ImFontAtlas& atlas, ImFont& font, float size);
    /// Draws all signs. Call after the atlas is built and before its pixels are read.
    void paint(ImFontAtlas& atlas) const;

    /// The parts of a sign as polygons, in a square from 0 to 1 that is its box in the atlas; none if the character is
    /// no sign.
    static std::vector<std::vector<glm::vec2>> outlines(ImWchar character);

  private:
    struct Place {
        ImWchar sign;
        int rectangle;  ///< in the atlas
    };
    std::vector<Place> places_;
};

}  // namespace whorl::app
