// Puts the characters that ImGui draws one by one together again: words in one line, and the outline behind them.
#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <optional>
#include <string>

#include "app/export/glyph_book.h"
#include "render/scene/colour.h"

namespace whorl::app {

/// A line of text in one font and colour.
struct TextRun {
    std::string text;  ///< UTF-8
    const ImFont* font = nullptr;
    glm::vec2 at{0};     ///< where it begins, on its baseline
    glm::vec2 end{0};    ///< where the next character would begin
    glm::vec2 along{1};  ///< a pixel of the font along the line
    glm::vec2 down{1};   ///< and across it
    scene::Rgba colour;
    std::optional<scene::Rgba> outline;
};

/// A character: what it is, where its quad's corners are (from the upper left one on, clockwise), and in which colour.
struct DrawnGlyph {
    GlyphBook::Entry entry;
    ImDrawVert corners[4];  // NOLINT(modernize-avoid-c-arrays)
};

/// The character as a run of its own.
TextRun runOf(const DrawnGlyph& drawn);
/// Adds a character to the run that it continues, with the spaces between them. False if it does not.
bool extend(TextRun& run, const TextRun& next);
/// Labels are drawn several times, a pixel apart: first as an outline, then as themselves. If `next` is the same text
/// as `run`, they become one. False if it is not.
bool overlay(TextRun& run, const TextRun& next);

}  // namespace whorl::app
