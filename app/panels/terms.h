// Terms in the words of a scene: names of regions and levels of the open run, and the words for what happens. They have
// the colours that the picture gives to the things.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_context.h"

namespace whorl::app {

struct Term {
    std::size_t from = 0;  ///< where it stands in the words, bytes
    std::size_t bytes = 0;
    scene::Rgba colour;             ///< contrast of 4.5 to the ground
    scene::Target target = {};      ///< the region or level that it names; none: something that happens
    std::string_view meaning = {};  ///< of what happens, a sentence
};

/// The terms in these words, from left to right. Only whole words are terms. The names a and A are articles, and no
/// terms, where a word follows: always that of a, and that of A at the beginning of a sentence.
std::vector<Term> termsIn(std::string_view words, const Session& session);

/// Draws lines of a scene's words as ImDrawList::AddText() does, with its terms coloured and underlined. Notes in
/// Edits::touching what the one under the mouse names, and says in a tooltip what it means.
void drawTerms(const PanelContext& c, ImFont& font, float size, ImVec2 at, const ImVec4& colour,
               const std::string& lines);

}  // namespace whorl::app
