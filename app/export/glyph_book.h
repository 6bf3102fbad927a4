// Finds which character a quad of ImGui shows: the way back from the atlas of its fonts to text.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace whorl::app {

class GlyphBook {
  public:
    struct Entry {
        const ImFont* font;
        const ImFontGlyph* glyph;
    };
    /// Of all fonts of a built atlas, which must not change while the book is used.
    explicit GlyphBook(const ImFontAtlas& atlas);

    /// The character at a place of the texture, 0 to 1 in both directions; nothing where there is none.
    std::optional<Entry> at(ImVec2 uv) const;

  private:
    int width_;
    int height_;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> pixels_;  ///< of the texture: an index into the entries plus one; 0: no character
};

}  // namespace whorl::app
