// The positions of things in the window, by name, for tests that drive it with the mouse: widgets by the names that
// panels give them, things in pictures by the text of the command that a click on them issues.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <utility>

#include "render/gl/painter.h"

namespace whorl::app {

/// Collects the positions in a frame and maintains a file with them:
///
///     applied 12 mouse 700 200 buttons 1
///     580 1010 splitter left
///
/// First the number of commands applied when the frame was drawn, the position of the mouse and the buttons that were
/// down (1 left, 2 right, 4 middle); then the centre of each thing, in pixels from the window's upper left corner, and
/// its name. The file is replaced as a whole whenever it changes, so that a reader never sees a part of it.
class NamedPlaces {
  public:
    explicit NamedPlaces(std::string file) : file_(std::move(file)) {}
    /// For the file named by WHORL_PLACES; empty if it is not set.
    static std::optional<NamedPlaces> asked();

    void add(const std::string& name, ImVec2 from, ImVec2 to);
    /// Samples a dense grid of points in a picture. `nameAt` returns the name of what is under a pixel of it, empty for
    /// nothing.
    void scan(const gl::Rect& picture, const std::function<std::string(glm::vec2)>& nameAt);
    /// Writes the file if it would change, and starts over.
    void finish(std::uint64_t appliedCommands);

  private:
    std::string file_;
    std::string lines_;
    std::string written_;
};

}  // namespace whorl::app
