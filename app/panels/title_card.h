// A page of words alone: before and after a film, and notes below a slide.
#pragma once

#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "render/scene/scene.h"

namespace whorl::app {

struct Fonts;

struct TitleCard {
    std::string title;
    std::vector<std::string> lines;
    bool isNotes = false;  ///< body text from the upper left corner on, in place of lines in the middle

    bool isEmpty() const { return title.empty() && lines.empty(); }
    /// Title and lines as one text, to compute the reading time.
    std::string words() const;
};

/// The scale of fonts for a page of this size in pixels.
float titleCardScale(float width, float height);

/// Draws it in a frame of ImGui whose display has this size.
void drawTitleCard(const TitleCard& card, const Fonts& fonts, scene::Ground ground, glm::vec2 size);

}  // namespace whorl::app
