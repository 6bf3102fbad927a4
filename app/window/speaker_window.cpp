#include "app/window/speaker_window.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <SFML/Window.hpp>
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "app/window/icon.h"
#include "app/window/imgui_platform.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kWidth = 1280;
constexpr unsigned kHeight = 720;

}  // namespace

struct SpeakerWindow::Parts {
    sf::Window window;
    ImGuiContext* context = nullptr;
    std::unique_ptr<ImguiPlatform> platform;
    Fonts fonts;
    float scale = 1;
    std::optional<scene::Ground> styled;
    bool wantsToClose = false;
    Clock::time_point lastFrame = Clock::now();

    Parts() = default;
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;
    ~Parts();
};

SpeakerWindow::Parts::~Parts() {
    if (context == nullptr) return;
    const ContextScope scope(context);
    if (window.setActive(true) && ImGui::GetIO().BackendRendererUserData != nullptr) ImGui_ImplOpenGL3_Shutdown();
    window.close();
    platform.reset();
    ImGui::DestroyContext(context);
}

sim::Expected<std::unique_ptr<SpeakerWindow>> SpeakerWindow::open(float scale) {
    auto parts = std::make_unique<Parts>();
    parts->scale = scale;
    const sf::VideoMode screen = sf::VideoMode::getDesktopMode();
    const auto size = [scale](unsigned pixels, unsigned most) {
        return std::min(static_cast<unsigned>(static_cast<float>(pixels) * scale), most);
    };
    const sf::VideoMode mode(size(kWidth, screen.width), size(kHeight, screen.height));
    parts->window.create(mode, "Whorl: speaker", sf::Style::Default,
                         sf::ContextSettings(0, 0, 0, 3, 3, sf::ContextSettings::Core));
    if (!parts->window.isOpen() || !parts->window.setActive(true)) {
        return sim::fail("", "the speaker's window cannot be opened", "show the notes on paper");
    }
    // No second wait for the screen: the main window already waits.
    parts->window.setVerticalSyncEnabled(false);
    if (const auto icon = iconPixels(kIconSize); !icon.empty()) {
        parts->window.setIcon(kIconSize, kIconSize, icon.data());
    }
    parts->context = ImGui::CreateContext();
    const ContextScope scope(parts->context);
    ImGui::GetIO().IniFilename = nullptr;
    parts->platform = std::make_unique<ImguiPlatform>();
    if (!ImGui_ImplOpenGL3_Init(gl::shaderHeader())) return sim::fail("", "cannot prepare OpenGL for the notes");
    parts->fonts = loadFonts(scale);
    return std::unique_ptr<SpeakerWindow>(new SpeakerWindow(std::move(parts)));
}

SpeakerWindow::SpeakerWindow(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SpeakerWindow::~SpeakerWindow() = default;

bool SpeakerWindow::wantsToClose() const {
    return parts_->wantsToClose;
}

std::vector<KeyPress> SpeakerWindow::frame(scene::Ground ground, const std::function<void(const Fonts&)>& draw) {
    Parts& p = *parts_;
    const ContextScope scope(p.context);
    if (!p.window.setActive(true)) return {};
    for (sf::Event event{}; p.window.pollEvent(event);) {
        p.platform->take(event, p.window);
        if (event.type == sf::Event::Closed) p.wantsToClose = true;
    }
    if (p.styled != ground) {
        applyStyle(ground, p.scale);
        p.styled = ground;
    }
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<float> passed = now - p.lastFrame;
    p.lastFrame = now;
    auto presses = p.platform->beginFrame(p.window, std::clamp(passed.count(), 0.0001F, 1.0F));
    beginImguiFrame();
    draw(p.fonts);
    ImGui::Render();
    const sf::Vector2u size = p.window.getSize();
    gl::clear(scene::paletteFor(ground).ground, static_cast<int>(size.x), static_cast<int>(size.y));
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    p.window.display();
    return presses;
}

}  // namespace whorl::app
