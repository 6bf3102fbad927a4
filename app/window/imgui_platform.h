// Between an SFML window and ImGui: keyboard, mouse, clipboard, cursors. Draws nothing and owns neither of the two.
//
// Its cursors must outlive the window that shows one of them: close the window, then let this go.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "app/window/input_queue.h"
#include "app/window/keys.h"

namespace sf {
class Cursor;
class Event;
class Window;
}  // namespace sf

namespace whorl::app {

class ImguiPlatform {
  public:
    /// Needs an ImGui context that is current, now and at every call, and tells it what this platform can do.
    ImguiPlatform();
    ~ImguiPlatform();
    ImguiPlatform(const ImguiPlatform&) = delete;
    ImguiPlatform& operator=(const ImguiPlatform&) = delete;

    /// Takes in an event of the window. False when it says nothing about keyboard or mouse.
    bool take(const sf::Event& event, const sf::Window& window);

    /// Hands ImGui the input of one frame, its size and `seconds` since the last one; call it just before
    /// ImGui::NewFrame(). Gives all presses, wanted by ImGui or not.
    std::vector<KeyPress> beginFrame(sf::Window& window, float seconds);

    /// Whether input waits that the last frame could not take.
    bool hasWaiting() const { return !queue_.empty() || framesToHold_ > 0; }

    /// Holds input back until a text field has the keyboard, a few frames at most.
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
    unsigned buttonsDown_ = 0;  ///< as the window reported them, a bit each
    int framesToHold_ = 0;
    std::array<double, 5> lastPress_{};  ///< of each button, seconds
    bool focused_ = true;
    int shownCursor_;                                   ///< an ImGuiMouseCursor
    std::vector<std::unique_ptr<sf::Cursor>> cursors_;  ///< by ImGuiMouseCursor
    std::string clipboard_;                             ///< ImGui keeps a pointer to it until it asks again
};

}  // namespace whorl::app
