#include "app/window/window.h"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <SFML/System.hpp>
#include <SFML/Window.hpp>
#include <algorithm>
#include <cstdlib>

#include "app/panels/imgui_style.h"
#include "app/panels/interface.h"
#include "app/window/display.h"
#include "app/window/icon.h"
#include "app/window/imgui_platform.h"
#include "render/gl/painter.h"

namespace whorl::app {
namespace {

using Clock = std::chrono::steady_clock;

/// ImGui needs a frame to process an input, one for the layout change, and one for what depends on that.
constexpr int kFramesToSettle = 3;
constexpr std::chrono::milliseconds kBetweenLooks{12};

sf::String words(const std::string& utf8) {
    return sf::String::fromUtf8(utf8.begin(), utf8.end());
}

/// Keeps SFML, the OpenGL driver and the X server from writing to the terminal, or ending the program, while a window
/// is opened: Whorl reports failures itself.
class Silence {
  public:
    Silence() : before_(sf::err().rdbuf(nullptr)) {
        setenv("LIBGL_DEBUG", "quiet", 0);
        tolerateDisplayErrors();
    }
    ~Silence() { sf::err().rdbuf(before_); }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

  private:
    std::streambuf* before_;
};

/// What a display offers in place of the OpenGL that is needed.
std::string offerOf(const sf::ContextSettings& given) {
    return given.majorVersion == 0 ? "no OpenGL" : fmt::format("{}.{}", given.majorVersion, given.minorVersion);
}

/// Whether enough of a window at its wanted place is on the screen to take hold of it: the screen may be another one
/// than last time.
bool isSeen(const Window::Options& options, const sf::VideoMode& screen) {
    constexpr int kGrip = 100;
    const auto [x, y] = *options.at;
    return x + options.width >= kGrip && x + kGrip <= int(screen.width) && y >= 0 && y + kGrip <= int(screen.height);
}

void putOnScreen(sf::Window& window, const Window::Options& options) {
    const sf::VideoMode screen = sf::VideoMode::getDesktopMode();
    // SFML's own centring places the window beyond the lower edge of the screen.
    const auto middle = [](unsigned whole, unsigned part) { return part < whole ? int(whole - part) / 2 : 0; };
    if (options.at && isSeen(options, screen)) {
        window.setPosition({options.at->first, options.at->second});
    } else {
        window.setPosition({middle(screen.width, window.getSize().x), middle(screen.height, window.getSize().y)});
    }
    const auto handle = std::uintptr_t(window.getSystemHandle());
    hintMinimumSize(handle, std::min(options.minimumWidth, int(screen.width)),
                    std::min(options.minimumHeight, int(screen.height)));
    if (options.maximised && !askMaximised(handle)) {
        window.setPosition({0, 0});
        window.setSize({screen.width, screen.height});
    }
}

}  // namespace

struct Window::Parts {
    sf::Window window;
    std::unique_ptr<ImguiPlatform> platform;
    float scale = 1;
    bool wantsToClose = false;
    sf::Vector2u sizeBefore;  ///< before it filled the screen without a window manager
    sf::Vector2i placeBefore;
    int quietFrames = 0;
    Clock::time_point lastFrame = Clock::now();

    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts();
    bool takeEvents();
};

Window::Parts::~Parts() {
    if (platform) {
        if (ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplOpenGL3_Shutdown();
        window.close();  // before the cursors: X reports an error if a cursor is destroyed while a window shows it
        platform.reset();
        ImGui::DestroyContext();
    }
}

bool Window::Parts::takeEvents() {
    bool any = false;
    for (sf::Event event{}; window.pollEvent(event);) {
        const bool isInput = platform->take(event, window);
        const bool isClose = event.type == sf::Event::Closed;
        wantsToClose |= isClose;
        any |= isInput || isClose || event.type == sf::Event::Resized;
    }
    if (any) quietFrames = 0;
    return any;
}

sim::Expected<std::unique_ptr<Window>> Window::open(const Options& options) {
    std::string why;
    if (!displayAvailable(&why)) return sim::fail("", why, "open a session with a desktop, or work without a window");
    const Silence silence;
    auto parts = std::make_unique<Parts>();
    parts->scale = displayScale();
    const sf::VideoMode screen = sf::VideoMode::getDesktopMode();
    const sf::VideoMode mode(std::clamp(unsigned(std::max(options.width, 1)), 1u, screen.width),
                             std::clamp(unsigned(std::max(options.height, 1)), 1u, screen.height));
    const sf::ContextSettings settings(0, 0, 0, 3, 3, sf::ContextSettings::Core);
    parts->window.create(mode, words(options.title), sf::Style::Default, settings);
    const sf::ContextSettings& given = parts->window.getSettings();
    const bool isEnough = std::pair(given.majorVersion, given.minorVersion) >= std::pair(3u, 3u);
    if (!parts->window.isOpen() || !isEnough || !parts->window.setActive(true)) {
        return sim::fail("",
                         fmt::format("no window with OpenGL 3.3 can be opened: this display offers {}", offerOf(given)),
                         "install libgl1-mesa-dri, or a graphics driver");
    }
    parts->window.setFramerateLimit(options.framesPerSecond);
    if (const auto icon = iconPixels(kIconSize); !icon.empty()) {
        parts->window.setIcon(kIconSize, kIconSize, icon.data());
    }
    putOnScreen(parts->window, options);

    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // settings are saved by the session
    parts->platform = std::make_unique<ImguiPlatform>();
    if (!ImGui_ImplOpenGL3_Init(gl::shaderHeader())) return sim::fail("", "cannot prepare OpenGL for the panels");
    return std::unique_ptr<Window>(new Window(std::move(parts)));
}

Window::Window(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Window::~Window() = default;

bool Window::isOpen() const {
    return !parts_->wantsToClose;
}
void Window::close() {
    parts_->wantsToClose = true;
}
void Window::keepOpen() {
    parts_->wantsToClose = false;
}
float Window::scale() const {
    return parts_->scale;
}
bool Window::hasFocus() const {
    return parts_->window.hasFocus();
}
int Window::width() const {
    return int(ImGui::GetIO().DisplaySize.x);
}
int Window::height() const {
    return int(ImGui::GetIO().DisplaySize.y);
}
void Window::setTitle(const std::string& title) {
    parts_->window.setTitle(words(title));
}

void Window::resize(int width, int height) {
    parts_->window.setSize({unsigned(std::max(width, 1)), unsigned(std::max(height, 1))});
}

void Window::activate() {
    if (!parts_->window.setActive(true)) close();
}

void Window::setFullScreen(bool on) {
    sf::Window& window = parts_->window;
    if (askFullScreen(std::uintptr_t(window.getSystemHandle()), on)) return;
    if (on) {
        const sf::VideoMode screen = sf::VideoMode::getDesktopMode();
        parts_->sizeBefore = window.getSize();
        parts_->placeBefore = window.getPosition();
        window.setPosition({0, 0});
        window.setSize({screen.width, screen.height});
    } else if (parts_->sizeBefore.x > 0) {
        window.setSize(parts_->sizeBefore);
        window.setPosition(parts_->placeBefore);
    }
}

bool Window::idle() const {
    return parts_->quietFrames >= kFramesToSettle && !parts_->platform->hasWaiting();
}

bool Window::waitForInput(std::chrono::milliseconds limit, const std::function<bool()>& calls) {
    if (parts_->platform->hasWaiting()) return true;
    const Clock::time_point end = Clock::now() + limit;
    while (!parts_->takeEvents()) {
        if (Clock::now() >= end) return false;
        if (calls && calls()) {
            parts_->quietFrames = 0;  // requests change the panels, as input does
            return false;
        }
        const auto rest = std::chrono::duration_cast<std::chrono::microseconds>(end - Clock::now());
        sf::sleep(sf::microseconds(std::min<std::chrono::microseconds>(kBetweenLooks, rest).count()));
    }
    return true;
}

std::vector<KeyPress> Window::beginFrame(bool onStage) {
    ++parts_->quietFrames;
    parts_->takeEvents();
    if (parts_->platform->hasWaiting()) parts_->quietFrames = 0;
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<float> passed = now - parts_->lastFrame;
    parts_->lastFrame = now;

    auto presses = parts_->platform->beginFrame(parts_->window, std::clamp(passed.count(), 0.0001F, 1.0F));
    beginImguiFrame();
    // WantTextInput lags a frame behind: after Enter the field has already lost the keyboard focus.
    if (ImGui::GetIO().WantTextInput && ImGui::IsAnyItemActive()) {
        std::erase_if(presses, [&](const KeyPress& press) { return isForTextField(press, onStage); });
        // A field is left as it is: ImGui would take back what was typed.
        if (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) ImGui::ClearActiveID();
    } else if (isListOpen()) {
        std::erase_if(presses, isForList);
    }
    return presses;
}

bool Window::isDown(Key key) const {
    return ImGui::IsKeyDown(static_cast<int>(key));
}

void Window::expectTextField() {
    parts_->platform->expectTextField();
}

Window::Place Window::place() const {
    const sf::Vector2i at = parts_->window.getPosition();
    const sf::Vector2u size = parts_->window.getSize();
    const sf::VideoMode screen = sf::VideoMode::getDesktopMode();
    return {.x = at.x,
            .y = at.y,
            .width = int(size.x),
            .height = int(size.y),
            .isWhole = size.x >= screen.width || size.y >= screen.height};
}

void Window::copyToClipboard(const std::string& text) {
    ImGui::SetClipboardText(text.c_str());
}

void Window::endFrame(const std::function<void()>& paintUnder) {
    endFrame(paintUnder, {});
}

void Window::endFrame(const std::function<void()>& paintUnder, const std::function<void()>& look) {
    ImGui::Render();
    if (paintUnder) paintUnder();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (look) look();
    parts_->window.display();
}

}  // namespace whorl::app
