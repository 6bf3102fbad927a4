#include "render/svg/lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace whorl::svg {

namespace {

/// How far two colours are apart: the largest difference of a channel.
int apart(scene::Rgba a, scene::Rgba b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b), std::abs(a.a - b.a)});
}

/// The attribute that colours a stroke: by one colour where its ends are alike.
std::string colourOf(Document& to, const scene::Stroke& s) {
    constexpr int kAlike = 24;
    if (apart(s.colourA, s.colourB) <= kAlike) return stroke(scene::mixed(s.colourA, s.colourB, 0.5F), s.width);
    const std::string way = fmt::format(" gradientUnits=\"userSpaceOnUse\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"",
                                        number(s.a.x), number(s.a.y), number(s.b.x), number(s.b.y));
    const std::string id = to.define("linearGradient", way, stop(0, s.colourA) + stop(1, s.colourB));
    return fmt::format(" stroke=\"url(#{})\" stroke-width=\"{}\"", id, number(s.width));
}

bool isDot(const scene::Stroke& s) {
    return s.a == s.b;
}

bool sameLook(const scene::Stroke& a, const scene::Stroke& b) {
    return a.width == b.width && a.colourA == b.colourA && a.colourB == b.colourB && a.colourA == a.colourB;
}

/// A line whose colour and width change from stroke to stroke. Round ends would show where transparent strokes overlap,
/// so only the line's own ends are round.
void drawLine(Document& to, std::span<const scene::Stroke> line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        const scene::Stroke& s = line[i];
        if (s.colourA.a == 0 && s.colourB.a == 0) continue;
        const bool isEnd = i + 1 == line.size();
        to.add("<path d=\"M{}L{}\"{}{}/>", point(s.a), point(s.b), colourOf(to, s),
               isEnd ? "" : " stroke-linecap=\"butt\"");
    }
}

/// Separate strokes of one look as one element.
void drawAlike(Document& to, std::span<const scene::Stroke> strokes) {
    std::string data;
    for (const scene::Stroke& s : strokes) data += "M" + point(s.a) + "L" + point(s.b);
    to.add("<path d=\"{}\"{}/>", data, stroke(strokes.front().colourA, strokes.front().width));
}

/// How many strokes from `first` on look alike and may be one element: transparent ones would be laid over each other
/// only once.
std::size_t lengthOfAlike(std::span<const scene::Stroke> strokes, std::size_t first) {
    std::size_t last = first;
    if (strokes[first].colourA.a != 255) return 1;
    while (last + 1 < strokes.size() && sameLook(strokes[first], strokes[last + 1]) && !isDot(strokes[last + 1])) {
        ++last;
    }
    return last + 1 - first;
}

}  // namespace

std::size_t lengthOfLine(std::span<const scene::Stroke> strokes, std::size_t first) {
    std::size_t last = first;
    while (last + 1 < strokes.size() && !isDot(strokes[last]) && !isDot(strokes[last + 1]) &&
           strokes[last].b == strokes[last + 1].a) {
        ++last;
    }
    return last + 1 - first;
}

void draw(Document& to, std::span<const scene::Stroke> strokes) {
    if (strokes.empty()) return;
    to.add("<g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\">");
    for (std::size_t i = 0; i < strokes.size();) {
        const scene::Stroke& s = strokes[i];
        if (isDot(s)) {
            to.circle(s.a, s.width / 2, s.colourA);
            ++i;
            continue;
        }
        const std::size_t alike = lengthOfAlike(strokes, i);
        const std::size_t line = lengthOfLine(strokes, i);
        if (alike > 1 && sameLook(s, s)) {
            drawAlike(to, strokes.subspan(i, alike));
            i += alike;
        } else {
            drawLine(to, strokes.subspan(i, line));
            i += line;
        }
    }
    to.add("</g>");
}

void draw(Document& to, const scene::Ribbon& ribbon) {
    if (ribbon.path.empty() || ribbon.colour.a == 0) return;
    std::string data;
    for (const glm::vec2 at : ribbon.path) data += (data.empty() ? "M" : "L") + point(at);
    const bool isClosed = ribbon.path.size() > 2 && ribbon.path.front() == ribbon.path.back();
    to.add("<path d=\"{}{}\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{}/>", data,
           isClosed ? "Z" : "", stroke(ribbon.colour, ribbon.width));
}

}  // namespace whorl::svg
