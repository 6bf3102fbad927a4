// The program's window: opens it, receives user input, shows frames. Owns the OpenGL 3.3 core context (current in the
// thread that opened it) and the ImGui context; objects that use either must be destroyed before the window.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/keys.h"
#include "sim/base/error.h"

namespace whorl::app {

class Window {
  public:
    struct Options {
        std::string title;
        int width = 1280;  ///< in pixels; limited to the screen size
        int height = 800;
        bool maximised = false;
        int minimumWidth = 480;  ///< minimum size requested from the window manager
        int minimumHeight = 320;
        unsigned framesPerSecond = 60;  ///< upper limit; 0: no limit
        /// From the upper left corner of the screen; in the middle if not given, or if it would hardly be seen there.
        std::optional<std::pair<int, int>> at = std::nullopt;
    };
    /// Where a window stands, in pixels.
    struct Place {
        int x = 0;
        int y = 0;
        int width = 0;
        int height = 0;
        bool isWhole = false;  ///< it fills the screen
        bool operator==(const Place&) const = default;
    };

    /// Opens a window centred on the screen. An error if there is no display or no OpenGL 3.3. Creates the ImGui
    /// context; load its fonts (loadFonts) and style (applyStyle) before the first frame.
    static sim::Expected<std::unique_ptr<Window>> open(const Options& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// False after the user requested to close it or close() was called. It stays on the screen until destroyed, so
    /// that objects in its context can be destroyed first.
    bool isOpen() const;
    void close();
    /// Cancels a request to close, for a program that asks for confirmation.
    void keepOpen();

    /// Handles events and begins an ImGui frame; returns the key presses that are not for a text field.
    std::vector<KeyPress> beginFrame(bool onStage = false);

    /// Whether a key is held down in this frame.
    bool isDown(Key key) const;

    /// Call this when a key press makes the program focus a text field (ImGui::SetKeyboardFocusHere): further typing is
    /// held back until the field can receive it, instead of being interpreted as shortcuts.
    void expectTextField();

    /// Ends the ImGui frame, runs `paintUnder` (which clears, and paints what is below ImGui; may be empty), draws
    /// ImGui over it and displays the result.
    void endFrame(const std::function<void()>& paintUnder);
    /// Ends the frame as above; `look` may read the frame back before it is displayed.
    void endFrame(const std::function<void()>& paintUnder, const std::function<void()>& look);

    /// Waits for user input, or until `calls` is true, which is asked about a hundred times a second; `limit` at most.
    /// False if there was no input. Even without any, draw a frame about four times a second: carets blink, and X does
    /// not preserve covered areas.
    bool waitForInput(std::chrono::milliseconds limit, const std::function<bool()>& calls = {});
    /// No input for a few frames, so that ImGui has settled: without animations the loop may wait.
    bool idle() const;

    /// Size of the framebuffer in pixels in the current frame; at least 1.
    int width() const;
    int height() const;
    void resize(int width, int height);
    /// Makes its OpenGL context current again, after another window's was.
    void activate();
    /// Fills the screen, or is again as large as before; the OpenGL context stays. Without a window manager it is only
    /// moved and resized.
    void setFullScreen(bool on);
    void setTitle(const std::string& title);
    bool hasFocus() const;
    Place place() const;
    void copyToClipboard(const std::string& text);
    /// The display's scale from displayScale() when the window was opened.
    float scale() const;

  private:
    struct Parts;
    explicit Window(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace whorl::app
