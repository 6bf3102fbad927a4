// A document in SVG 1.1 that is written element by element, from back to front. Places and sizes are in pixels of the
// picture, y down. What it writes depends on the calls alone: the same calls give the same bytes.
#pragma once

#include <fmt/format.h>
#include <cstddef>
#include <glm/vec2.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "render/scene/colour.h"
#include "render/scene/flat_scene.h"
#include "render/scene/scene.h"

namespace whorl::svg {

/// A number with at most two decimals, without zeros at its end; 0 for what is not finite.
std::string number(float value);
/// "x y", for the data of paths.
std::string point(glm::vec2 at);
/// Text as content or as the value of an attribute: the signs of XML are replaced, control characters left out.
std::string escaped(std::string_view text);
/// A place on the way of a gradient, 0 to 1, and the colour there.
std::string stop(float at, scene::Rgba colour);
/// The attributes that fill, or draw the outline, in a colour; each begins with a space.
std::string fill(scene::Rgba colour);
std::string stroke(scene::Rgba colour, float width);

class Document {
  public:
    explicit Document(glm::vec2 size) : size_(size) {}

    template <class... T>
    void add(fmt::format_string<T...> format, T&&... values) {
        fmt::format_to(std::back_inserter(body_), format, std::forward<T>(values)...);
        body_ += '\n';
    }
    /// Elements between the two calls are cut to the box from (0, 0) to `size`, in pixels before the move, and move by
    /// `by`.
    void beginPart(glm::vec2 by, glm::vec2 size);
    void endPart() { body_ += "</g>\n"; }

    /// Something that elements refer to: an element with these attributes (which begin with a space) and this content.
    /// Returns its id; what was defined before is not defined again.
    std::string define(std::string_view element, std::string_view attributes, std::string_view content);
    /// An area that cuts what refers to it.
    std::string clip(glm::vec2 low, glm::vec2 high);

    void circle(glm::vec2 at, float radius, scene::Rgba colour);
    void rectangle(glm::vec2 low, glm::vec2 high, scene::Rgba colour);
    /// Filled; each of its outlines is closed. Where an even number of outlines lie around a point, it is not filled.
    void polygon(std::span<const glm::vec2> outline, scene::Rgba colour);
    /// Pixels, as the bytes of a PNG: shown as squares, never smoothed.
    void image(glm::vec2 low, glm::vec2 high, std::string_view png);

    /// The whole file. `title`: what the picture shows, read aloud by screen readers.
    std::string finish(std::string_view title) const;

  private:
    glm::vec2 size_;
    std::string body_;
    std::string definitions_;
    std::map<std::string, std::string> ids_;  ///< ids of the definitions, by their element, attributes and content
};

// Strokes and ribbons as elements of SVG.

/// Lines with round ends. Where one begins at the end of the one before, they meet without a seam.
void draw(Document& to, std::span<const scene::Stroke> strokes);
void draw(Document& to, const scene::Ribbon& ribbon);

/// How many of the strokes from `first` on are one line.
std::size_t lengthOfLine(std::span<const scene::Stroke> strokes, std::size_t first);

}  // namespace whorl::svg
