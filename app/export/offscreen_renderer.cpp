#include "app/export/offscreen_renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include "app/export/interface_svg.h"
#include "app/export/tiles_svg.h"
#include "app/panels/imgui_style.h"
#include "app/panels/interface.h"
#include "app/tasks/background_queries.h"
#include "app/views/view_renderer.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "render/svg/document.h"

namespace whorl::app {

namespace {

/// ImGui's context with its renderer; destroyed after everything that needs it and before the OpenGL context.
class ImGuiHolder {
  public:
    ImGuiHolder() : before_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
        ImGui::SetCurrentContext(context_);
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().MousePos = ImVec2(-FLT_MAX, -FLT_MAX);
        ready_ = ImGui_ImplOpenGL3_Init(gl::shaderHeader());
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
    ImGuiContext* before_;  ///< the context that was current before, restored at the end
    ImGuiContext* context_;
    bool ready_ = false;
};

class GlOffscreenRenderer final : public OffscreenRenderer {
  public:
    GlOffscreenRenderer(std::unique_ptr<gl::OffscreenContext> context, std::unique_ptr<gl::Frame> frame,
                        std::unique_ptr<ViewRenderer> viewRenderer, std::unique_ptr<ImGuiHolder> imgui, Fonts fonts,
                        float display)
        : context_(std::move(context)),
          frame_(std::move(frame)),
          viewRenderer_(std::move(viewRenderer)),
          imgui_(std::move(imgui)),
          fonts_(std::move(fonts)),
          display_(display),
          scale_(display),
          pixels_(frame_->bytes()) {}

    const std::vector<std::byte>& draw(const Session& session, double moveTicks) override {
        const std::vector<Tile> tiles = compose(session, moveTicks);
        frame_->bind();
        gl::clear(background(), width(), height());
        viewRenderer_->paint(tiles, runs_, session, scale_, height());
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        frame_->read(pixels_);
        return pixels_;
    }

    sim::Expected<std::string> drawSvg(const Session& session, double moveTicks) override {
        setScale(session);  // now, as it resets the style
        const SharpEdges sharp;
        const std::vector<Tile> tiles = compose(session, moveTicks);
        const glm::vec2 size(width(), height());
        svg::Document document(size);
        document.rectangle({0, 0}, size, background());
        if (auto drawn = app::draw(document, tiles, runs_, session, scale_, *viewRenderer_); !drawn) {
            return tl::unexpected(drawn.error());
        }
        app::draw(document, *ImGui::GetDrawData(), fonts_);
        return document.finish("Whorl: " + session.opened.run->trace().name());
    }

    int width() const override { return frame_->width(); }
    int height() const override { return frame_->height(); }

  private:
    /// Makes all pictures of the frame; what ImGui has to draw over them is its draw data.
    std::vector<Tile> compose(const Session& session, double moveTicks) {
        setScale(session);
        const gl::Rect canvas = canvasOf(session, width(), height(), scale_);
        std::vector<Tile> tiles = tilesOn(session, canvas, scale_);
        runs_.follow(session);
        runs_.update(session, tiles, canvas, scale_, moveTicks);
        Commands ignored;
        if (session.panels) queries_.update(session, runs_.open()->composer().overview(), ignored);
        // Tables take their column widths from the previous pass, so it takes a few passes until they settle.
        const int passes = session.panels ? 3 : 1;
        for (int i = 0; i < passes; ++i) drawPass(session);
        return tiles;
    }

    scene::Rgba background() const { return runs_.open()->composer().picture()->scene.background; }

    void setScale(const Session& session) {
        const float scale = session.scaleIn({width(), height()}, display_);
        if (scale == scale_) return;
        scale_ = scale;
        fonts_ = loadFonts(scale);
        applyStyle(session.ground, scale);
    }

    void drawPass(const Session& session) {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(width()), static_cast<float>(height()));
        io.DeltaTime = 1.0f / 60.0f;
        beginImguiFrame();
        Commands ignored;
        Edits edits;
        const PanelContext context{.session = session,
                                   .opening = nullptr,
                                   .runs = runs_,
                                   .results = queries_.results(),
                                   .fonts = fonts_,
                                   .scale = scale_,
                                   .commands = ignored,
                                   .edits = edits};
        drawInterface(context, width(), height());
        ImGui::Render();
    }

    // In order of dependency.
    std::unique_ptr<gl::OffscreenContext> context_;
    std::unique_ptr<gl::Frame> frame_;
    std::unique_ptr<ViewRenderer> viewRenderer_;
    std::unique_ptr<ImGuiHolder> imgui_;
    Fonts fonts_;
    float display_;
    float scale_;
    std::vector<std::byte> pixels_;
    ImmediateRunner runner_;  ///< a frame waits for everything that it shows
    BackgroundQueries queries_{runner_};
    RunViews runs_{runner_};
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
    if (!fonts.note.empty()) {
        return sim::fail(kFontFolder, "the fonts of the pictures cannot be read",
                         "install the package fonts-dejavu-core");
    }
    applyStyle(ground, scale);
    return std::make_unique<GlOffscreenRenderer>(std::move(*context), std::move(*frame), std::move(*viewRenderer),
                                                 std::move(imgui), std::move(fonts), scale);
}

}  // namespace whorl::app
