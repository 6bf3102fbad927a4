// The program's window: opens it, takes in what a person does there, shows a frame. Owns the OpenGL 3.3 core context
// (current in the thread that opened it) and the ImGui context; whatever lives in either must go before the window.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/window/keys.h"
#include "sim/base/error.h"

namespace whorl::app {

class Window {
  public:
    struct Options {
        std::string title;
        int width = 1280;  ///< pixels; a smaller screen makes it smaller
        int height = 800;
        bool maximised = false;
        int minimumWidth = 480;  ///< what the window manager is asked to keep to
        int minimumHeight = 320;
        unsigned framesPerSecond = 60;  ///< at most so many; 0: as many as can be
    };

    /// Opens a window in the middle of the screen. An error when there is no display or no OpenGL 3.3. Creates the
    /// ImGui context; load its fonts (loadFonts) and style (applyStyle) before the first frame.
    static sim::Expected<std::unique_ptr<Window>> open(const Options& options);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// False once the person has asked to close it, or close() was called. It stays on the screen until it is
    /// destroyed, so that what lives in its context can be destroyed.
    bool isOpen() const;
    void close();
    /// Cancels a request to close, for a program that asks whether it is meant.
    void keepOpen();

    /// Takes events in and begins an ImGui frame; gives the key presses that are the program's and not a text field's.
    std::vector<KeyPress> beginFrame();

    /// To be called when a key press makes the program give the keyboard to a text field (ImGui::SetKeyboardFocusHere):
    /// what is typed from now on waits until the field can take it, instead of being taken for more of such keys.
    void expectTextField();

    /// Ends the ImGui frame, runs `paintUnder` (which clears, and paints what lies under ImGui; may be empty), draws
    /// ImGui over it and shows both.
    void endFrame(const std::function<void()>& paintUnder);

    /// Waits for a person to do something, `limit` at most. False when nothing came. Without any input draw a frame now
    /// and then all the same (four a second): carets blink, and X does not keep what was covered.
    bool waitForInput(std::chrono::milliseconds limit);
    /// Nothing has happened for a few frames, so that ImGui has settled: without motion of its own the loop may wait.
    bool idle() const;

    /// Pixels of the framebuffer as of the frame under way; never less than 1.
    int width() const;
    int height() const;
    void resize(int width, int height);
    void setTitle(const std::string& title);
    bool hasFocus() const;
    /// The display's scale, as displayScale() gave it when the window was opened.
    float scale() const;

  private:
    struct Parts;
    explicit Window(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace whorl::app
