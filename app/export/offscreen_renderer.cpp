#include "app/export/offscreen_renderer.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "app/export/interface_svg.h"
#include "app/export/png.h"
#include "app/panels/imgui_style.h"
#include "app/panels/interface.h"
#include "app/tasks/background_queries.h"
#include "app/views/run_views.h"
#include "app/views/view_renderer.h"
#include "render/gl/frame.h"
#include "render/gl/offscreen_context.h"
#include "render/gl/painter.h"
#include "render/scene/palette.h"
#include "render/svg/document.h"
#include "render/svg/pictures.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

/// What viewers of SVG still show without delay.
constexpr std::size_t kMaxBoxes = 20'000;
/// How much finer than the frame an embedded image is.
constexpr int kFiner = 2;

/// Pixels as an image that fills a tile.
sim::Expected<void> embed(svg::Document& to, glm::ivec2 tile, glm::ivec2 size, std::span<const std::byte> rgba) {
    sim::StringSink png;
    if (auto written = writePng(png, size.x, size.y, rgba); !written) return written;
    to.image({0, 0}, tile, png.bytes());
    return {};
}

sim::Expected<void> drawFlat(svg::Document& to, glm::ivec2 tile, const scene::FlatScene& flat) {
    const std::vector<svg::ColouredBox> boxes = svg::boxesOf(flat.raster, kMaxBoxes);
    if (boxes.size() <= kMaxBoxes) {
        svg::draw(to, boxes);
    } else {
        const glm::ivec2 size(flat.raster.width(), flat.raster.height());
        if (auto done = embed(to, tile, size, std::as_bytes(std::span(flat.raster.pixels()))); !done) return done;
    }
    svg::drawStrokes(to, flat);
    return {};
}

/// The view painted alone, larger.
sim::Expected<void> drawSpace(svg::Document& to, const Tile& tile, const RunViews& runs, const Session& session,
                              float scale, ViewRenderer& renderer) {
    const glm::ivec2 size(tile.where.width, tile.where.height);
    auto frame = WHORL_TRY(gl::Frame::create(kFiner * size.x, kFiner * size.y));
    Tile alone = tile;
    alone.where = {0, 0, kFiner * size.x, kFiner * size.y};
    frame->bind();
    renderer.paint(std::span(&alone, 1), runs, session, scale * kFiner, alone.where.height);
    std::vector<std::byte> pixels(frame->bytes());
    frame->read(pixels);
    return embed(to, size, {alone.where.width, alone.where.height}, pixels);
}

/// Draws the pictures of all tiles. Rings and flat views are drawn as shapes. Views in space, which need hidden-surface
/// removal per pixel, and flat views with more boxes than SVG viewers can handle are embedded as images. Errors come
/// from OpenGL or a lack of memory.
sim::Expected<void> drawTiles(svg::Document& to, std::span<const Tile> tiles, const RunViews& runs,
                              const Session& session, float scale, ViewRenderer& renderer) {
    for (const Tile& tile : tiles) {
        const TileScene shown = sceneOf(tile, runs, session, scale);
        sim::Expected<void> drawn;
        to.beginPart({tile.where.x, tile.where.y}, {tile.where.width, tile.where.height});
        if (const auto* rings = std::get_if<const scene::Scene*>(&shown)) {
            svg::draw(to, **rings);
        } else if (const auto* flat = std::get_if<const scene::FlatScene*>(&shown)) {
            drawn = drawFlat(to, {tile.where.width, tile.where.height}, **flat);
        } else if (std::holds_alternative<const scene::SpaceScene*>(shown)) {
            drawn = drawSpace(to, tile, runs, session, scale, renderer);
        }
        to.endPart();
        if (!drawn) return drawn;
    }
    return {};
}

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

/// From the same picture on black and on white to its own colours and alpha.
void withoutBackdrop(std::vector<std::byte>& onBlack, const std::vector<std::byte>& onWhite) {
    for (std::size_t i = 0; i + 3 < onBlack.size(); i += 4) {
        int through = 255;  // transmission of the backdrop: least in any channel
        for (std::size_t k = i; k < i + 3; ++k) {
            through = std::min(through, std::to_integer<int>(onWhite[k]) - std::to_integer<int>(onBlack[k]));
        }
        const int alpha = 255 - std::max(0, through);
        for (std::size_t k = i; k < i + 3; ++k) {
            const int light = std::to_integer<int>(onBlack[k]);
            const int own = alpha == 0 ? 0 : std::min(255, (light * 255 + alpha / 2) / alpha);
            onBlack[k] = static_cast<std::byte>(own);
        }
        onBlack[i + 3] = static_cast<std::byte>(alpha);
    }
}

class GlOffscreenRenderer final : public OffscreenRenderer {
  public:
    GlOffscreenRenderer(std::unique_ptr<gl::OffscreenContext> context, std::unique_ptr<gl::Frame> frame,
                        std::unique_ptr<ViewRenderer> viewRenderer, std::unique_ptr<ImGuiHolder> imgui, Fonts fonts,
                        float display, scene::Ground ground)
        : context_(std::move(context)),
          frame_(std::move(frame)),
          viewRenderer_(std::move(viewRenderer)),
          imgui_(std::move(imgui)),
          fonts_(std::move(fonts)),
          display_(display),
          scale_(display),
          ground_(ground),
          pixels_(frame_->bytes()) {}

