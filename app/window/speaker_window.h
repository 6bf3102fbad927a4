// The speaker's window, beside the program's own, with a context of its own for OpenGL and for ImGui. It has no loop:
// the main loop draws it after its own frame.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "app/panels/imgui_style.h"
#include "app/window/keys.h"
#include "render/scene/scene.h"
#include "sim/base/error.h"

namespace whorl::app {

class SpeakerWindow {
  public:
    /// The current contexts are again what they were.
    static sim::Expected<std::unique_ptr<SpeakerWindow>> open(float scale);
    ~SpeakerWindow();
    SpeakerWindow(const SpeakerWindow&) = delete;
    SpeakerWindow& operator=(const SpeakerWindow&) = delete;

    /// Takes the input and draws a frame: `draw` makes the widgets, with these fonts. Returns the key presses. The
    /// contexts of the main window must be made current again by Window::activate().
    std::vector<KeyPress> frame(scene::Ground ground, const std::function<void(const Fonts&)>& draw);

    /// The user has asked to close it.
    bool wantsToClose() const;

  private:
    struct Parts;
    explicit SpeakerWindow(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace whorl::app
