#include "app/export/tiles_svg.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/png.h"
#include "render/gl/frame.h"
#include "render/svg/flat_picture.h"
#include "render/svg/ring_picture.h"

namespace whorl::app {

namespace {

/// What viewers of SVG still show without delay.
constexpr std::size_t kMostBoxes = 20'000;
/// How much finer than the frame an embedded image is.
constexpr int kFiner = 2;

class StringSink final : public sim::ByteSink {
  public:
    sim::Expected<void> write(std::string_view bytes) override {
        bytes_ += bytes;
        return {};
    }
    sim::Expected<void> close() override { return {}; }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

/// Pixels as an image that fills a tile.
sim::Expected<void> embed(svg::Document& to, glm::ivec2 tile, glm::ivec2 size, std::span<const std::byte> rgba) {
    StringSink png;
    if (auto written = writePng(png, size.x, size.y, rgba); !written) return written;
    to.image({0, 0}, tile, png.bytes());
    return {};
}

sim::Expected<void> drawFlat(svg::Document& to, glm::ivec2 tile, const scene::FlatScene& flat) {
    const std::vector<svg::ColouredBox> boxes = svg::boxesOf(flat.raster, kMostBoxes);
    if (boxes.size() <= kMostBoxes) {
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
    (frame)->bind();
    renderer.paint(std::span(&alone, 1), runs, session, scale * kFiner, alone.where.height);
    std::vector<std::byte> pixels((frame)->bytes());
    (frame)->read(pixels);
    return embed(to, size, {alone.where.width, alone.where.height}, pixels);
}

}  // namespace

sim::Expected<void> draw(svg::Document& to, std::span<const Tile> tiles, const RunViews& runs, const Session& session,
                         float scale, ViewRenderer& renderer) {
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

}  // namespace whorl::app
