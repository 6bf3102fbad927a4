#include "app/export/glyph_book.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace whorl::app {

GlyphBook::GlyphBook(const ImFontAtlas& atlas)
    : width_(atlas.TexWidth),
      height_(atlas.TexHeight),
      pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {
    const auto pixel = [](float share, int size) {
        return static_cast<int>(std::lround(share * static_cast<float>(size)));
    };
    for (const ImFont* font : atlas.Fonts) {
        for (const ImFontGlyph& glyph : font->Glyphs) {
            if (!glyph.Visible) continue;
            entries_.push_back({font, &glyph});
            const int left = pixel(glyph.U0, width_);
            const int right = std::min(pixel(glyph.U1, width_), width_);
            for (int y = pixel(glyph.V0, height_); y < std::min(pixel(glyph.V1, height_), height_); ++y) {
                const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
                std::fill(pixels_.begin() + static_cast<std::ptrdiff_t>(row) + left,
                          pixels_.begin() + static_cast<std::ptrdiff_t>(row) + right,
                          static_cast<std::uint16_t>(entries_.size()));
            }
        }
    }
}

std::optional<GlyphBook::Entry> GlyphBook::at(ImVec2 uv) const {
    const int x = static_cast<int>(uv.x * static_cast<float>(width_));
    const int y = static_cast<int>(uv.y * static_cast<float>(height_));
    if (x < 0 || y < 0 || x >= width_ || y >= height_) return std::nullopt;
    const std::uint16_t entry =
        pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x)];
    if (entry == 0) return std::nullopt;
    return entries_[entry - 1U];
}

}  // namespace whorl::app
