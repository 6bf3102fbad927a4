// The signs of a player (⏸ ⏮ ⏭ and their like), which DejaVu lacks, drawn into ImGui's atlas as characters of its
// fonts.
#pragma once

#include <imgui.h>

#include <vector>

namespace whorl::app {

class PlayerSigns {
  public:
    /// Makes room for the signs in a DejaVu font whose lines are `size` pixels high. Before the atlas is built.
    void reserve(ImFontAtlas& atlas, ImFont& font, float size);
    /// Draws them all. After the atlas is built and before its pixels are taken.
    void paint(ImFontAtlas& atlas) const;

  private:
    struct Place {
        ImWchar sign;
        int rectangle;  ///< in the atlas
    };
    std::vector<Place> places_;
};

}  // namespace whorl::app
