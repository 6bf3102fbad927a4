// Where things are in the window, by name, for tests that drive it with the mouse: widgets by the names that panels
// give them, things in pictures by the text of the command that a click there gives.
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

/// Collects the places of a frame and keeps a file that says where they are:
///
///     applied 12 mouse 700 200 buttons 1
///     580 1010 splitter left
///
/// First the commands that had been applied when the frame was drawn, where the mouse was then and which of its buttons
/// were down (1 left, 2 right, 4 middle); then the middle of each thing, in pixels from the window's upper left corner,
/// and its name. The file is replaced whenever that changes, as a whole, so that a reader never sees a part of it.
class NamedPlaces {
  public:
    explicit NamedPlaces(std::string file) : file_(std::move(file)) {}
    /// For the file that WHORL_PLACES names; none if it is not set.
    static std::optional<NamedPlaces> asked();

    void add(const std::string& name, ImVec2 from, ImVec2 to);
    /// Looks at points of a picture, close to each other. `nameAt` gives the name of what is under a pixel of it, empty
    /// for nothing.
    void scan(const gl::Rect& picture, const std::function<std::string(glm::vec2)>& nameAt);
    /// Writes the file if it would change, and begins anew.
    void finish(std::uint64_t appliedCommands);

  private:
    std::string file_;
    std::string lines_;
    std::string written_;
};

}  // namespace whorl::app
