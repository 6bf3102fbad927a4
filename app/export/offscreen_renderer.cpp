#include "app/export/offscreen_renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/panels/interface.h"
#include "app/tasks/history_keeper.h"
#include "app/views/view_renderer.h"
#include "render/gl/offscreen.h"
#include "render/gl/painter.h"

namespace whorl::app {

namespace {

/// ImGui's context with its renderer; goes after nothing that needs it and before the OpenGL context.
class ImGuiHolder {
  public:
    ImGuiHolder() : before_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
        ready_ = ImGui_ImplOpenGL3_Init("#version 330");
    }
    ~ImGuiHolder() {
        ImGui::SetCurrentContext(context_);
        if (ready_) ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext(context_);
        ImGui::SetCurrentContext(before_);
    }
    ImGuiHolder(const ImGuiHolder&) = delete;
    ImGuiHolder& operator=(const ImGuiHolder&) = delete;
    bool ready() const { return ready_; }

  private:
    ImGuiContext* before_;  ///< the one that was current, as it shall be again
    ImGuiContext* context_;
    bool ready_ = false;
};

class GlOffscreenRenderer final : public OffscreenRenderer {
  public:
    GlOffscreenRenderer(std::unique_ptr<gl::OffscreenContext> context, std::unique_ptr<gl::Frame> frame,
                        std::unique_ptr<ViewRenderer> viewRenderer, std::unique_ptr<ImGuiHolder> imgui, Fonts fonts,
                        float scale)
        : context_(std::move(context)),
          frame_(std::move(frame)),
          viewRenderer_(std::move(viewRenderer)),
          imgui_(std::move(imgui)),
          fonts_(std::move(fonts)),
          scale_(scale),
          pixels_(frame_->bytes()) {}

    const std::vector<std::byte>& draw(const Session& session, FrameComposer& composer, double t,
                                       double moveTicks) override {
        const gl::Rect canvas = canvasOf(session, width(), height(), scale_);
        const std::vector<Tile> tiles = tilesOn(session, canvas, scale_);
        const gl::Rect rings = ringsOf(tiles, canvas);
        scene::View view = session.view({rings.width, rings.height}, scale_);
        view.moveTicks = moveTicks;
        const Picture& picture = composer.compose(t, view);
        // Tables take the widths of their columns from the pass before, so that it takes a few until they have settled.
        const int passes = session.panels ? 3 : 1;
        if (session.panels) find(session, composer, t);
        remember(session);
        for (int i = 0; i < passes; ++i) drawPass(session, composer, picture);
        frame_->bind();
        gl::clear(picture.scene.background, width(), height());
        const Pictures pictures{.rings = &picture, .historyViews = historyViews_.get()};
        viewRenderer_->paint(tiles, pictures, session, scale_, height());
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        frame_->read(pixels_);
        return pixels_;
    }

    int width() const override { return frame_->width(); }
    int height() const override { return frame_->height(); }

  private:
    /// The numbers that the panels show, at once. A range is measured again only when another is shown.
    void find(const Session& session, FrameComposer& composer, double t) {
        const sim::Run& run = *session.opened.run;
        sim::Progress progress;
        const sim::Tick at{std::min(run.built().value, static_cast<std::uint64_t>(std::ceil(t)))};
        results_.soFar = kindsBefore(run, kindsKnown(composer.overview(), at), at, progress);
        const bool same = results_.range && measured_ == &run && session.range == results_.range->of;
        if (same) return;
        measured_ = &run;
        results_.range = session.range ? figuresOf(run, *session.range, progress) : nullptr;
    }

    /// The history, as long as views need it; it is made again only when another is asked for.
    void remember(const Session& session) {
        if (!session.viewSettings.needsHistory()) return;
        const sim::Run& run = *session.opened.run;
        const HistoryWish wish = historyWished(session, run);
        if (historyViews_ && remembered_ == &run && wish_ == wish) return;
        sim::Progress progress;
        remembered_ = &run;
        wish_ = wish;
        historyViews_ = std::make_unique<HistoryViews>(run.sharedTrace(), historyFor(run, wish, progress));
    }

    void drawPass(const Session& session, FrameComposer& composer, const Picture& picture) {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(width()), static_cast<float>(height()));
        io.DeltaTime = 1.0f / 60.0f;
        ImGui_ImplOpenGL3_NewFrame();
        ImGui::NewFrame();
        Commands ignored;
        Edits edits;
        const PanelContext context{.session = session,
                                   .opening = nullptr,
                                   .picture = &picture,
                                   .overview = &composer.overview(),
                                   .results = results_,
                                   .historyViews = historyViews_.get(),
                                   .remembered = -1,
                                   .baselinePicture = nullptr,
                                   .baselineComposer = nullptr,
                                   .baselineHistoryViews = nullptr,
                                   .fonts = fonts_,
                                   .scale = scale_,
                                   .commands = ignored,
                                   .edits = edits};
        drawInterface(context, &composer, width(), height());
        ImGui::Render();
    }

    // In the order in which they need each other.
    std::unique_ptr<gl::OffscreenContext> context_;
    std::unique_ptr<gl::Frame> frame_;
    std::unique_ptr<ViewRenderer> viewRenderer_;
    std::unique_ptr<ImGuiHolder> imgui_;
    Fonts fonts_;
    float scale_;
    std::vector<std::byte> pixels_;
    QueryResults results_;
    const sim::Run* measured_ = nullptr;    ///< the run whose range was measured
    const sim::Run* remembered_ = nullptr;  ///< … whose history is shown
    HistoryWish wish_;
    std::unique_ptr<HistoryViews> historyViews_;
};

}  // namespace

sim::Expected<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create(int width, int height, scene::Ground ground,
                                                                            float scale) {
    auto context = gl::OffscreenContext::create();
    if (!context) return tl::unexpected(context.error());
    auto frame = gl::Frame::create(width, height);
    if (!frame) return tl::unexpected(frame.error());
    auto viewRenderer = ViewRenderer::create();
    if (!viewRenderer) return tl::unexpected(viewRenderer.error());
    auto imgui = std::make_unique<ImGuiHolder>();
    if (!imgui->ready()) return sim::fail("", "the interface cannot be drawn with this OpenGL");
    Fonts fonts = loadFonts(scale);
    applyStyle(ground, scale);
    return std::make_unique<GlOffscreenRenderer>(std::move(*context), std::move(*frame), std::move(*viewRenderer),
                                                 std::move(imgui), std::move(fonts), scale);
}

}  // namespace whorl::app
