#include "render/scene/rings/label_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "render/scene/angle.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

/// Two texts need some room between them to be read as two.
bool cross(const TextBox& a, const TextBox& b) {
    const float apart = 0.5f * (a.high.y - a.low.y + b.high.y - b.low.y);
    const float line = 0.1f * apart;
    return a.low.x < b.high.x + apart && b.low.x < a.high.x + apart && a.low.y < b.high.y + line &&
           b.low.y < a.high.y + line;
}

}  // namespace

template <class F>
bool LabelSpace::anyOf(const Arc& arc, F&& holds) const {
    const int pieces = std::clamp(static_cast<int>(4 * arc.half * arc.radius / size_), 2, 96);
    for (int i = 0; i <= pieces; ++i) {
        const float a = arc.angle + arc.half * (2 * static_cast<float>(i) / static_cast<float>(pieces) - 1);
        if (holds(scene_.centre + arc.radius * glm::vec2(std::cos(a), std::sin(a)))) return true;
    }
    return false;
}

bool LabelSpace::isSeen(const Arc& arc) const {
    return !anyOf(arc, [&](glm::vec2 pixel) { return !frame_.lens.sees(pixel, -0.55f * size_); });
}

bool LabelSpace::isFree(const Arc& arc) const {
    const auto crosses = [&](const Arc& other) {
        const float apart = std::abs(std::remainder(arc.angle - other.angle, 2 * kPi));
        return std::abs(arc.radius - other.radius) < size_ && apart < arc.half + other.half;
    };
    if (std::any_of(arcs_.begin(), arcs_.end(), crosses)) return false;
    return !anyOf(arc, [&](glm::vec2 pixel) {
        const auto covers = [&](const TextBox& box) { return box.isWithin(0.75f * size_, pixel); };
        const auto hides = [&](const Glyph& glyph) {
            return glm::distance(glyph.at, pixel) < glyph.radius + 0.55f * size_;
        };
        return std::any_of(boxes_.begin(), boxes_.end(), covers) ||
               std::any_of(scene_.moving.begin(), scene_.moving.end(), hides);
    });
}

bool LabelSpace::coversText(const TextBox& box) const {
    const auto covers = [&](const Arc& arc) {
        return anyOf(arc, [&](glm::vec2 pixel) { return box.isWithin(0.75f * size_, pixel); });
    };
    return std::any_of(boxes_.begin(), boxes_.end(), [&](const TextBox& other) { return cross(box, other); }) ||
           std::any_of(arcs_.begin(), arcs_.end(), covers);
}

bool LabelSpace::isFree(const TextBox& box) const {
    const glm::vec2 end = frame_.layout.size;
    if (box.low.x < 0 || box.low.y < 0 || box.high.x > end.x || box.high.y > end.y) return false;
    const auto hides = [&](const Glyph& glyph) { return box.isWithin(glyph.radius, glyph.at); };
    return !coversText(box) && std::none_of(scene_.moving.begin(), scene_.moving.end(), hides);
}

bool LabelSpace::addCurved(const std::string& text, float radius, float from, float span, float wanted, Rgba colour,
                           const Target& target) {
    const float r = radius * frame_.lens.zoom;
    const float half = (widthOf(text, size_) / 2 + 0.5f * size_) / r;
    if (2 * half > span) return false;
    const float most = span >= 2 * kPi ? kPi : span / 2 - half;
    const float middle = span >= 2 * kPi ? wanted : from + span / 2;
    constexpr int kTries = 90;
    for (int i = 0; i <= kTries; ++i) {
        for (const int side : {1, -1}) {
            if (i == 0 && side < 0) continue;
            const Arc arc{r, middle + static_cast<float>(side * i) / kTries * most, half};
            if (!isSeen(arc) || !isFree(arc)) continue;
            arcs_.push_back(arc);
            scene_.labels.push_back({Label::Kind::curved, text, {r, arc.angle}, size_, colour});
            scene_.labelTargets.push_back(target);
            return true;
        }
    }
    return false;
}

void LabelSpace::put(Label label, const Target& target, const TextBox& box) {
    boxes_.push_back(box);
    scene_.labels.push_back(std::move(label));
    scene_.labelTargets.push_back(target);
}

bool LabelSpace::add(const std::string& text, glm::vec2 at, float size, Rgba colour, const Target& target) {
    const TextBox box{at, at + glm::vec2(widthOf(text, size), 1.1f * size)};
    if (!isFree(box)) return false;
    put({Label::Kind::corner, text, at, size, colour}, target, box);
    return true;
}

void LabelSpace::addIn(const TextBox& box, const std::string& text, float size, Rgba colour, const Target& target) {
    put({Label::Kind::plain, text, (box.low + box.high) / 2.0f, size, colour}, target, box);
}

bool LabelSpace::addOn(const Glyph& glyph, const std::string& text, float size, Rgba colour, bool isBare,
                       const Target& target) {
    const glm::vec2 half(widthOf(text, size) / 2, 0.55f * size);
    const TextBox box{glyph.at - half, glyph.at + half};
    if (coversText(box)) return false;
    put({Label::Kind::plain, text, glyph.at, size, colour, isBare}, target, box);
    return true;
}

void LabelSpace::addLeader(glm::vec2 from, glm::vec2 to) {
    const float width = std::max(1.0f, frame_.layout.unit / 360);
    const Palette& palette = frame_.style.palette();
    const Rgba line = faded(palette.muted, 0.8f);
    // Its edge sets it off from glyphs of any colour.
    const Rgba edge = faded(palette.ground, 0.8f);
    scene_.leaders.push_back({from, to, 3 * width, edge, edge});
    scene_.leaders.push_back({from, to, width, line, line});
    scene_.moving.push_back(
        {.at = to, .radius = 3 * width, .fill = palette.muted, .rim = palette.ground, .rimWidth = width});
    scene_.movingTargets.push_back({});
}

}  // namespace whorl::scene
