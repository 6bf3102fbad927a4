#include "app/window/imgui_platform.h"

#include <imgui.h>

#include <SFML/Window.hpp>
#include <algorithm>
#include <cfloat>
#include <chrono>
#include <optional>

#include "app/panels/interface.h"

namespace whorl::app {
namespace {

using InputKind = InputEvent::Kind;

// Key and sf::Keyboard::Key list the keys in the same order; a few samples suffice to detect a change.
static_assert(int(Key::unknown) == int(sf::Keyboard::Unknown) + 1);
static_assert(int(Key::num0) == int(sf::Keyboard::Num0) + 1);
static_assert(int(Key::rightSystem) == int(sf::Keyboard::RSystem) + 1);
static_assert(int(Key::space) == int(sf::Keyboard::Space) + 1);
static_assert(int(Key::down) == int(sf::Keyboard::Down) + 1);
static_assert(int(Key::numpad9) == int(sf::Keyboard::Numpad9) + 1);
static_assert(int(Key::count) == int(sf::Keyboard::KeyCount) + 1);

Key keyOf(sf::Keyboard::Key code) {
    return code >= sf::Keyboard::A && code < sf::Keyboard::KeyCount ? Key(int(code) + 1) : Key::unknown;
}

/// SFML reports the modifiers as they were before the event.
InputEvent keyEvent(const sf::Event::KeyEvent& event, bool isDown) {
    InputEvent out{.kind = isDown ? InputKind::keyDown : InputKind::keyUp,
                   .key = keyOf(event.code),
                   .modifiers = {event.control, event.shift, event.alt, event.system}};
    switch (out.key) {
        case Key::leftControl:
        case Key::rightControl:
            out.modifiers.ctrl = isDown;
            break;
        case Key::leftShift:
        case Key::rightShift:
            out.modifiers.shift = isDown;
            break;
        case Key::leftAlt:
        case Key::rightAlt:
            out.modifiers.alt = isDown;
            break;
        case Key::leftSystem:
        case Key::rightSystem:
            out.modifiers.system = isDown;
            break;
        default:
            break;
    }
    return out;
}

InputEvent moveTo(int x, int y) {
    return {.kind = InputKind::mouseMove, .x = float(x), .y = float(y)};
}

/// ImGui uses the same order of buttons: left, right, middle.
int buttonOf(sf::Mouse::Button button) {
    return int(button);
}
static_assert(sf::Mouse::Left == 0 && sf::Mouse::Right == 1 && sf::Mouse::Middle == 2);

InputEvent wheelEvent(const sf::Event::MouseWheelScrollEvent& event) {
    const bool isUpright = event.wheel == sf::Mouse::VerticalWheel;
    return {.kind = InputKind::wheel, .x = isUpright ? 0 : event.delta, .y = isUpright ? event.delta : 0};
}

std::optional<sf::Cursor::Type> systemCursor(ImGuiMouseCursor cursor) {
    switch (cursor) {
        case ImGuiMouseCursor_Arrow:
            return sf::Cursor::Arrow;
        case ImGuiMouseCursor_TextInput:
            return sf::Cursor::Text;
        case ImGuiMouseCursor_ResizeAll:
            return sf::Cursor::SizeAll;
        case ImGuiMouseCursor_ResizeNS:
            return sf::Cursor::SizeVertical;
        case ImGuiMouseCursor_ResizeEW:
            return sf::Cursor::SizeHorizontal;
        // SFML has no diagonal cursors on X11.
        case ImGuiMouseCursor_ResizeNESW:
        case ImGuiMouseCursor_ResizeNWSE:
            return sf::Cursor::SizeAll;
        case ImGuiMouseCursor_Hand:
            return sf::Cursor::Hand;
        case ImGuiMouseCursor_NotAllowed:
            return sf::Cursor::NotAllowed;
        default:
            return {};
    }
}

void setClipboard(void*, const char* text) {
    const std::string_view words = text;
    sf::Clipboard::setString(sf::String::fromUtf8(words.begin(), words.end()));
}

/// Outside text fields the program handles Tab and Escape: ImGui would focus the first field it finds, or close lists.
bool isForImgui(const InputEvent& event, const ImGuiIO& io) {
    const bool isStray = (event.key == Key::tab || event.key == Key::escape) && event.kind == InputKind::keyDown;
    return event.key != Key::unknown && (io.WantTextInput || !isStray);
}

/// In a list that is open arrows move the choice, and Enter takes it; elsewhere those keys are the program's.
void mapListKeys(ImGuiIO& io, bool isOpen) {
    io.ConfigFlags = (io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard) |
                     (isOpen ? ImGuiConfigFlags_NavEnableKeyboard : ImGuiConfigFlags_None);
    io.KeyMap[ImGuiKey_Space] = int(isOpen ? Key::enter : Key::space);
}

void mapKeys(ImGuiIO& io) {
    const auto map = [&io](ImGuiKey imgui, Key key) { io.KeyMap[imgui] = int(key); };
    map(ImGuiKey_Tab, Key::tab);
    map(ImGuiKey_LeftArrow, Key::left);
    map(ImGuiKey_RightArrow, Key::right);
    map(ImGuiKey_UpArrow, Key::up);
    map(ImGuiKey_DownArrow, Key::down);
    map(ImGuiKey_PageUp, Key::pageUp);
    map(ImGuiKey_PageDown, Key::pageDown);
    map(ImGuiKey_Home, Key::home);
    map(ImGuiKey_End, Key::end);
    map(ImGuiKey_Insert, Key::insert);
    map(ImGuiKey_Delete, Key::del);
    map(ImGuiKey_Backspace, Key::backspace);
    map(ImGuiKey_Space, Key::space);
    map(ImGuiKey_Enter, Key::enter);
    map(ImGuiKey_Escape, Key::escape);
    map(ImGuiKey_A, Key::a);
    map(ImGuiKey_C, Key::c);
    map(ImGuiKey_V, Key::v);
    map(ImGuiKey_X, Key::x);
    map(ImGuiKey_Y, Key::y);
    map(ImGuiKey_Z, Key::z);
}

}  // namespace

ImguiPlatform::ImguiPlatform() : shownCursor_(ImGuiMouseCursor_Arrow) {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "whorl";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors | ImGuiBackendFlags_HasSetMousePos;
    mapKeys(io);
    io.SetClipboardTextFn = setClipboard;
    io.GetClipboardTextFn = clipboard;
    io.ClipboardUserData = this;
    for (ImGuiMouseCursor i = 0; i < ImGuiMouseCursor_COUNT; ++i) {
        auto cursor = std::make_unique<sf::Cursor>();
        const auto type = systemCursor(i);
        const bool isLoaded = type && (cursor->loadFromSystem(*type) || cursor->loadFromSystem(sf::Cursor::Arrow));
        cursors_.push_back(isLoaded ? std::move(cursor) : nullptr);
    }
}

ImguiPlatform::~ImguiPlatform() = default;

const char* ImguiPlatform::clipboard(void* self) {
    std::string& text = static_cast<ImguiPlatform*>(self)->clipboard_;
    const auto bytes = sf::Clipboard::getString().toUtf8();
    text.assign(bytes.begin(), bytes.end());
    return text.c_str();
}

bool ImguiPlatform::take(const sf::Event& event, const sf::Window& window) {
    switch (event.type) {
        case sf::Event::KeyPressed:
            queue_.push(keyEvent(event.key, true));
            return true;
        case sf::Event::KeyReleased:
            queue_.push(keyEvent(event.key, false));
            return true;
        case sf::Event::TextEntered:
            // Control characters are also reported as keys.
            if (event.text.unicode >= 0x20 && (event.text.unicode < 0x7F || event.text.unicode >= 0xA0)) {
                queue_.push({.kind = InputKind::text, .text = char32_t(event.text.unicode)});
            }
            return true;
        case sf::Event::MouseMoved:
            queue_.push(moveTo(event.mouseMove.x, event.mouseMove.y));
            return true;
        case sf::Event::MouseEntered: {
            const sf::Vector2i at = sf::Mouse::getPosition(window);
            queue_.push(moveTo(at.x, at.y));
            return true;
        }
        case sf::Event::MouseLeft:
            if (buttonsDown_ == 0) queue_.push({.kind = InputKind::mouseLeave});
            return true;
        case sf::Event::MouseButtonPressed:
        case sf::Event::MouseButtonReleased:
            takeButton(event, window);
            return true;
        case sf::Event::MouseWheelScrolled:
            queue_.push(wheelEvent(event.mouseWheelScroll));
            return true;
        case sf::Event::GainedFocus:
            queue_.push({.kind = InputKind::focus});
            return true;
        case sf::Event::LostFocus:
            buttonsDown_ = 0;
            queue_.push({.kind = InputKind::blur});
            return true;
        default:
            return false;
    }
}

void ImguiPlatform::takeButton(const sf::Event& event, const sf::Window& window) {
    const auto& [button, x, y] = event.mouseButton;
    const bool isDown = event.type == sf::Event::MouseButtonPressed;
    const unsigned bit = 1u << buttonOf(button);
    buttonsDown_ = isDown ? buttonsDown_ | bit : buttonsDown_ & ~bit;
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    queue_.push({.kind = isDown ? InputKind::buttonDown : InputKind::buttonUp,
                 .button = buttonOf(button),
                 .seconds = now.count()});
    // A drag captures the pointer. If it ends outside the window, no further leave event is sent.
    const sf::Vector2u size = window.getSize();
    const bool isOutside = x < 0 || y < 0 || x >= int(size.x) || y >= int(size.y);
    if (buttonsDown_ == 0 && isOutside) queue_.push({.kind = InputKind::mouseLeave});
}

void ImguiPlatform::expectTextField() {
    framesToHold_ = 5;
}  // ImGui needs three

std::vector<KeyPress> ImguiPlatform::beginFrame(sf::Window& window, float seconds) {
    ImGuiIO& io = ImGui::GetIO();
    io.DeltaTime = seconds;
    const sf::Vector2u size = window.getSize();
    io.DisplaySize = ImVec2(float(std::max(size.x, 1u)), float(std::max(size.y, 1u)));
    if (io.WantSetMousePos && focused_) {
        sf::Mouse::setPosition({int(io.MousePos.x), int(io.MousePos.y)}, window);
    }
    showCursor(window);
    mapListKeys(io, isListOpen() && !io.WantTextInput);
    std::vector<KeyPress> presses;
    // In the first two frames it may still want text for a field that was just left with Enter.
    constexpr int kOfTheNewField = 3;
    const bool isThere = io.WantTextInput && framesToHold_ <= kOfTheNewField;
    framesToHold_ = isThere ? 0 : std::max(framesToHold_ - 1, 0);
    if (framesToHold_ > 0) return presses;
    for (const InputEvent& event : queue_.takeFrame()) {
        feed(event);
        if (auto press = namer_.take(event)) presses.push_back(std::move(*press));
    }
    return presses;
}

void ImguiPlatform::feed(const InputEvent& event) {
    ImGuiIO& io = ImGui::GetIO();
    switch (event.kind) {
        case InputKind::keyDown:
        case InputKind::keyUp:
            if (isForImgui(event, io)) io.KeysDown[int(event.key)] = event.kind == InputKind::keyDown;
            io.KeyCtrl = event.modifiers.ctrl;
            io.KeyShift = event.modifiers.shift;
            io.KeyAlt = event.modifiers.alt;
            io.KeySuper = event.modifiers.system;
            break;
        case InputKind::text:
            io.AddInputCharacter(unsigned(event.text));
            break;
        case InputKind::mouseMove:
            io.MousePos = ImVec2(event.x, event.y);
            break;
        case InputKind::mouseLeave:
            io.MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
            break;
        case InputKind::buttonDown:
            feedPress(event);
            break;
        case InputKind::buttonUp:
            io.MouseDown[event.button] = false;
            break;
        case InputKind::wheel:
            io.MouseWheel += event.y;
            io.MouseWheelH += event.x;
            break;
        case InputKind::focus:
            focused_ = true;
            io.AddFocusEvent(true);
            break;
        case InputKind::blur:
            letGo();
            break;
    }
}

/// ImGui detects double clicks by the time between frames, which is unreliable when frames are slow.
void ImguiPlatform::feedPress(const InputEvent& event) {
    ImGuiIO& io = ImGui::GetIO();
    constexpr double kDoubleClick = 0.3;
    const bool isQuick = event.seconds - lastPress_[std::size_t(event.button)] < kDoubleClick;
    lastPress_[std::size_t(event.button)] = event.seconds;
    io.MouseDown[event.button] = true;
    io.MouseDoubleClickTime = isQuick ? FLT_MAX : 0;  // ImGui reads it only when a button goes down
}

/// Key and button releases are from now on sent to another window.
void ImguiPlatform::letGo() {
    ImGuiIO& io = ImGui::GetIO();
    focused_ = false;
    io.AddFocusEvent(false);
    std::fill(std::begin(io.KeysDown), std::end(io.KeysDown), false);
    std::fill(std::begin(io.MouseDown), std::end(io.MouseDown), false);
    io.KeyCtrl = io.KeyShift = io.KeyAlt = io.KeySuper = false;
}

void ImguiPlatform::showCursor(sf::Window& window) {
    const ImGuiIO& io = ImGui::GetIO();
    if ((io.ConfigFlags & ImGuiConfigFlags_NoMouseCursorChange) != 0) return;
    const ImGuiMouseCursor wanted = io.MouseDrawCursor ? ImGuiMouseCursor_None : ImGui::GetMouseCursor();
    if (wanted == shownCursor_) return;
    shownCursor_ = wanted;
    const bool isVisible = wanted >= 0 && cursors_[std::size_t(wanted)] != nullptr;
    window.setMouseCursorVisible(isVisible);
    if (isVisible) window.setMouseCursor(*cursors_[std::size_t(wanted)]);
}

}  // namespace whorl::app
