// Connects an SFML window to ImGui: keyboard, mouse, clipboard, cursors. Draws nothing and owns neither of the two.
//
// Its cursors must outlive the window that shows one of them: close the window before destroying this.
#pragma once

#include <imgui.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/window/keys.h"

namespace sf {
class Cursor;
class Event;
class Window;
}  // namespace sf

namespace whorl::app {

class ImguiPlatform {
  public:
    /// Needs a current ImGui context, now and at every call, and sets its backend flags.
    ImguiPlatform();
    ~ImguiPlatform();
    ImguiPlatform(const ImguiPlatform&) = delete;
    ImguiPlatform& operator=(const ImguiPlatform&) = delete;

    /// Handles a window event. False if it is not keyboard or mouse input.
    bool take(const sf::Event& event, const sf::Window& window);

    /// Passes ImGui the input of one frame, the window size and `seconds` since the last frame; call it just before
    /// ImGui::NewFrame(). Returns all key presses, including those that ImGui wants.
    std::vector<KeyPress> beginFrame(sf::Window& window, float seconds);

    /// Whether there is input that the last frame could not take.
    bool hasWaiting() const { return !queue_.empty() || framesToHold_ > 0; }

    /// Holds back input until a text field has the keyboard focus, for a few frames at most.
    void expectTextField();

  private:
    void takeButton(const sf::Event& event, const sf::Window& window);
    void feed(const InputEvent& event);
    void feedPress(const InputEvent& event);
    void letGo();
    void showCursor(sf::Window& window);
    static const char* clipboard(void* self);

    InputQueue queue_;
    KeyNamer namer_;
    unsigned buttonsDown_ = 0;  ///< as reported by the window, one bit per button
    int framesToHold_ = 0;
    std::array<double, 5> lastPress_{};  ///< by button, in seconds
    bool focused_ = true;
    int shownCursor_;                                   ///< an ImGuiMouseCursor
    std::vector<std::unique_ptr<sf::Cursor>> cursors_;  ///< by ImGuiMouseCursor
    std::string clipboard_;                             ///< ImGui keeps a pointer to it until its next request
};

/// Another context of ImGui than that of the window; the context of before is current again at its end.
class ContextScope {
  public:
    explicit ContextScope(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(context);
    }
    ~ContextScope() { ImGui::SetCurrentContext(before_); }
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;

  private:
    ImGuiContext* before_;
};

}  // namespace whorl::app
