#include "app/window/speaker_window.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <SFML/Window.hpp>
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "app/panels/interface.h"
#include "app/tasks/opening.h"
#include "app/tasks/tour_player.h"
#include "app/window/icon.h"
#include "app/window/imgui_platform.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"

namespace whorl::app {

namespace {

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

namespace {

/// A session on the stage, from which a tour is entered: what is chosen for all pictures is as in the talk.
Session beforeStep(const Session& talk) {
    Session session;
    session.ground = talk.ownLook().ground;
    session.uiScale = talk.uiScale;
    session.reducedMotion = talk.reducedMotion;
    session.panels = false;
    session.caption = session.lecture = true;
    return session;
}

/// Opens and builds a run, unless it is the known one.
TourPlayer::OpenRun openerOfCompared(const Opened& known, sim::Progress& progress) {
    return [&progress, known](const OpenRequest& request,
                              std::shared_ptr<const sim::Trace> trace) -> sim::Expected<Opened> {
        if (isSameRun(known.request, request)) return known;
        if (!trace && known.request.input == request.input) trace = known.run->sharedTrace();
        auto opened = open(request, std::move(trace), progress);
        if (opened && !opened->run->build(progress)) return tl::unexpected(sim::Error::byUser());
        return opened;
    };
}

}  // namespace

SpeakerPictures::SpeakerPictures(TaskRunner& runner)
    : step_(runner), runs_(runner), context_(ImGui::CreateContext(ImGui::GetIO().Fonts)) {
    const ContextScope scope(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
    // Without a renderer, the window shows only the words of the next step.
    if (auto renderer = ViewRenderer::create()) renderer_ = *std::move(renderer);
}

SpeakerPictures::~SpeakerPictures() {
    ImGui::DestroyContext(context_);
}

void SpeakerPictures::update(const Session& session) {
    const auto& p = session.presentation;
    wanted_.reset();
    if (!p || p->isLast()) return;
    wanted_ = Key{p->tour, p->scene + 1};
    if (p->entered && session.complete()) {
        step_.ask(*wanted_, [key = *wanted_, before = beforeStep(session), file = p->file, reading = p->reading,
                             known = session.opened](sim::Progress& progress) {
            TourPlayer player(before, {*key.tour, file}, reading, openerOfCompared(known, progress));
            return player.enter(key.scene).map([&] {
                player.passUntil(player.time().arrival());
                return std::make_shared<const Step>(Step{key, player.session()});
            });
        });
    }
    if (step_.update()) painted_ = {};
}

const Session* SpeakerPictures::next() const {
    const auto& step = step_.answer();
    return step && (*step)->key == wanted_ ? &(*step)->session : nullptr;
}

void SpeakerPictures::paintNext(const PaintedWindow& window) {
    const Session* const step = next();
    const glm::ivec2 size(window.width, window.height);
    if (step == nullptr || renderer_ == nullptr || (painted_ == size && !runs_.working())) return;
    const gl::Rect canvas = canvasOf(*step, size.x, size.y, window.scale);
    const std::vector<Tile> tiles = tilesOn(*step, canvas, window.scale);
    runs_.follow(*step);
    runs_.update(*step, tiles, canvas, window.scale, step->player.moveTicks());
    ImDrawData* const drawn = drawNext(*step, window);
    gl::clear(scene::paletteFor(step->ground).ground, size.x, size.y);
    renderer_->paint(tiles, runs_, *step, window.scale, size.y);
    ImGui_ImplOpenGL3_RenderDrawData(drawn);
    next_.take(size.x, size.y);
    painted_ = size;
}

ImDrawData* SpeakerPictures::drawNext(const Session& step, const PaintedWindow& window) {
    const ContextScope scope(context_);
    applyStyle(step.ground, window.scale);
    ImGuiIO& io = ImGui::GetIO();
    io.FontDefault = window.fonts.body;
    io.DisplaySize = ImVec2(static_cast<float>(window.width), static_cast<float>(window.height));
    io.DeltaTime = 1.0f / 60.0f;
    ImGui::NewFrame();
    Commands ignored;
    Edits edits;
    const QueryResults none;
    drawInterface({.session = step,
                   .context = step.context(),
                   .opening = nullptr,
                   .runs = runs_,
                   .results = none,
                   .fonts = window.fonts,
                   .scale = window.scale,
                   .commands = ignored,
                   .edits = edits},
                  window.width, window.height);
    ImGui::Render();
    return ImGui::GetDrawData();
}

SpeakerSight SpeakerPictures::sight(const PaintedWindow& window) const {
    return {.now = now_.texture(),
            .next = next() != nullptr && painted_.x > 0 ? next_.texture() : 0,
            .aspect = static_cast<float>(window.width) / static_cast<float>(window.height),
            .said = next() != nullptr ? std::optional(saidScene(*next()->presentation, wanted_->scene)) : std::nullopt};
}

}  // namespace whorl::app
