// The positions of things in the window, by name, for tests that drive it with the mouse: widgets by the names that
// panels give them, things in pictures by the text of the command that a click on them issues.
#pragma once

#include <imgui.h>

#include <chrono>
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
    /// Without a file's name, the positions are only kept.
    explicit NamedPlaces(std::string file = {}) : file_(std::move(file)) {}
    /// For the file named by WHORL_PLACES; empty if it is not set.
    static std::optional<NamedPlaces> asked();

    /// Starts a frame. `appliedCommands`: number of commands applied before it.
    void begin(std::uint64_t appliedCommands);
    void add(const std::string& name, ImVec2 from, ImVec2 to);
    /// Whether pictures are to be scanned in this frame. Scans take at most a sixth of the time; between them, what the
    /// last one found is repeated as long as no command is applied.
    bool scans() const { return scans_; }
    /// Looks at points of a picture, close to each other. `nameAt` gives the name of what is under a pixel of it, empty
    /// for nothing.
    void scan(const gl::Rect& picture, const std::function<std::string(glm::vec2)>& nameAt);
    /// Ends the frame: writes the file if it would change.
    void finish();
    /// What is in the file.
    const std::string& text() const { return written_; }

  private:
    using Clock = std::chrono::steady_clock;

    std::string file_;
    std::uint64_t applied_ = 0;
    std::string lines_;
    bool scans_ = false;
    Clock::time_point nextScan_;
    Clock::duration scanning_{0};  ///< time spent on the scans of this frame
    std::string scanned_;          ///< what the last scans found
    std::uint64_t scannedAt_ = 0;  ///< the commands that had been applied then
    std::string written_;
};

}  // namespace whorl::app
