#include "render/svg/flat_picture.h"

#include <cstddef>

#include "render/svg/lines.h"

namespace whorl::svg {

namespace {

/// Cuts a picture into boxes from its upper left corner on.
class Cutting {
  public:
    explicit Cutting(const scene::Raster& raster) : raster_(raster), done_(raster.pixels().size()) {}

    bool isDone(glm::ivec2 p) const { return done_[index(p)]; }
    /// The box of one colour that begins at a pixel: as wide as it can be, then as high.
    ColouredBox take(glm::ivec2 p) {
        const scene::Rgba colour = raster_.at(p);
        int right = p.x;
        while (right < raster_.width() && isFree({right, p.y}, colour)) ++right;
        int low = p.y + 1;
        while (low < raster_.height() && isRow(p.x, right, low, colour)) ++low;
        for (int y = p.y; y < low; ++y) {
            for (int x = p.x; x < right; ++x) done_[index({x, y})] = true;
        }
        return {{p, {right, low}}, colour};
    }

  private:
    std::size_t index(glm::ivec2 p) const {
        return static_cast<std::size_t>(p.y) * static_cast<std::size_t>(raster_.width()) +
               static_cast<std::size_t>(p.x);
    }
    bool isFree(glm::ivec2 p, scene::Rgba colour) const { return !done_[index(p)] && raster_.at(p) == colour; }
    bool isRow(int left, int right, int y, scene::Rgba colour) const {
        for (int x = left; x < right; ++x) {
            if (!isFree({x, y}, colour)) return false;
        }
        return true;
    }

    const scene::Raster& raster_;
    std::vector<bool> done_;
};

}  // namespace

std::vector<ColouredBox> boxesOf(const scene::Raster& raster, std::size_t most) {
    std::vector<ColouredBox> boxes;
    Cutting cutting(raster);
    for (int y = 0; y < raster.height(); ++y) {
        for (int x = 0; x < raster.width(); ++x) {
            if (cutting.isDone({x, y})) continue;
            if (boxes.size() > most) return boxes;
            boxes.push_back(cutting.take({x, y}));
        }
    }
    return boxes;
}

void draw(Document& to, const std::vector<ColouredBox>& boxes) {
    // Without smoothing, so that the ground does not show where two boxes meet.
    to.add("<g shape-rendering=\"crispEdges\">");
    for (const ColouredBox& box : boxes) to.rectangle(box.where.low, box.where.high, box.colour);
    to.add("</g>");
}

void drawStrokes(Document& to, const scene::FlatScene& scene) {
    if (scene.strokes.empty() || scene.clip.isEmpty()) return;
    to.add("<g clip-path=\"url(#{})\">", to.clip(scene.clip.low, scene.clip.high));
    draw(to, scene.strokes);
    to.add("</g>");
}

}  // namespace whorl::svg
