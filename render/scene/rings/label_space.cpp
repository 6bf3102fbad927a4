#include "render/scene/rings/label_space.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

#include "render/scene/scene.h"
#include "render/scene/text_width.h"

namespace whorl::scene {

namespace {

// Distances that a leader keeps from the middle of a line of text, and from its box, in heights of the text.
constexpr float kClear = 0.7f;
constexpr float kApart = 0.5f;

/// The side of a line on which a point lies: the sign.
float sideOf(glm::vec2 from, glm::vec2 to, glm::vec2 point) {
    return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}

/// Two texts need some room between them to be read as two, but for those `within` glyphs, which set them apart.
bool cross(const TextBox& a, const TextBox& b, bool within) {
    const float apart = within ? 0 : 0.5f * (a.high.y - a.low.y + b.high.y - b.low.y);
    const float line = 0.1f * apart;
    return a.low.x < b.high.x + apart && b.low.x < a.high.x + apart && a.low.y < b.high.y + line &&
           b.low.y < a.high.y + line;
}

}  // namespace

float LabelSpace::distanceTo(const Segment& segment, glm::vec2 point) {
    const glm::vec2 along = segment.to - segment.from;
    const float share = glm::dot(point - segment.from, along) / std::max(1e-6f, glm::dot(along, along));
    return glm::distance(point, segment.from + std::clamp(share, 0.0f, 1.0f) * along);
}

bool LabelSpace::meet(const Segment& a, const Segment& b) {
    return sideOf(a.from, a.to, b.from) * sideOf(a.from, a.to, b.to) < 0 &&
           sideOf(b.from, b.to, a.from) * sideOf(b.from, b.to, a.to) < 0;
}

bool LabelSpace::isNear(const Segment& segment, const TextBox& box, float distance) {
    const glm::vec2 low = box.low - distance;
    const glm::vec2 high = box.high + distance;
    if (box.isWithin(distance, segment.from) || box.isWithin(distance, segment.to)) return true;
    return meet(segment, {low, high}) || meet(segment, {{low.x, high.y}, {high.x, low.y}});
}

glm::vec2 LabelSpace::placeOn(const Arc& arc, float angle) const {
    return scene_.centre + arc.radius * glm::vec2(std::cos(angle), std::sin(angle));
}

template <class F>
bool LabelSpace::anyOf(const Arc& arc, F&& holds) const {
    const int pieces = std::clamp(static_cast<int>(4 * arc.half * arc.radius / size_), 2, 96);
    for (int i = 0; i <= pieces; ++i) {
        const float along = 2 * static_cast<float>(i) / static_cast<float>(pieces) - 1;
        if (holds(placeOn(arc, arc.angle + along * arc.half))) return true;
    }
    return false;
}

bool LabelSpace::isSeen(const Arc& arc) const {
    const auto isSeenAt = [&](glm::vec2 pixel) { return frame_.lens.sees(pixel, -0.55f * arc.size); };
    // Of the texts that are not seen whole, most end outside of the picture.
    return isSeenAt(placeOn(arc, arc.angle + arc.half)) && isSeenAt(placeOn(arc, arc.angle - arc.half)) &&
           !anyOf(arc, [&](glm::vec2 pixel) { return !isSeenAt(pixel); });
}

bool LabelSpace::crossesArc(const Arc& arc) const {
    return std::any_of(arcs_.begin(), arcs_.end(), [&](const Arc& other) {
        if (std::abs(arc.radius - other.radius) >= (arc.size + other.size) / 2) return false;
        return std::abs(std::remainder(arc.angle - other.angle, 2 * kPi)) < arc.half + other.half;
    });
}

bool LabelSpace::isFree(const Arc& arc, bool overMoving) const {
    return !anyOf(arc, [&](glm::vec2 pixel) {
        const auto covers = [&](const TextBox& box) { return box.isWithin(0.75f * arc.size, pixel); };
        const auto hides = [&](const Glyph& glyph) {
            return glm::distance(glyph.at, pixel) < glyph.radius + 0.55f * arc.size;
        };
        const auto strikes = [&](const Segment& leader) { return distanceTo(leader, pixel) < kClear * arc.size; };
        return std::any_of(boxes_.begin(), boxes_.end(), covers) ||
               std::any_of(leaders_.begin(), leaders_.end(), strikes) ||
               (!overMoving && std::any_of(scene_.moving.begin(), scene_.moving.end(), hides));
    });
}

bool LabelSpace::coversText(const TextBox& box, bool within) const {
    const auto covers = [&](const Arc& arc) {
        return anyOf(arc, [&](glm::vec2 pixel) { return box.isWithin((within ? 0.55f : 0.75f) * arc.size, pixel); });
    };
    return std::any_of(boxes_.begin(), boxes_.end(), [&](const TextBox& other) { return cross(box, other, within); }) ||
           std::any_of(arcs_.begin(), arcs_.end(), covers);
}

bool LabelSpace::coversLeader(const TextBox& box) const {
    return std::any_of(leaders_.begin(), leaders_.end(),
                       [&](const Segment& leader) { return isNear(leader, box, kApart * size_); });
}

bool LabelSpace::isFree(const Segment& segment) const {
    const auto strikes = [&](const Arc& arc) {
        return anyOf(arc, [&](glm::vec2 pixel) { return distanceTo(segment, pixel) < kClear * arc.size; });
    };
    const auto crossesText = [&](const TextBox& box) { return isNear(segment, box, kApart * size_); };
    const auto crossesLeader = [&](const Segment& other) { return meet(segment, other); };
    return std::none_of(arcs_.begin(), arcs_.end(), strikes) &&
           std::none_of(boxes_.begin(), boxes_.end(), crossesText) &&
           std::none_of(leaders_.begin(), leaders_.end(), crossesLeader);
}

bool LabelSpace::isFree(const Leader& leader) const {
    for (std::size_t i = 0; i + 1 < leader.size(); ++i) {
        if (!isFree(Segment{leader[i], leader[i + 1]})) return false;
    }
    return isFree(tickOf(leader));
}

LabelSpace::Segment LabelSpace::tickOf(const Leader& leader) const {
    const glm::vec2 along = glm::normalize(leader.back() - leader[leader.size() - 2]);
    const glm::vec2 aside = 5 * lineWidth() * glm::vec2(-along.y, along.x);
    return {leader.back() - aside, leader.back() + aside};
}

bool LabelSpace::isFree(const TextBox& box, bool goes) const {
    const glm::vec2 end = frame_.layout.size;
    if (box.low.x < 0 || box.low.y < 0 || box.high.x > end.x || box.high.y > end.y) return false;
    for (std::size_t i = 0; i < scene_.moving.size(); ++i) {
        const Glyph& glyph = scene_.moving[i];
        const bool slides = glyph.glow == 0 && scene_.movingTargets[i].kind == Target::Kind::line;
        if (!(goes && slides) && box.isWithin(glyph.radius, glyph.at)) return false;
    }
    return !coversText(box) && !coversLeader(box);
}

bool LabelSpace::addCurved(const std::string& text, float radius, float from, float span, float wanted, Rgba colour,
                           const Target& target, float size, bool holdsStill) {
    if (size <= 0) size = size_;
    const float r = radius * frame_.lens.zoom;
    const float half = (widthOf(text, size) / 2 + 0.5f * size) / r;
    if (2 * half > span) return false;
    const float most = span >= 2 * kPi ? kPi : span / 2 - half;
    const float middle = span >= 2 * kPi ? wanted : from + span / 2;
    constexpr int kTries = 90;
    for (int i = 0; i <= kTries; ++i) {
        for (const int side : {1, -1}) {
            if (i == 0 && side < 0) continue;
            const Arc arc{r, middle + static_cast<float>(side * i) / kTries * most, half, size};
            if (crossesArc(arc) || !isSeen(arc) || !isFree(arc, holdsStill)) continue;
            arcs_.push_back(arc);
            scene_.labels.push_back({Label::Kind::curved, text, {r, arc.angle}, size, colour});
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
    put({Label::Kind::plain, text, (box.low + box.high) / 2.0f, size, colour, false, true}, target, box);
}

bool LabelSpace::addOn(const Glyph& glyph, glm::vec2 at, const std::string& text, float size, Rgba colour, bool isBare,
                       const Target& target) {
    const glm::vec2 half(widthOf(text, size) / 2, 0.55f * size);
    const TextBox box{at - half, at + half};
    const auto hides = [&](const Glyph& other) {
        return other.fill.a != 0 && other.at != glyph.at && box.isWithin(other.radius, other.at);
    };
    // A bare name lies in its glyph.
    if (coversText(box, isBare) || coversLeader(box) || std::any_of(scene_.moving.begin(), scene_.moving.end(), hides))
        return false;
    put({Label::Kind::plain, text, at, size, colour, isBare}, target, box);
    return true;
}

void LabelSpace::addLeader(const Leader& leader) {
    const float width = lineWidth();
    const Palette& palette = frame_.style.palette();
    const Rgba line = faded(palette.muted, 0.8f);
    // An edge of the ground's colour sets the leader off from glyphs of any colour.
    const Rgba edge = faded(palette.ground, 0.8f);
    const Segment tick = tickOf(leader);
    const auto draw = [&](float widths, float ofTick, Rgba colour, Rgba tickColour) {
        for (std::size_t i = 0; i + 1 < leader.size(); ++i) {
            scene_.leaders.push_back({leader[i], leader[i + 1], widths * width, colour, colour});
        }
        scene_.leaders.push_back({tick.from, tick.to, ofTick * width, tickColour, tickColour});
    };
    draw(3, 4, edge, edge);
    draw(1, 2, line, palette.text);
    for (std::size_t i = 0; i + 1 < leader.size(); ++i) leaders_.push_back({leader[i], leader[i + 1]});
    leaders_.push_back(tick);
}

}  // namespace whorl::scene
