#include "render/scene/space/space_scene.h"

#include <algorithm>

#include "render/scene/palette.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

bool samePicture(const SpaceScene& a, const SpaceScene& b) {
    return a.size == b.size && a.background == b.background && a.toClip == b.toClip && a.toEye == b.toEye &&
           a.eye == b.eye && a.ambient == b.ambient && a.pointSize == b.pointSize && a.surface == b.surface &&
           a.boxes == b.boxes && a.faces == b.faces && a.segments == b.segments && a.points == b.points &&
           a.panes == b.panes && a.overlay == b.overlay;
}

sim::Cycles niceStep(sim::Cycles length, std::uint32_t steps) {
    sim::Cycles unit = 1;
    for (;;) {
        for (const sim::Cycles factor : {1, 2, 5}) {
            if (length / (factor * unit) <= steps) return factor * unit;
        }
        unit *= 10;
    }
}

SpaceLabels::SpaceLabels(SpaceScene& scene, const SpaceLook& look)
    : scene_(scene),
      look_(look),
      textSize_(look.textSize),
      text_(paletteFor(look.ground).text),
      muted_(paletteFor(look.ground).muted) {}

bool SpaceLabels::put(const std::string& text, glm::vec2 at, Side side, Rgba colour, float size, bool isBare) {
    if (size <= 0) size = textSize_;
    if (text.empty() || !(at.x == at.x) || !(at.y == at.y)) return false;
    const glm::vec2 half = glm::vec2(widthOf(text, size), 1.15F * size) / 2.0F;
    if (side == Side::left) at.x -= half.x;
    if (side == Side::right) at.x += half.x;
    if (side == Side::above) at.y -= half.y;
    if (side == Side::below) at.y += half.y;
    const Place place{at - half, at + half};
    if (place.low.x < 0 || place.low.y < 0 || place.high.x > look_.size.x || place.high.y > look_.size.y) return false;
    const auto covers = [&](const Place& other) {
        return place.low.x < other.high.x && other.low.x < place.high.x && place.low.y < other.high.y &&
               other.low.y < place.high.y;
    };
    if (std::any_of(taken_.begin(), taken_.end(), covers)) return false;
    taken_.push_back(place);
    // The width is an estimate: a text on the right is put by its left end, so that the gap is exact.
    const bool isRight = side == Side::right;
    scene_.labels.push_back(
        {isRight ? Label::Kind::corner : Label::Kind::plain, text, isRight ? place.low : at, size, colour, isBare});
    return true;
}

bool SpaceLabels::putAt(const std::string& text, glm::vec3 at, Side side, Rgba colour, float gap, float size) {
    const glm::vec4 clip = scene_.toClip * glm::vec4(at, 1);
    if (!(clip.w > 0)) return false;  // behind the eye
    glm::vec2 pixel = pixelOf(scene_.toClip, at, look_.size);
    if (side == Side::left) pixel.x -= gap;
    if (side == Side::right) pixel.x += gap;
    if (side == Side::above) pixel.y -= gap;
    if (side == Side::below) pixel.y += gap;
    return put(text, pixel, side, colour, size);
}

void SpaceLabels::title() {
    if (look_.title.empty()) return;
    const glm::vec2 at(0.75F * textSize_, 0.6F * textSize_);
    const std::string title = fittingTitle(look_.title, look_.size.x - 2 * at.x, textSize_);
    taken_.push_back({at, at + glm::vec2(widthOf(title, textSize_), 1.2F * textSize_)});
    scene_.labels.push_back({Label::Kind::corner, title, at, textSize_, text_});
}

glm::vec2 SpaceLabels::besideTitle() const {
    const float title = look_.title.empty() ? 0 : widthOf(look_.title, textSize_) + textSize_;
    return {0.75F * textSize_ + title, 1.2F * textSize_};
}

}  // namespace whorl::scene