    const std::vector<std::byte>& draw(const Session& session, double moveTicks, Backdrop backdrop) override {
        const std::vector<Tile> tiles = compose(session, moveTicks);
        const auto paint = [&](std::optional<scene::Rgba> ground) {
            viewRenderer_->paint(tiles, runs_, session, scale_, height(), ground);
        };
        return painted(background(), backdrop, paint);
    }

    const std::vector<std::byte>& draw(const TitleCard& card, scene::Ground ground, Backdrop backdrop) override {
        drawCard(card, ground, {width(), height()});
        return painted(scene::paletteFor(ground).ground, backdrop, [](std::optional<scene::Rgba>) {});
    }

    std::string drawSvg(const TitleCard& card, scene::Ground ground, glm::ivec2 size) override {
        setFonts(ground, titleCardScale(static_cast<float>(size.x), static_cast<float>(size.y)));
        const SharpEdges sharp;
        drawCard(card, ground, size);
        svg::Document document{glm::vec2(size)};
        document.rectangle({0, 0}, size, scene::paletteFor(ground).ground);
        app::draw(document, *ImGui::GetDrawData(), fonts_);
        return document.finish("Whorl: " + card.title);
    }

    sim::Expected<std::string> drawSvg(const Session& session, double moveTicks) override {
        setScale(session);  // now, as it resets the style
        const SharpEdges sharp;
        const std::vector<Tile> tiles = compose(session, moveTicks);
        const glm::vec2 size(width(), height());
        svg::Document document(size);
        document.rectangle({0, 0}, size, background());
        if (auto drawn = drawTiles(document, tiles, runs_, session, scale_, *viewRenderer_); !drawn) {
            return tl::unexpected(drawn.error());
        }
        app::draw(document, *ImGui::GetDrawData(), fonts_);
        return document.finish("Whorl: " + session.opened.run->trace().name());
    }

    float wordsShare(const Session& session) override {
        compose(session, session.player.moveTicks());
        return edits_.wordsShare;
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

    scene::Rgba background() const { return runs_.open()->composer().picture()->scene().background; }

    void setScale(const Session& session) { setFonts(session.ground, session.scaleIn({width(), height()}, display_)); }

    void setFonts(scene::Ground ground, float scale) {
        if (scale == scale_ && ground == ground_) return;
        if (scale != scale_) fonts_ = loadFonts(scale);
        scale_ = scale;
        ground_ = ground;
        applyStyle(ground, scale);
    }

    /// Paints a frame with what ImGui has to draw over it. Where nothing is behind, it is painted on black and on
    /// white: what they differ by is what shines through.
    template <class Paint>
    const std::vector<std::byte>& painted(scene::Rgba ground, Backdrop backdrop, const Paint& paint) {
        const auto paintOn = [&](scene::Rgba behind, std::vector<std::byte>& pixels) {
            frame_->bind();
            gl::clear(behind, width(), height());
            paint(backdrop == Backdrop::none ? std::optional(behind) : std::nullopt);
            ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
            frame_->read(pixels);
        };
        if (backdrop == Backdrop::ground) {
            paintOn(ground, pixels_);
            return pixels_;
        }
        std::vector<std::byte> onWhite(pixels_.size());
        paintOn({255, 255, 255, 255}, onWhite);
        paintOn({0, 0, 0, 255}, pixels_);
        withoutBackdrop(pixels_, onWhite);
        return pixels_;
    }

    void drawCard(const TitleCard& card, scene::Ground ground, glm::ivec2 size) {
        setFonts(ground, titleCardScale(static_cast<float>(size.x), static_cast<float>(size.y)));
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(size.x), static_cast<float>(size.y));
        io.DeltaTime = 1.0f / 60.0f;
        beginImguiFrame();
        drawTitleCard(card, fonts_, ground, {io.DisplaySize.x, io.DisplaySize.y});
        ImGui::Render();
    }

    void drawPass(const Session& session) {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = ImVec2(static_cast<float>(width()), static_cast<float>(height()));
        io.DeltaTime = 1.0f / 60.0f;
        beginImguiFrame();
        Commands ignored;
        edits_ = {};
        const PanelContext context{.session = session,
                                   .context = session.context(),
                                   .opening = nullptr,
                                   .runs = runs_,
                                   .results = queries_.results(),
                                   .fonts = fonts_,
                                   .scale = scale_,
                                   .commands = ignored,
                                   .edits = edits_};
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
    scene::Ground ground_;
    std::vector<std::byte> pixels_;
    Edits edits_;             ///< of the last pass
    ImmediateRunner runner_;  ///< a frame waits for everything that it shows
    BackgroundQueries queries_{runner_};
    RunViews runs_{runner_};
};

}  // namespace

sim::Expected<std::unique_ptr<OffscreenRenderer>> OffscreenRenderer::create(int width, int height, scene::Ground ground,
                                                                            float scale) {
    auto context = WHORL_TRY(gl::OffscreenContext::create());
    auto frame = WHORL_TRY(gl::Frame::create(width, height));
    auto viewRenderer = WHORL_TRY(ViewRenderer::create());
    auto imgui = std::make_unique<ImGuiHolder>();
    if (!imgui->ready()) return sim::fail("", "the interface cannot be drawn with this OpenGL");
    Fonts fonts = loadFonts(scale);
    if (!fonts.note.empty()) {
        return sim::fail(kFontFolder, "the fonts of the pictures cannot be read",
                         "install the package fonts-dejavu-core");
    }
    applyStyle(ground, scale);
    return std::make_unique<GlOffscreenRenderer>(std::move(context), std::move(frame), std::move(viewRenderer),
                                                 std::move(imgui), std::move(fonts), scale, ground);
}

}  // namespace whorl::app
